/** Exact sums and changes of figures, which the public API writes as numbers or as text. */
import { Decimal } from 'decimal.js';
import { noText } from '../figures/texts.ts';

/** A figure of the public API; a missing one is null or "-". */
export type Figure = number | string | null | undefined;

const percentPlaces = 1;

/** A figure as an exact number; 0 for a missing one. */
export function exact(figure: Figure): Decimal {
  return new Decimal(isMissing(figure) ? 0 : figure!);
}

/** Whether a figure is missing. */
export function isMissing(figure: Figure): boolean {
  return figure === null || figure === undefined || figure === noText;
}

/** The exact sum of figures; missing ones count as 0. */
export function sumOf(figures: readonly Figure[]): number {
  return figures.reduce((sum: Decimal, one) => sum.plus(exact(one)), new Decimal(0)).toNumber();
}

/** The exact difference of two figures. */
export function differenceOf(figure: Figure, prior: Figure): number {
  return exact(figure).minus(exact(prior)).toNumber();
}

/**
 * A figure in percent of a base, less `less`: with 100, by how much it changed. Null where either
 * is missing or the base is not above zero.
 */
export function percentOf(figure: Figure, base: Figure, less = 100): number | null {
  if (isMissing(figure) || isMissing(base) || exact(base).lte(0)) return null;
  return exact(figure)
    .div(exact(base))
    .times(100)
    .minus(less)
    .toDecimalPlaces(percentPlaces, Decimal.ROUND_HALF_UP)
    .toNumber();
}

/** A change in words. */
export function changeText(percent: number | null): string {
  if (percent === null) return 'without a figure to compare';
  if (percent === 0) return 'unchanged';
  return percent > 0 ? `${percent} % more` : `${-percent} % less`;
}
