/** Random values for recomputations of reports. */
import fc from 'fast-check';
import { exact } from './exact.ts';

/** Random texts of amounts, in hundredths between two limits. */
export const cents = (min = 0, max = 99_999): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((amount) => exact(amount).div(100).toFixed(2));

/** Random small counts. */
export const few = fc.integer({ min: 0, max: 9 });

/** Random dates of the first week of March 2025. */
export const dates = fc.integer({ min: 1, max: 6 }).map((day) => `2025-03-0${day}`);

const start = Date.UTC(2025, 2, 1) / 1000;

/** Random epoch seconds of the same days. */
export const instants = fc.integer({ min: start, max: start + 6 * 86_400 });
