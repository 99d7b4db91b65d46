/** The parts that the lists of campaigns, ad groups and products share. */

import { firstFailures } from '../../contract/check.ts';
import { bodyFile, type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters, Row } from '../../engine/warehouse.ts';
import {
  columnsOf,
  type Metrics,
  metricNumbers,
  metricSorts,
  type Places,
  roundedAmount,
  summedAndConverted,
  summedColumns,
  sumsOrZero,
} from '../../report/metrics.ts';
import { currencyPlaces, roundedSum, unitsOf } from '../../report/money.ts';
import {
  askPage,
  type Matching,
  type SortColumn,
  type SortedQuestion,
  sortedQuestionFile,
} from '../../report/page.ts';
import {
  conversionParameters,
  currenciesWithoutRates,
  missingRates,
  readKnownFactors,
  refuseMissing,
} from '../../report/rates.ts';
import type { Context, RecordRule } from '../handler.ts';
import { rangeFailure } from './contract.ts';
import {
  channelsOf,
  type ListInput,
  listCurrencyRule,
  rangeOf,
  type Scope,
  scopeOf,
} from './scope.ts';

/** One text for every failing channel, so that nobody learns which channels exist. */
const channelsText = 'channelId must name connected stores with advertising';

/** The rules that need records, or the time of the request, and are equal for the three lists. */
const sharedRules: readonly RecordRule<ListInput, Context>[] = [
  {
    at: 'channelId',
    reads: ['channelId[]'],
    async check(input, context) {
      const found = await channelsOf(input, context);
      return found.length < new Set(input.channelId).size ? channelsText : undefined;
    },
  },
  {
    at: 'toDate',
    reads: ['fromDate'],
    check(input, context) {
      const { from, to } = rangeOf(input, context);
      return rangeFailure(from, to);
    },
  },
  listCurrencyRule,
  {
    at: 'currency',
    reads: ['channelId[]'],
    async check(input, context) {
      const { currency } = input;
      const own = (await channelsOf(input, context)).filter((one) => one.currency !== currency);
      const unrated = await currenciesWithoutRates(
        context.warehouse,
        new Set(own.map((channel) => channel.currency)),
        context.limits,
      );
      const channelOf = (code: string) => own.find((one) => one.currency === code)!.channelId;
      return firstFailures(missingRates([...unrated], currency, { channelOf }), 'channelId');
    },
  },
];

/** The rules of a list that need records or facts, or the time of the request. */
export function listRules({
  occurring,
}: {
  readonly occurring: Question<Occurring>;
}): readonly RecordRule<ListInput, Context>[] {
  return [...sharedRules, figuresRule(occurring)];
}

/** The rule that the currencies of the figures have rates, those of the channels aside. */
function figuresRule(occurrences: Question<Occurring>): RecordRule<ListInput, Context> {
  return {
    at: 'currency',
    reads: ['channelId[]', 'fromDate', 'toDate'],
    isHandled: true,
    async check(input, context) {
      const { currency: target } = input;
      const { from, to } = rangeOf(input, context);
      const scope = await scopeOf(input, context);
      if (scope.channels.length === 0 || rangeFailure(from, to) !== undefined) return undefined;
      const { warehouse, limits } = context;
      const found = await warehouse.ask(occurrences, occurringIn(scope), limits);
      const foreign = found.filter(({ currency }) => currency !== target);
      if (foreign.length === 0) return undefined;
      const occurring = new Set([target, ...foreign.map(({ currency }) => currency)]);
      const unrated = await currenciesWithoutRates(warehouse, occurring, limits);
      // Other rules are about a target that no channel has, and about the channels' own currencies.
      const own = new Set(scope.channels.map(({ currency }) => currency));
      const missing = [...unrated].filter((one) => own.has(one) === (one === target));
      const channelOf = (one: string) =>
        channelIdOf(scope, found.find(({ currency }) => currency === one)!.channel);
      return firstFailures(
        missingRates(missing, target, { field: 'currency', channelOf }),
        'currency',
      );
    },
  };
}

/** The parameters of the question for the currencies of a scope. */
function occurringIn({ channels, firsts, lasts }: Scope) {
  return {
    channels: channels.map((channel) => channel.channelNumber),
    first: Math.min(...firsts),
    last: Math.max(...lasts),
  };
}

/** A currency that figures of a channel have. */
type Occurring = { readonly channel: number; readonly currency: string };

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
export type List<Text extends string, M extends Metrics> = ListDefinition<Text, M> &
  Currencies & {
    readonly sorted: SortedQuestion<ListRow<Text> & Matching>;
    /** The types of advertising of rows that only figures name, where the list shows them. */
    readonly adTypes?: Question<AdType>;
  };

/** The type of advertising of one row. */
type AdType = { readonly channel: number; readonly id: string; readonly ad_type: string };

/** The questions for the currencies of a list's figures. */
type Currencies = {
  readonly currencies: Question<{ readonly currency: string }>;
  /** The currencies of each channel: costs more, and only a refusal needs them. */
  readonly occurring: Question<Occurring>;
};

/** A row of a list. It also has sums and, where the list has one, its setting. */
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
      ...attributes.map((name) => `max(${name}) AS ${name}`),
    ].join(', '),
    filter,
    sums: summedAndConverted(columns),
    sumsOrZero: sumsOrZero(columns, 'sums'),
    listed: bodyFile(import.meta.url, listed),
    inRange,
    shown: [
      'channel',
      // The largest of many texts is dear, so figures are asked for it on the page alone.
      ...texts.map((name) => (name === 'ad_type' ? `known_${name}` : name)),
      ...(setting === undefined ? [] : [setting]),
      ...summedColumns(columns),
    ].join(', '),
  };
  const currenciesBy = <Found extends Row>(columns: string) =>
    questionFile<Found>(import.meta.url, 'currencies.sql', { figures, columns });
  return {
    ...definition,
    sorted: sortedQuestionFile(import.meta.url, 'list.sql', sorts, [id.name, channelOrder], places),
    currencies: currenciesBy('currency'),
    occurring: currenciesBy('channel, currency'),
    ...(attributes.some((name) => name === 'ad_type') && {
      adTypes: questionFile<AdType>(import.meta.url, 'adTypes.sql', places),
    }),
  };
}

/** A setting is converted at the rate of the last day of its channel. */
function settingSort(setting: string): SortColumn {
  const factor = `{settingFactors:Array(Float64)}[${channelOrder}]`;
  return { kind: 'number', sql: roundedAmount(`(CAST(${setting} AS DOUBLE) * ${factor})`) };
}

/** How the amounts of a list come to the currency of the answer. */
type Conversion = {
  readonly parameters: Parameters;
  readonly places: Places;
  /** The factor of each channel's settings, by the channel's number. */
  readonly settingFactors: ReadonlyMap<number, number>;
};

/** Reads the rates that the figures of a list need, and its settings if it has one. */
async function readConversion(
  ask: Ask,
  scope: Scope,
  target: string,
  { currencies, occurring, setting }: Currencies & { readonly setting?: string | undefined },
): Promise<Conversion> {
  const { channels, firsts, lasts } = scope;
  const { channels: numbers, ...days } = occurringIn(scope);
  const found = await ask(currencies, { channels: numbers, ...days });
  const ofFigures = found.map((row) => row.currency);
  const ofSettings = setting === undefined ? [] : channels.map((channel) => channel.currency);
  const foreign = new Set([...ofFigures, ...ofSettings].filter((currency) => currency !== target));
  const { factor, missing } =
    foreign.size === 0
      ? { factor: () => 1, missing: [] }
      : await readKnownFactors(ask, foreign, target, days);
  if (missing.length > 0) {
    const places = await ask(occurring, { channels: numbers, ...days });
    const channelOf = (currency: string) =>
      channels.find((channel) => ofSettings.length > 0 && channel.currency === currency)
        ?.channelId ?? channelIdOf(scope, places.find((row) => row.currency === currency)!.channel);
    refuseMissing(missing, target, { field: 'currency', channelOf });
  }
  const settingFactors = ofSettings.map((currency, index) => factor(currency, lasts[index]!));
  const amount = currencyPlaces(target);
  const unitPrice = Math.max(2, amount);
  return {
    parameters: {
      channels: numbers,
      ...days,
      innerFirst: Math.max(...firsts),
      innerLast: Math.min(...lasts),
      firsts,
      lasts,
      ...conversionParameters(target, ofFigures, days, factor),
      settingFactors,
      amountScale: 10 ** amount,
      unitPriceScale: 10 ** unitPrice,
    },
    places: { amount, unitPrice },
    settingFactors: new Map(
      settingFactors.map((value, index) => [channels[index]!.channelNumber, value]),
    ),
  };
}

/** An amount in the channel's own currency as the answer shows it. */
function shownSetting(
  { settingFactors, places }: Conversion,
  row: ListRow<string>,
  setting: string,
): number {
  const factor = settingFactors.get(row.channel)!;
  const amount = (row as Row)[setting] as bigint;
  const sum =
    factor === 1
      ? { exact: amount, converted: 0 }
      : { exact: 0n, converted: unitsOf(amount) * factor };
  return roundedSum(sum, places.amount);
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
  const page = await askPage(
    ask,
    sorted(sortKey, sortOrder),
    { ...conversion.parameters, ...filters },
    input,
  );
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

/** The rows of a page with their types of advertising: the known ones, else those of figures. */
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
  const ofFigures = (row: ListRow<Text>) =>
    found.find((one) => one.channel === row.channel && one.id === row[id.name])?.ad_type;
  return rows.map((row) => ({ ...row, ad_type: knownOf(row) ?? ofFigures(row) }));
}

function channelIdOf({ channels }: Scope, channelNumber: number): string {
  return channels.find((channel) => channel.channelNumber === channelNumber)!.channelId;
}

function textsOf<Text extends string>(
  texts: readonly Text[],
  row: { readonly [T in Text]: string },
): Record<Text, string> {
  return Object.fromEntries(texts.map((name) => [name, row[name]])) as Record<Text, string>;
}
