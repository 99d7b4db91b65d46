/**
 * Exact arithmetic on amounts. Amounts are bigints in a fraction of the currency's unit; sums and
 * quotients are exact, and each result is rounded once, half away from zero.
 */

import { decimalText } from './jsonBytes.ts';

/** Decimal places of amounts in the warehouse. */
export const amountPlaces = 6;
/** Decimal places of converted amounts: rounding them stays far below every digit shown. */
export const convertedPlaces = 18;

// ISO 4217, list one: the currencies whose minor unit is not a hundredth.
const minorUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
      .split(' ')
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** The decimal places of a currency's minor unit (ISO 4217): 2 for most, 0 for JPY, 3 for KWD. */
export function currencyPlaces(currency: string): number {
  return minorUnits[currency] ?? 2;
}

const safe = Number.MAX_SAFE_INTEGER;
/** The powers of ten that doubles represent exactly. */
const powers = Array.from({ length: 23 }, (_, places) => 10 ** places);

/**
 * `part` / `whole` x `factor` with `places` decimal places, as a whole number of the last one. It
 * is exact at any size, and rounded half away from zero; `whole` is above zero.
 */
export function quotient(
  part: bigint | number,
  whole: bigint | number,
  places: number,
  factor = 1,
): number | bigint {
  const scale = powers[places]! * factor;
  const numerator = Number(part) * scale;
  const denominator = Number(whole);
  // Up to 2^53 doubles are exact, and many times faster than bigints.
  if (numerator <= safe && numerator >= -safe && denominator <= safe / 2) {
    const size = numerator < 0 ? -numerator : numerator;
    // The operator % takes several times as long. The quotient may be one off; products are exact.
    let floor = Math.floor(size / denominator);
    let rest = size - floor * denominator;
    if (rest < 0) {
      floor -= 1;
      rest += denominator;
    } else if (rest >= denominator) {
      floor += 1;
      rest -= denominator;
    }
    const rounded = rest * 2 >= denominator ? floor + 1 : floor;
    return numerator < 0 && rounded > 0 ? -rounded : rounded;
  }
  const exact = BigInt(part) * BigInt(scale);
  const divisor = BigInt(whole);
  const size = exact < 0n ? -exact : exact;
  const rounded = (size * 2n + divisor) / (divisor * 2n);
  return exact < 0n ? -rounded : rounded;
}

/** The same as text. */
export function quotientText(
  part: bigint | number,
  whole: bigint | number,
  places: number,
  factor = 1,
): string {
  return decimalText(quotient(part, whole, places, factor), places);
}

/** An amount in millionths, exact: with the decimals of the currency's minor unit, or more. */
export function exactText(amount: bigint, currency: string): string {
  const places = currencyPlaces(currency);
  let text = decimalText(amount, amountPlaces);
  while (text.endsWith('0') && text.length - text.indexOf('.') - 1 > places)
    text = text.slice(0, -1);
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** Multiplies amounts in millionths by a factor; the products have `convertedPlaces`. */
export function conversion(factor: number): (amount: bigint) => bigint {
  // The shortest text of the double; libraries for decimals are many times slower.
  const [mantissa, exponent] = factor.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const digits = BigInt(whole + fraction);
  const places = Number(exponent) - fraction.length + convertedPlaces - amountPlaces;
  if (places >= 0) {
    const multiplier = digits * 10n ** BigInt(places);
    return (amount) => amount * multiplier;
  }
  const divisor = 10n ** BigInt(-places);
  return (amount) => {
    const product = amount * digits;
    const size = product < 0n ? -product : product;
    const rounded = (size * 2n + divisor) / (divisor * 2n);
    return product < 0n ? -rounded : rounded;
  };
}

/** A sum of amounts or counts: an exact part in millionths, and a converted part in units. */
export type Sum = { readonly exact: bigint; readonly converted: number };

/** A denominator up to this, in units, is the noise of converted amounts that cancel out. */
export const denominatorNoise = 1e-9;
// A converted sum so close below a half would be the half if its parts were exact; the word
// round_half_up() of questions has the same epsilon.
const roundingEpsilon = 1e-7;
const one: Sum = { exact: 10n ** BigInt(amountPlaces), converted: 0 };

/** A sum rounded to so many places, half away from zero. */
export function roundedSum(sum: Sum, places: number): number {
  return roundedRatio(sum, one, places);
}

/** `part` / `whole` x `factor`, rounded half away from zero; 0 where `whole` is zero or less. */
export function roundedRatio(part: Sum, whole: Sum, places: number, factor = 1): number {
  const denominator = unitsOf(whole.exact) + whole.converted;
  if (denominator <= denominatorNoise) return 0;
  if (part.converted === 0 && whole.converted === 0)
    return Number(quotientText(part.exact, whole.exact, places, factor));
  const scale = 10 ** places;
  const value = ((unitsOf(part.exact) + part.converted) / denominator) * factor * scale;
  const size = Math.floor(Math.abs(value) + 0.5 + roundingEpsilon);
  return (value < 0 && size > 0 ? -size : size) / scale;
}

/** An amount in millionths as the double nearest to it in units. */
export function unitsOf(amount: number | bigint): number {
  return Number(amount) / Number(one.exact);
}
