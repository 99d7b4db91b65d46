/** Metrics as the views write them: text, "-" without a denominator. */
import { quotientText } from './money.ts';

/** The text of a metric without a value. */
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
