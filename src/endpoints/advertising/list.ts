/** The common parts of the lists of campaigns, ad groups, keywords and products. */

import { bodyFile, type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters, Row } from '../../engine/warehouse.ts';
import { columnsOf, type Metrics, metricNumbers } from '../../figures/metrics.ts';
import {
  metricSorts,
  roundedAmount,
  summedAndConverted,
  summedColumns,
  sumsOrZero,
  zeroColumns,
} from '../../figures/sql.ts';
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
  /** The table of facts, and the SQL of the column that groups it. */
  readonly figures: string;
  readonly id: { readonly name: Text; readonly sql: string };
  /** Whether the figures themselves have the type of advertising. */
  readonly hasAdType?: true;
  /** The table of known rows, and the further columns in which figures name unknown ones. */
  readonly named?: { readonly known: string; readonly columns: readonly Text[] };
  /** The condition on figures, if any. */
  readonly filter?: string;
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

/**
 * The condition on the figures of the range. Channels in `ownRanges` have their own first and last
 * day; the days from `innerFirst` to `innerLast` count for all channels.
 */
const inRange = `one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
  AND (
    NOT one_of(channel, {ownRanges:Array(Int32)})
    OR (day >= {innerFirst:Date} AND day <= {innerLast:Date})
    OR (
      day >= {firsts:Array(Date)}[${channelOrder}]
      AND day <= {lasts:Array(Date)}[${channelOrder}]
    )
  )`;

/** Makes a list from its definition. */
export function listOf<const Text extends string, M extends Metrics>(
  definition: ListDefinition<Text, M>,
): List<Text, M> {
  const { figures, id, hasAdType, named, filter = 'TRUE', listed, texts, setting } = definition;
  const { metrics, hasFiguresOnly } = definition;
  const sorts: Record<string, SortColumn> = {
    channel_id: { kind: 'number', sql: channelOrder },
    ...Object.fromEntries(texts.map((name) => [name, { kind: 'text', sql: name }])),
    ...(setting && { [setting]: settingSort(setting) }),
    ...metricSorts(metrics),
  };
  const columns = columnsOf(metrics);
  const places = {
    figures,
    id: id.sql,
    attributes: [
      id.sql === id.name ? id.name : `${id.sql} AS ${id.name}`,
      ...(hasAdType ? ['max(ad_type) AS ad_type'] : []),
    ].join(', '),
    ...(named && {
      named: bodyFile(import.meta.url, 'named.sql'),
      known: named.known,
      names: named.columns.map((name) => `max(${name}) AS ${name}`).join(', '),
    }),
    filter,
    sumsOfItems: bodyFile(import.meta.url, 'sums.sql'),
    sums: summedAndConverted(columns),
    sumsOrZero: sumsOrZero(columns, 'sums'),
    listed: bodyFile(import.meta.url, listed),
    inRange,
  };
  const ties = [id.name, channelOrder];
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
        inRange: 'FALSE',
        sums: zeroColumns(columns),
        texts: shown.join(', '),
        ties: ties.join(', '),
      });
  const inMemory = memoryQuestions(places, columns, known);
  return {
    ...definition,
    sorted: sortedQuestionFile(import.meta.url, 'list.sql', sorts, ties, {
      ...places,
      shown: [...shown, ...summedColumns(columns)].join(', '),
    }),
    inMemory,
    currencies: currenciesOf(figures, inMemory.packed, definition.settingTable),
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
  ask: Ask,
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
  ask: Ask,
  { adTypes, id }: List<Text, M>,
  rows: readonly ListRow<Text>[],
  parameters: Parameters,
): Promise<readonly ListRow<Text>[]> {
  if (adTypes === undefined) return rows;
  const knownOf = (row: ListRow<Text>) => (row as Row).known_ad_type;
  const ids = rows.filter((row) => knownOf(row) === null).map((row) => row[id.name]);
  const found = ids.length === 0 ? [] : await ask(adTypes, { ...parameters, ids });
  const keyOf = (channel: number, name: string) => `${channel} ${name}`;
  const ofFigures = new Map(found.map((row) => [keyOf(row.channel, row.id), row.ad_type]));
  return rows.map((row) => ({
    ...row,
    ad_type: knownOf(row) ?? ofFigures.get(keyOf(row.channel, row[id.name])),
  }));
}

function textsOf<Text extends string>(
  texts: readonly Text[],
  row: { readonly [T in Text]: string },
): Record<Text, string> {
  return Object.fromEntries(texts.map((name) => [name, row[name]])) as Record<Text, string>;
}
