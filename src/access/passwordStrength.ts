/** Refuses passwords that are guessed at once: common ones, patterns, and the user's own names. */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Refusal } from '../contract/refusal.ts';

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

/** Throws 400 for a password that is easy to guess; `field` names it in the refusal. */
export async function refuseGuessable(
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
