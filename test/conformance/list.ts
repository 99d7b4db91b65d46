/** The orders that a list is asked for in a test, so that all tests of lists ask for as many. */
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
