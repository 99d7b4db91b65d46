/** The orders in which a test requests a list: equally many in all tests of lists. */
import { directionsOf } from '../harness.ts';
import { level } from '../level.ts';

/**
 * Columns with the directions to sort a list by: all of both in a deep run, otherwise a quarter of
 * the columns in one direction each. Tests of lists with the same columns begin at different ones.
 */
export function sortings(columns: readonly string[], first = 0) {
  return columns
    .map((sortKey, place) => ({ sortKey, place }))
    .filter(({ place }) => level === 'deep' || place % 4 === first % 4)
    .flatMap(({ sortKey, place }) =>
      directionsOf(Math.floor(place / 4)).map((sortOrder) => ({ sortKey, sortOrder })),
    );
}
