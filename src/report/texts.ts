/** How the views write their metrics: as text, "-" where there is nothing to divide by. */
import { amountPlaces, currencyPlaces, quotientText } from './money.ts';

/** What stands for a metric that has no value. */
export const noText = '-';

/** `part` / `whole` x `factor` with so many decimal places. */
export function ratioText(
  part: bigint | number,
  whole: bigint | number,
  places: number,
  factor = 1,
): string {
  return whole > 0 ? quotientText(part, whole, places, factor) : noText;
}

/** Writes sums of amounts in one currency. */
export type AmountTexts = {
  /** The sum in the currency's minor unit. */
  readonly amount: (sum: bigint) => string;
  /** The sum by piece, with at least two decimal places. */
  readonly unitPrice: (sum: bigint, pieces: number) => string;
};

/** How sums that are kept with so many decimal `places` are written in the currency. */
export function amountTexts(currency: string, places: number): AmountTexts {
  const unit = places === amountPlaces ? 1e6 : 10n ** BigInt(places);
  const minor = currencyPlaces(currency);
  const unitPricePlaces = Math.max(2, minor);
  return {
    amount: (sum) => quotientText(sum, unit, minor),
    unitPrice: (sum, pieces) =>
      pieces > 0
        ? quotientText(
            sum,
            typeof unit === 'number' ? unit * pieces : unit * BigInt(pieces),
            unitPricePlaces,
          )
        : noText,
  };
}
