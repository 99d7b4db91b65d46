/** Asks a service of ranges whether a password is among those of past breaches. */
import { createHash } from 'node:crypto';

/** A service that is slower counts as one that cannot be reached. */
const answerMilliseconds = 2_000;
/** Services send about 40 kB. */
const answerCharactersMax = 1_000_000;
const sentDigits = 5;

/**
 * Whether the service at `address` knows the password. It gets only the first five hexadecimal
 * digits of the SHA-1, and answers the rest of every hash that begins with them. Rejects when the
 * service cannot be reached, is slow or answers anything else.
 */
export async function isBreached(address: string, password: string): Promise<boolean> {
  const digest = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase();
  const response = await fetch(address + digest.slice(0, sentDigits), {
    headers: { 'add-padding': 'true', 'user-agent': 'vitrine' },
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMilliseconds),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the service answered ${response.status}`);
  }
  const lines = (await textOf(response)).split(/\r?\n/).filter((line) => line !== '');
  const counts = new Map(lines.map(entryOf));
  // Padding has the count 0.
  return (counts.get(digest.slice(sentDigits)) ?? 0) > 0;
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > answerCharactersMax) throw new Error('the service answered too much');
  }
  return text;
}

function entryOf(line: string): readonly [rest: string, count: number] {
  const [, rest, count] = /^([\dA-F]{35}):(\d+)$/i.exec(line) ?? [];
  if (rest === undefined) throw new Error('the service answered something else than a range');
  return [rest.toUpperCase(), Number(count)];
}
