/**
 * Pages of lists from memory, which caches figures by day and the known campaigns, ad groups and
 * keywords. If there are too many figures to cache, one question adds them up. Lists that are too
 * long even for that, or sorted by a text, need a question for the page.
 */
import { type Places, type Question, questionFile, uncached } from '../../engine/question.ts';
import type { CachedAsk } from '../../engine/segments/router.ts';
import type { Parameters, Row } from '../../engine/warehouse.ts';
import type { Column } from '../../figures/columns.ts';
import { columnsOf, type Metric, type Metrics, metricNumbers } from '../../figures/metrics.ts';
import { summedAndConverted } from '../../figures/sql.ts';
import {
  type FigureRows,
  type ItemFigures,
  itemFigures,
  readItemSums,
} from '../../report/itemDays.ts';
import type { ItemSums, SummedItems } from '../../report/itemTables.ts';
import type { Page } from '../../report/page.ts';
import { type ListConversion, shownSetting } from './conversion.ts';
import { channelDays, enclosingDays } from './currencies.ts';
import type { ListInput, Scope } from './scope.ts';

/** The most known rows that are sorted here, and the most items that a question adds up. */
const rowsMax = 5_000;

type ItemRow = Row & { readonly channel: number; readonly id: string };
type ListedRow = Row & { readonly channel: number };

/** The questions of a list whose answers are cached. */
export type MemoryQuestions<R extends ListedRow = ListedRow> = {
  readonly items: ItemFigures;
  /** The sums of the items in the ranges of their channels. */
  readonly sums: Question<ItemRow>;
  /** The known rows; undefined if the list only has rows with figures. */
  readonly known: Question<R> | undefined;
};

/** The parts of a list that its pages from memory depend on. */
type ListInMemory<R extends ListedRow = ListedRow> = {
  readonly id: string;
  /** Whether the figures name more than the identifier of rows that are not known. */
  readonly named?: object;
  readonly texts: readonly string[];
  readonly setting?: string;
  readonly metrics: Metrics;
  readonly inMemory: MemoryQuestions<R>;
};

/** Makes the questions from their places, the columns of figures and the known rows. */
export function memoryQuestions<R extends ListedRow>(
  places: Places & { readonly table: FigureRows; readonly id: string },
  columns: readonly Column[],
  known: Question<R> | undefined,
): MemoryQuestions<R> {
  return {
    items: itemFigures(places.table, places.id, columns),
    sums: uncached(
      questionFile<ItemRow>(import.meta.url, 'itemSums.sql', {
        ...places,
        sums: summedAndConverted(columns),
      }),
    ),
    known,
  };
}

/** A range without days, in which the known rows are those of the list. */
const noDays = {
  first: 1,
  last: 0,
  innerFirst: 1,
  innerLast: 0,
  ownRanges: [],
  firsts: [1],
  lasts: [0],
};

/** The sums of an item, added up in memory or by a question. */
type SumsOfItem = ItemSums | ItemRow;
/** The sums of each channel with figures, by identifier of the item. */
type Sums = ReadonlyMap<number, SummedItems | ReadonlyMap<string, ItemRow>>;

/** The page that a request asks for; undefined if it cannot be made from memory. */
export async function pageFromMemory<R extends ListedRow>(
  ask: CachedAsk,
  scope: Scope,
  list: ListInMemory<R>,
  { sortKey, sortOrder, pageIndex, pageSize }: ListInput,
  filters: Parameters,
  conversion: ListConversion,
): Promise<Page<R> | undefined> {
  if (list.texts.includes(sortKey)) return undefined;
  const known = await readKnown(ask, scope, list, unfiltered(filters));
  if (known === undefined) return undefined;
  // Only a question finds the names that figures have for rows that are not known.
  if (list.named && known.length === 0) return undefined;
  const items = readItemSums(ask, list.inMemory.items, channelDays(scope), conversion.factorOf);
  const sums =
    (await items) ?? (known.length > 0 ? await sumsFromQuestion(ask, list, conversion) : undefined);
  if (sums === undefined) return undefined;
  const rows = await readRows(ask, scope, list, filters, { known, sums });
  if (rows === undefined) return undefined;
  const sumsOf = (row: ListedRow) => sums.get(row.channel)?.get(row[list.id] as string);
  const numberOf = numberBy(sortKey, scope, list, conversion, sumsOf);
  const sign = sortOrder === 'asc' ? 1 : -1;
  // Sorting is stable: rows with equal numbers stay in the order of ties.
  const sorted = rows
    .map((row) => ({ row, number: numberOf(row) }))
    .sort((one, other) => sign * (one.number - other.number));
  const columns = columnsOf(list.metrics);
  return {
    rows: sorted
      .slice(pageIndex * pageSize, (pageIndex + 1) * pageSize)
      .map(({ row }) => ({ ...row, ...valuesOf(columns, columns, sumsOf(row)) })),
    count: rows.length,
  };
}

/** Reads the sums of the items by a question; undefined if there are too many. */
async function sumsFromQuestion(
  ask: CachedAsk,
  { inMemory }: Pick<ListInMemory, 'inMemory'>,
  { parameters }: ListConversion,
): Promise<Sums | undefined> {
  const limit = rowsMax + 1;
  const rows = await ask(inMemory.sums, { ...parameters, limit });
  if (rows.length === limit) return undefined;
  const channels = parameters.channels as readonly number[];
  const sums = new Map(channels.map((channel) => [channel, new Map<string, ItemRow>()]));
  for (const row of rows) sums.get(row.channel)!.set(row.id, row);
  return sums;
}

function unfiltered(filters: Parameters): Parameters {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, []]));
}

/** The known rows that match the filters, in the order of ties; undefined if there are too many. */
async function readKnown<R extends ListedRow>(
  ask: CachedAsk,
  scope: Scope,
  { inMemory: { known } }: Pick<ListInMemory<R>, 'inMemory'>,
  filters: Parameters,
): Promise<readonly R[] | undefined> {
  if (known === undefined) return [];
  const { channels } = enclosingDays(scope);
  const limit = rowsMax + 1;
  const rows = await ask(known, { channels, ...noDays, ...filters, limit });
  return rows.length === limit ? undefined : rows;
}

/** The rows of all pages, in the order of ties; undefined if a question has to find them. */
async function readRows<R extends ListedRow>(
  ask: CachedAsk,
  scope: Scope,
  list: ListInMemory<R>,
  filters: Parameters,
  { known, sums }: { readonly known: readonly R[]; readonly sums: Sums },
): Promise<readonly R[] | undefined> {
  const { id, named } = list;
  const { channels } = enclosingDays(scope);
  const keys = new Set(known.map((row) => `${row.channel} ${row[id]}`));
  const unknown = channels.flatMap((channel) =>
    [...sums.get(channel)!.keys()]
      .filter((item) => !keys.has(`${channel} ${item}`))
      .map((item) => rowOfFigures(list, channel, item)),
  );
  if (unknown.length === 0) return readKnown(ask, scope, list, filters);
  const isFiltered = Object.values(filters).some((one) => (one as readonly string[]).length > 0);
  return isFiltered || named ? undefined : inOrder([...known, ...unknown], id, channels);
}

/** The row of an item that has figures only, and so no texts. */
function rowOfFigures<R extends ListedRow>(
  list: ListInMemory<R>,
  channel: number,
  item: string,
): R {
  const { id, texts, setting } = list;
  const none = texts.map((name) => (name === 'ad_type' ? ['known_ad_type', null] : [name, '']));
  const row = { ...Object.fromEntries(none), channel, [id]: item };
  return (setting === undefined ? row : { ...row, [setting]: 0n }) as R;
}

/** Compares rows by the bytes of their identifiers, and then by the order of their channels. */
function inOrder<R extends ListedRow>(
  rows: readonly R[],
  name: string,
  channels: readonly number[],
): R[] {
  return rows
    .map((row) => ({ row, bytes: Buffer.from(row[name] as string) }))
    .sort(
      (one, other) =>
        Buffer.compare(one.bytes, other.bytes) ||
        channels.indexOf(one.row.channel) - channels.indexOf(other.row.channel),
    )
    .map(({ row }) => row);
}

/** The number by which a row is sorted: the one that the list shows. */
function numberBy(
  sortKey: string,
  { channels }: Scope,
  { setting, metrics }: ListInMemory,
  conversion: ListConversion,
  sumsOf: (row: ListedRow) => SumsOfItem | undefined,
): (row: ListedRow) => number {
  if (sortKey === 'channel_id') {
    const places = new Map(channels.map(({ channelNumber }, place) => [channelNumber, place]));
    return ({ channel }) => places.get(channel)!;
  }
  if (sortKey === setting) return (row) => shownSetting(conversion, row, setting);
  const metric: Metric = metrics[sortKey]!;
  const columns = columnsOf(metrics);
  const needed = columnsOf({ metric });
  const of = (sums: SumsOfItem | undefined) =>
    metricNumbers({ metric }, valuesOf(columns, needed, sums), conversion.places).metric;
  const none = of(undefined);
  return (row) => {
    const sums = sumsOf(row);
    return sums === undefined ? none : of(sums);
  };
}

/** The values of those columns that are needed, as in the list's question. */
function valuesOf(
  columns: readonly Column[],
  needed: readonly Column[],
  sums: SumsOfItem | undefined,
): Readonly<Record<string, number | bigint>> {
  if (sums !== undefined && 'id' in sums) return sums as Row as Record<string, number | bigint>;
  const values: Record<string, number | bigint> = {};
  for (const [place, column] of columns.entries()) {
    if (!needed.includes(column)) continue;
    const { name, type } = column;
    const exact = sums?.exact[place] ?? 0;
    values[name] = type === 'count' ? exact : BigInt(exact);
    if (type === 'amount') values[`${name}_converted`] = sums?.converted[place] ?? 0;
  }
  return values;
}
