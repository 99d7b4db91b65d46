/** The parts that the lists of campaigns, ad groups, keywords and products share. */
import { bodyFile, type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters, Row } from '../../engine/warehouse.ts';
import {
  type Column,
  columnsOf,
  type Metric,
  type Metrics,
  metricNumbers,
  metricSorts,
  roundedAmount,
  summedAndConverted,
  sumsOrZero,
  zeroSums,
} from '../../report/metrics.ts';
import {
  askPage,
  type Matching,
  type SortColumn,
  type SortedQuestion,
  sortedQuestionFile,
} from '../../report/page.ts';
import { readConversion, shownSetting } from './conversion.ts';
import { type CurrencyQuestion, currenciesOf } from './currencies.ts';
import { channelIdOf, type ListInput, type Scope } from './scope.ts';

/** A list: its figures, its texts and its metrics. */
type ListDefinition<Text extends string, M extends Metrics> = {
  /** The table of facts, and the SQL of the column by which it is grouped. */
  readonly figures: string;
  readonly id: { readonly name: Text; readonly sql: string };
  /** Other columns that the figures may name themselves. */
  readonly attributes: readonly Text[];
  /** The condition on figures, if any. */
  readonly filter?: string;
  /** The file with the listed rows. */
  readonly listed: string;
  /** The columns of texts, as the answer names them. */
  readonly texts: readonly Text[];
  /** The column with an amount in the channel's own currency, such as a budget. */
  readonly setting?: string;
  readonly metrics: M;
};

/** A list with its questions. */
export type List<Text extends string, M extends Metrics> = ListDefinition<Text, M> & {
  readonly currencies: CurrencyQuestion;
  readonly sorted: SortedQuestion<ListRow<Text> & Matching>;
  readonly figuresOf: Question<FiguresRow>;
};

/** The sums of one row. */
type FiguresRow = Row & {
  readonly channel: number;
  readonly id: string;
  /** Only lists that show it have it. */
  readonly ad_type?: string;
};

/** A row of a page without its figures. It also has the setting, where the list has one. */
export type ListRow<Text extends string> = { readonly [T in Text]: string } & {
  readonly channel: number;
};

/** The position of a row's channel among the channels of the list; it decides the last ties. */
const channelOrder = 'index_of({channels:Array(Int32)}, channel)';

/**
 * The condition on the figures of the range. Each channel has its own first and last day; the days
 * from `innerFirst` to `innerLast` belong to all of them.
 */
const inRange = `one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
  AND (
    (day >= {innerFirst:Date} AND day <= {innerLast:Date})
    OR (
      day >= {firsts:Array(Date)}[${channelOrder}]
      AND day <= {lasts:Array(Date)}[${channelOrder}]
    )
  )`;

/** Makes a list of its definition. */
export function listOf<const Text extends string, M extends Metrics>(
  definition: ListDefinition<Text, M>,
): List<Text, M> {
  const { figures, id, attributes, filter = 'TRUE', listed, texts, setting, metrics } = definition;
  const maxOf = (name: string) => `max(${name}) AS ${name}`;
  const places = {
    figures,
    id: id.sql,
    columns: [
      'channel',
      id.sql === id.name ? id.name : `${id.sql} AS ${id.name}`,
      ...attributes.map(maxOf),
    ],
    filter,
    listed: bodyFile(import.meta.url, listed),
    inRange,
    shown: [
      'channel',
      // The largest of many texts is dear, so figures are asked for it on the page alone.
      ...texts.map((name) => (name === 'ad_type' ? `known_${name}` : name)),
      ...(setting === undefined ? [] : [setting]),
    ],
  };
  const sums = [
    ...attributes.filter((name) => name === 'ad_type').map(maxOf),
    summedAndConverted(columnsOf(metrics)),
  ];
  return {
    ...definition,
    sorted: sortedQuestionFile(
      import.meta.url,
      'list.sql',
      sortsOf(definition),
      [id.name, channelOrder],
      places,
    ),
    figuresOf: questionFile(import.meta.url, 'figures.sql', { ...places, sums }),
    currencies: currenciesOf(figures),
  };
}

/** The columns that a list is sorted by, each with the sums that it needs. */
function sortsOf<Text extends string, M extends Metrics>({
  texts,
  setting,
  metrics,
}: ListDefinition<Text, M>): Record<string, SortColumn> {
  const needing = (sort: SortColumn, columns: readonly Column[]): SortColumn => {
    const isNone = columns.length === 0;
    const sums = isNone ? '' : `, ${summedAndConverted(columns)}`;
    const sortedSums = isNone ? '' : `, ${sumsOrZero(columns, 'sums')}`;
    return { ...sort, places: { sums, sortedSums } };
  };
  const byText = (sql: string) => needing({ kind: 'text', sql }, []);
  const byMetric = Object.entries<SortColumn>(metricSorts(metrics)).map(([name, sort]) => {
    const { part, whole } = metrics[name] as Metric;
    return [name, needing(sort, whole === undefined ? [part] : [part, whole])] as const;
  });
  return {
    channel_id: needing({ kind: 'number', sql: channelOrder }, []),
    ...Object.fromEntries(texts.map((name) => [name, byText(name)])),
    ...(setting && { [setting]: needing(settingSort(setting), []) }),
    ...Object.fromEntries(byMetric),
  };
}

/** A setting is converted at the rate of the last day of its channel. */
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
 * Reads the page that a request asks for. `filters` are the parameters by which the list restricts
 * its rows; `describe` adds to the rows of the answer.
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
  const conversion = await readConversion(ask, scope, currency, list);
  const { rows, count } = await askPage(
    ask,
    sorted(sortKey, sortOrder),
    { ...conversion.parameters, ...filters },
    input,
  );
  const figuresOf = await readFigures(ask, list, rows, conversion.parameters);
  const extraOf = await describe(rows, (row) => shownSetting(conversion, row, setting!));
  return {
    data: rows.map((row) => {
      const figures = figuresOf(row);
      return {
        channel_id: channelIdOf(scope, row.channel),
        ...textsOf(texts, row, figures),
        ...extraOf(row),
        ...metricNumbers(metrics, figures as never, conversion.places),
      };
    }),
    pagination: { pageIndex, pageSize, count },
    meta: { currency },
  };
}

/** Reads the figures of the rows of a page; they are zero for a row without any. */
async function readFigures<Text extends string, M extends Metrics>(
  ask: Ask,
  { figuresOf, id, metrics }: List<Text, M>,
  rows: readonly ListRow<Text>[],
  parameters: Parameters,
): Promise<(row: ListRow<Text>) => Row> {
  const ids = [...new Set(rows.map((row) => row[id.name]))];
  const found = ids.length === 0 ? [] : await ask(figuresOf, { ...parameters, ids });
  const keyOf = (channel: number, name: string) => `${channel} ${name}`;
  const byKey = new Map<string, Row>(found.map((row) => [keyOf(row.channel, row.id), row]));
  const columns = columnsOf(metrics);
  const converted = columns.map(({ name }) => [`${name}_converted`, 0] as const);
  const none: Row = { ...zeroSums(columns), ...Object.fromEntries(converted) };
  return (row) => byKey.get(keyOf(row.channel, row[id.name])) ?? none;
}

/** The texts of a row; what nobody has set is as the figures have it. */
function textsOf<Text extends string>(
  texts: readonly Text[],
  row: Row & { readonly [T in Text]: string },
  { ad_type }: Row,
): Record<Text, string> {
  const textOf = (name: Text) => (name === 'ad_type' ? (row.known_ad_type ?? ad_type) : row[name]);
  return Object.fromEntries(texts.map((name) => [name, textOf(name)])) as Record<Text, string>;
}
