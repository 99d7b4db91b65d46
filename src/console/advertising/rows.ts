/** The rows of a part in both periods. */

import { useMemo } from 'preact/hooks';
import { ask } from '../client.ts';
import { askPages, inTurns, type Listed } from '../lists.ts';
import { type RequestQuery, useGathered, usePages } from '../queries.ts';
import type { View } from '../view/view.ts';
import type { Filters } from './filters.ts';
import {
  type AdRow,
  keyOf,
  type ListInput,
  type ListRow,
  operations,
  type Part,
  parts,
  rowOf,
  sumsOf,
} from './parts.ts';
import { listSeconds, type Scope } from './scope.ts';

/** The most rows that are read, those with the most spend first. */
export const rowsMax = 1000;

/** The rows that were read, and how many there are. */
export type AdRows = { readonly rows: readonly AdRow[]; readonly count: number };

/** Reads the rows of a part, with those of the comparison. */
export function useRows(
  view: View,
  scope: Scope,
  part: Part,
  filters: Filters,
): Omit<RequestQuery<AdRows>, 'warning' | 'lookAgain'> & {
  /** Reads every row, including those beyond `rowsMax`. */
  readonly all: () => Promise<readonly AdRow[]>;
} {
  const { range, prior, comparison } = view;
  const input = inputOf(view, scope, part, filters, range);
  const before = comparison === 'none' ? undefined : inputOf(view, scope, part, filters, prior);
  const name = operations[part] as 'listKeywords';
  const own = usePages(name, input, rowsMax);
  const earlier = usePages(name, before, rowsMax);
  const isWhole = before === undefined || earlier.value !== undefined;
  const listed = own.value as Listed<ListRow> | undefined;
  const priorRows = earlier.value?.rows as readonly ListRow[] | undefined;
  const value = useMemo(() => {
    if (listed === undefined || !isWhole) return undefined;
    return { rows: joined(listed.rows, priorRows), count: listed.count };
  }, [listed, priorRows, isWhole]);
  const all = async () => {
    if (input === undefined) return [];
    const read = async (one: typeof input) =>
      (await askPages(ask, name, one)).rows as readonly ListRow[];
    return joined(await read(input), before && (await read(before)));
  };
  return {
    value,
    all,
    problem: own.problem ?? earlier.problem,
    isLoading: own.isLoading || earlier.isLoading,
    retry: () => {
      own.retry();
      earlier.retry();
    },
    request: own.request,
  };
}

/** Questions for counts at a time, so that they hold up no other. */
const countsAtOnce = 2;

/** The number of rows of each part; parts that are not shown wait for the one that is. */
export function useCounts(
  view: View,
  scope: Scope,
  part: Part,
  filters: Filters,
  shown: AdRows | undefined,
): Readonly<Partial<Record<Part, number>>> | undefined {
  const others = parts.flatMap(({ id }) => (id === part ? [] : [id]));
  const inputs = others.flatMap((id) => inputOf(view, scope, id, filters, view.range) ?? []);
  const key =
    shown === undefined || inputs.length === 0
      ? undefined
      : `counts beside ${part} ${JSON.stringify(inputs)}`;
  const { value } = useGathered(key, async (ask) => {
    const counts = await inTurns(inputs.length, countsAtOnce, async (place) => {
      const name = operations[others[place]!] as 'listKeywords';
      const { pagination } = await ask(name, { ...inputs[place]!, pageIndex: 0, pageSize: 1 });
      return [others[place]!, pagination.count] as const;
    });
    return Object.fromEntries(counts);
  });
  return shown && { ...value, [part]: shown.count };
}

function joined(rows: readonly ListRow[], priorRows: readonly ListRow[] | undefined): AdRow[] {
  const priors = priorRows && new Map(priorRows.map((row) => [keyOf(row), sumsOf(row)]));
  return rows.map((row) => rowOf(row, priors));
}

/** The input of a list; undefined while the stores are unknown or the period is too long. */
export function inputOf(
  view: View,
  { stores, isTooLong }: Scope,
  part: Part,
  { campaigns, adGroups }: Filters,
  { first, last }: View['range'],
): (ListInput & { sortKey: 'cost' }) | undefined {
  if (stores === undefined || stores.length === 0 || isTooLong) return undefined;
  const takesCampaigns = part === 'ad-groups' || part === 'keywords';
  return {
    channelId: stores.map(({ channelId }) => channelId),
    fromDate: listSeconds(first),
    toDate: listSeconds(last),
    currency: view.currency,
    sortKey: 'cost',
    ...(takesCampaigns && campaigns.length > 0 && { campaignId: [...campaigns] }),
    ...(part === 'keywords' && adGroups.length > 0 && { adGroupId: [...adGroups] }),
  };
}
