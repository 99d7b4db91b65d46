/** Repeatable randomness: the same seed gives the same numbers on every machine. */

/** A source of random numbers. */
export type Random = {
  /** A number from 0 to 1, excluding 1. */
  next(): number;
  /** A whole number from 0 to `below`, excluding it. */
  whole(below: number): number;
  /** A text of letters from an alphabet. */
  letters(alphabet: string, length: number): string;
  /** A count with a Poisson distribution around `mean`. */
  poisson(mean: number): number;
  /** A log-normal factor around 1; `spread` is the standard deviation of its logarithm. */
  factor(spread: number): number;
};

/** A source of random numbers with a seed (mulberry32). */
export function randomOf(seed: string): Random {
  let state = seedOf(seed);
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  }
  function poisson(mean: number): number {
    // The normal distribution is close enough here, and needs only two draws.
    if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    const limit = Math.exp(-mean);
    let times = 0;
    for (let product = next(); product > limit; product *= next()) times++;
    return times;
  }
  const whole = (below: number) => Math.floor(next() * below);
  return {
    next,
    whole,
    letters: (alphabet, length) =>
      Array.from({ length }, () => alphabet[whole(alphabet.length)]).join(''),
    poisson,
    factor: (spread) => Math.exp(normal() * spread - (spread * spread) / 2),
  };
}

/** Turns a draw between 0 and 1 into an index, by the running sums of the weights. */
export function pickIndex(draw: number, runningSums: readonly number[]): number {
  const target = draw * runningSums.at(-1)!;
  let low = 0;
  let high = runningSums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runningSums[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The running sums of weights. */
export function runningSums(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

// FNV-1a with a final mix, so that seeds that differ in one character start far apart.
function seedOf(seed: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) | 0;
}
