/** Metrics as views write them: text, or "-" without a denominator. */
import { amountPlaces, currencyPlaces, quotientText } from './money.ts';

/** The text of a metric without a value. */
export const noText = '-';

/** `part` / `whole` x `factor` with `places` decimal places. */
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
  readonly currency: string;
  /** The decimal places of the sums. */
  readonly places: number;
  /** The sum in the currency's minor unit. */
  readonly amount: (sum: bigint) => string;
  /** The sum divided by the pieces, with at least two decimal places. */
  readonly unitPrice: (sum: bigint, pieces: number) => string;
};

/** Writes sums in a currency; the sums have `places` decimal places. */
export function amountTexts(currency: string, places: number): AmountTexts {
  const unit = places === amountPlaces ? 1e6 : 10n ** BigInt(places);
  const minor = currencyPlaces(currency);
  const unitPricePlaces = Math.max(2, minor);
  return {
    currency,
    places,
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
