/**
 * Refuses passwords that are guessed at once: common ones, patterns, the user's own names, and, if
 * a service for them is configured, those of past breaches.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Config } from '../config.ts';
import { Refusal } from '../contract/refusal.ts';
import { isBreached } from './breachedPasswords.ts';

/** The guesses that a password must withstand. */
const guessesMin = 1e8;
/**
 * Characters that are judged, because the time grows with the square of their number. A weak
 * beginning of this length makes the rest no stronger.
 */
const judgedMax = 32;

/** The name of the service, which counts as known, too. */
const product = 'vitrine';

/** The names that a password must not be made of. */
export type OwnNames = { readonly email: string; readonly organisation: string | undefined };

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The setting and the log that the check of a password needs. */
type Checking = {
  readonly config: Pick<Config, 'breachedPasswords'>;
  readonly log: { warn(entry: object, text: string): void };
};

/** Throws 400 for a password that is easy to guess or known; `field` names it in the refusal. */
export async function refuseGuessable(
  { config: { breachedPasswords }, log }: Checking,
  field: string,
  password: string,
  { email, organisation = '' }: OwnNames,
): Promise<void> {
  estimator ??= loadEstimator();
  const parts = [/@/, /[@.]/].flatMap((separator) => email.split(separator));
  const own = [product, email, organisation, ...parts, ...organisation.split(/\s+/)];
  const names = own.filter((name) => name.length > 2);
  const judged = password.normalize('NFKC').slice(0, judgedMax);
  const { guesses } = (await estimator).check(judged, names);
  if (guesses < guessesMin)
    throw new Refusal(400, `${field} is too easy to guess: several unusual words make a good one`);
  if (breachedPasswords === undefined) return;
  const isKnown = await isBreached(breachedPasswords, password).catch((error: unknown) => {
    log.warn(
      { reason: reasonOf(error) },
      'a new password could not be compared with breached ones',
    );
    return false;
  });
  if (isKnown)
    throw new Refusal(400, `${field} is known from a breach of another service: choose another`);
}

/** Why the service failed, without its address, which holds a part of the hash. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  return name === 'Error' ? message : (cause?.code ?? name);
}

/** Loaded with the first password: its dictionaries take 50 MB of memory. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  });
}
