/** The common parts of the lists of campaigns, ad groups, keywords and products. */

import { type Part, partFile, type Question, questionFile } from '../../engine/question.ts';
import type { CachedAsk } from '../../engine/segments/router.ts';
import type { Parameters, Row } from '../../engine/warehouse.ts';
import { columnsOf, type Metrics, metricNumbers } from '../../figures/metrics.ts';
import {
  metricSorts,
  roundedAmount,
  summedAndConverted,
  summedColumns,
  sumsOrZero,
  zeroColumns,
} from '../../figures/sql.ts';
import type { FigureRows } from '../../report/itemDays.ts';
import {
  askPage,
  type Matching,
  type SortColumn,
  type SortedQuestion,
  sortedQuestionFile,
} from '../../report/page.ts';
import { readListConversion, shownSetting } from './conversion.ts';
import { type CurrencyQuestions, currenciesOf } from './currencies.ts';
import { type MemoryQuestions, memoryQuestions, pageFromMemory } from './pageFromMemory.ts';
import { channelIdOf, type ListInput, type Scope } from './scope.ts';

/** A list: its figures, its texts and its metrics. */
type ListDefinition<Text extends string, M extends Metrics> = {
  /** The figures, those of them that count, and the column by which they are grouped. */
  readonly table: FigureRows;
  readonly figures?: Part;
  readonly id: Text;
  /** Whether the figures themselves have the type of advertising. */
  readonly hasAdType?: true;
  /** The table of known rows, and the further columns in which figures name unknown ones. */
  readonly named?: { readonly known: string; readonly columns: readonly Text[] };
  /** The file with the listed rows. */
  readonly listed: string;
  /** The columns of texts, by their names in the answer. */
  readonly texts: readonly Text[];
  /** The column with an amount in the channel's own currency, such as a budget. */
  readonly setting?: string;
  /** The table with the setting. */
  readonly settingTable?: string;
  readonly metrics: M;
  /** Whether it lists only items with figures, with no texts but their identifiers. */
  readonly hasFiguresOnly?: true;
};

/** A list and its questions. */
export type List<Text extends string, M extends Metrics> = ListDefinition<Text, M> & {
  readonly currencies: CurrencyQuestions;
  readonly sorted: SortedQuestion<ListRow<Text> & Matching>;
  readonly inMemory: MemoryQuestions<ListRow<Text> & Row>;
  /** The types of advertising of rows that only figures name, if the list shows types. */
  readonly adTypes?: Question<AdType>;
};

/** The type of advertising of one row. */
type AdType = { readonly channel: number; readonly id: string; readonly ad_type: string };

/** A row of a list. It also has sums and, if the list has one, a setting. */
export type ListRow<Text extends string> = { readonly [T in Text]: string } & {
  readonly channel: number;
};

/** The position of a row's channel among the channels of the list; it decides the last ties. */
const channelOrder = 'index_of({channels:Array(Int32)}, channel)';

/** Makes a list from its definition. */
export function listOf<const Text extends string, M extends Metrics>(
  definition: ListDefinition<Text, M>,
): List<Text, M> {
  const { table, id, hasAdType, named, listed, texts, setting, metrics, hasFiguresOnly } =
    definition;
  const sorts: Record<string, SortColumn> = {
    channel_id: { kind: 'number', sql: channelOrder },
    ...Object.fromEntries(texts.map((name) => [name, { kind: 'text', sql: name }])),
    ...(setting && { [setting]: settingSort(setting) }),
    ...metricSorts(metrics),
  };
  const columns = columnsOf(metrics);
  const adType = hasAdType ? ['max(ad_type) AS ad_type'] : [];
  const places = {
    table,
    figures: definition.figures ?? partFile(import.meta.url, 'inRange.sql'),
    id,
    ...(named && {
      known: named.known,
      names: named.columns.map((name) => `max(${name}) AS ${name}`),
    }),
    sums: [...adType, ...summedAndConverted(columns)],
    sumsOrZero: sumsOrZero(columns, 'sums'),
    listed: partFile(import.meta.url, listed),
  };
  const ties = [id, channelOrder];
  const shown = [
    'channel',
    // The largest of many texts is expensive to find, so only the rows of the page need it.
    ...texts.map((name) => (name === 'ad_type' ? `known_${name}` : name)),
    ...(setting === undefined ? [] : [setting]),
  ];
  const known = hasFiguresOnly
    ? undefined
    : questionFile<ListRow<Text> & Row>(import.meta.url, 'known.sql', {
        ...places,
        sums: [...adType, ...zeroColumns(columns)],
        columns: shown,
        order: ties,
      });
  const inMemory = memoryQuestions(places, columns, known);
  return {
    ...definition,
    sorted: sortedQuestionFile(import.meta.url, 'list.sql', sorts, ties, {
      ...places,
      columns: [...shown, ...summedColumns(columns)],
    }),
    inMemory,
    currencies: currenciesOf(inMemory.items, definition.settingTable),
    ...(hasAdType && {
      adTypes: questionFile<AdType>(import.meta.url, 'adTypes.sql', places),
    }),
  };
}

/** A setting is converted at the rate of its channel's last day. */
function settingSort(setting: string): SortColumn {
  const factor = `{settingFactors:Array(Float64)}[${channelOrder}]`;
  return { kind: 'number', sql: roundedAmount(`(CAST(${setting} AS DOUBLE) * ${factor})`) };
}

/** Makes the fields that a list adds to its texts and metrics. */
type Describe<Text extends string, Extra> = (
  rows: readonly ListRow<Text>[],
  settingOf: (row: ListRow<Text>) => number,
) => ((row: ListRow<Text>) => Extra) | Promise<(row: ListRow<Text>) => Extra>;

/**
 * Reads the requested page. `filters` are the parameters that restrict the rows of the list;
 * `describe` adds fields to the rows of the answer.
 */
export async function answerPage<Text extends string, M extends Metrics, Extra extends object>(
  ask: CachedAsk,
  scope: Scope,
  list: List<Text, M>,
  input: ListInput,
  filters: Parameters,
  describe: Describe<Text, Extra>,
) {
  const { sorted, texts, setting, metrics } = list;
  const { currency, sortKey, sortOrder, pageIndex, pageSize } = input;
  const conversion = await readListConversion(ask, scope, currency, list);
  const page =
    (await pageFromMemory(ask, scope, list, input, filters, conversion)) ??
    (await askPage(
      ask,
      sorted(sortKey, sortOrder),
      { ...conversion.parameters, ...filters },
      input,
    ));
  const rows = await withAdTypes(ask, list, page.rows, conversion.parameters);
  const extraOf = await describe(rows, (row) => shownSetting(conversion, row, setting!));
  return {
    data: rows.map((row) => ({
      channel_id: channelIdOf(scope, row.channel),
      ...textsOf(texts, row),
      ...extraOf(row),
      ...metricNumbers(metrics, row as never, conversion.places),
    })),
    pagination: { pageIndex, pageSize, count: page.count },
    meta: { currency },
  };
}

/**
 * The rows of a page with their types of advertising: the known types, else those of the figures.
 */
async function withAdTypes<Text extends string, M extends Metrics>(
  ask: CachedAsk,
  { adTypes, id }: List<Text, M>,
  rows: readonly ListRow<Text>[],
  parameters: Parameters,
): Promise<readonly ListRow<Text>[]> {
  if (adTypes === undefined) return rows;
  const knownOf = (row: ListRow<Text>) => (row as Row).known_ad_type;
  const ids = rows.filter((row) => knownOf(row) === null).map((row) => row[id]);
  const found = ids.length === 0 ? [] : await ask(adTypes, { ...parameters, ids });
  const keyOf = (channel: number, name: string) => `${channel} ${name}`;
  const ofFigures = new Map(found.map((row) => [keyOf(row.channel, row.id), row.ad_type]));
  return rows.map((row) => ({
    ...row,
    ad_type: knownOf(row) ?? ofFigures.get(keyOf(row.channel, row[id])),
  }));
}

function textsOf<Text extends string>(
  texts: readonly Text[],
  row: { readonly [T in Text]: string },
): Record<Text, string> {
  return Object.fromEntries(texts.map((name) => [name, row[name]])) as Record<Text, string>;
}
