/** Small lines of ACOS; each point comes from the list of a part for the seven days up to it. */

import { type Context, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiRequest, type Ask, requestOf } from '../client.ts';
import { inTurns } from '../lists.ts';
import { Trend, useSeen } from '../parts/trend.tsx';
import { useGathered } from '../queries.ts';
import { addDays, daysFrom } from '../view/days.ts';
import { percent } from '../view/format.ts';
import type { Range } from '../view/periods.ts';
import type { View } from '../view/view.ts';
import type { Filters } from './filters.ts';
import {
  type AdRow,
  keyOf,
  type ListRow,
  operations,
  type Part,
  ratiosOf,
  sumsOf,
} from './parts.ts';
import { inputOf } from './rows.ts';
import type { Scope } from './scope.ts';

/**
 * Days that a point is about: on a single day, few campaigns sell, and then spend without sales
 * would be missing in the line.
 */
export const trendDays = 7;
/** Days of the longest period that has a point for each day; in a longer one each week has one. */
const byDayMax = 31;
/** The most pages that are read for each point, those with the most spend. */
const pagesMax = 2;
const pageSize = 100;
/** Questions at a time, so that they hold up no other. */
const atOnce = 2;

/** The days of each point. */
function rangesOf({ first, last }: Range): readonly Range[] {
  const days = daysFrom(first, last);
  const step = days <= byDayMax ? 1 : trendDays;
  return Array.from({ length: Math.ceil(days / step) }, (_, place) => {
    const end = addDays(last, -place * step);
    return { first: addDays(end, 1 - trendDays), last: end };
  }).reverse();
}

/** A point of all rows. */
type Point = {
  readonly range: Range;
  /** By the keys of rows; undefined where there was spend without ad sales, or no spend. */
  readonly acos: ReadonlyMap<string, number | undefined>;
  /** Whether rows that are missing had no spend. */
  readonly isWhole: boolean;
};

/** The lines of the rows of a table. */
export type Trends = {
  /** Undefined until they are there. */
  readonly points: readonly Point[] | undefined;
  readonly isLoading: boolean;
  /** The request of the first point. */
  readonly request: ApiRequest | undefined;
  /** A cell calls it once it is seen. */
  readonly want: () => void;
};
const Shown: Context<Trends | undefined> = createContext<Trends | undefined>(undefined);

/** Provides the lines to the cells of a table. */
export const TrendsProvider = Shown.Provider;

/** Reads the lines once a cell wants them and the table is there. */
export function useTrends(
  view: View,
  scope: Scope,
  part: Part,
  filters: Filters,
  isReady: boolean,
): Trends {
  const [isWanted, setWanted] = useState(false);
  const name = operations[part] as 'listKeywords';
  const ranges = rangesOf(view.range);
  const inputs = ranges.flatMap((range) => inputOf(view, scope, part, filters, range) ?? []);
  const isNeeded = isWanted && isReady && inputs.length > 0;
  const key = isNeeded ? `trends of ${name} ${JSON.stringify(inputs)}` : undefined;
  const { value, isLoading } = useGathered(key, async (ask) => ({
    points: await inTurns(inputs.length, atOnce, async (place) => ({
      range: ranges[place]!,
      ...(await readPoint(ask, name, inputs[place]!)),
    })),
  }));
  const points = value?.points;
  const request = inputs[0] && requestOf(name, { ...inputs[0], pageIndex: 0, pageSize });
  return useMemo(
    () => ({ points, isLoading, request, want: () => setWanted(true) }),
    [points, isLoading, key],
  );
}

async function readPoint(
  ask: Ask,
  name: 'listKeywords',
  input: NonNullable<ReturnType<typeof inputOf>>,
): Promise<Omit<Point, 'range'>> {
  const rows: ListRow[] = [];
  let isWhole = false;
  for (let pageIndex = 0; pageIndex < pagesMax && !isWhole; pageIndex += 1) {
    const { data, pagination } = await ask(name, { ...input, pageIndex, pageSize });
    rows.push(...data);
    // Rows without spend come last.
    isWhole = rows.length >= pagination.count || data.at(-1)?.cost === 0;
  }
  const acosOf = (row: ListRow) => (row.cost > 0 ? ratiosOf(sumsOf(row)).acos : undefined);
  return { isWhole, acos: new Map(rows.map((row) => [keyOf(row), acosOf(row)])) };
}

/** The ACOS of a row, point by point; undefined where some of it was not read. */
export function acosOver(points: readonly Point[], { key }: Pick<AdRow, 'key'>) {
  if (points.some(({ acos, isWhole }) => !isWhole && !acos.has(key))) return undefined;
  return points.map(({ acos }) => acos.get(key));
}

/** The line of a row. */
export function AcosTrend({ row }: { readonly row: AdRow }) {
  const { points, isLoading, want } = useContext(Shown)!;
  const [element, isSeen] = useSeen();
  useEffect(() => {
    if (isSeen) want();
  }, [isSeen, want]);
  return (
    <span class="trend" ref={element} aria-busy={isLoading}>
      {points && !isLoading && <Trend values={acosOver(points, row)} write={percent} />}
    </span>
  );
}

/** The heads of the lines in a sheet, and the cells of a row. */
export const trendSheet = (points: readonly Point[] = []) => ({
  names: points.map(({ range: { first, last } }) => `ACOS ${first} to ${last}`),
  cells: (row: AdRow) => acosOver(points, row) ?? points.map(() => undefined),
});
