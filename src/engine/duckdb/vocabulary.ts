/** The vocabulary in DuckDB's SQL, and how the shapes of lists determine a statement. */
import { replaceParameters } from '../question.ts';
import { expand, type Meanings, type ParameterType } from '../vocabulary.ts';
import type { Parameters } from '../warehouse.ts';

/** DuckDB's name of each type of parameter. */
const typeNames: Record<ParameterType, string> = {
  Int32: 'INTEGER',
  Int64: 'BIGINT',
  Float64: 'DOUBLE',
  String: 'VARCHAR',
  Date: 'DATE',
  'Array(Float64)': 'DOUBLE[]',
  'Array(Int32)': 'INTEGER[]',
  'Array(Int64)': 'BIGINT[]',
  'Array(String)': 'VARCHAR[]',
  'Array(Date)': 'DATE[]',
};

const amount = (number: string) => `CAST(${number} AS DECIMAL(18,6))`;
const isIn = (value: string, list: string) => `list_contains(${list}, ${value})`;

/**
 * The shape of a list of parameters, which determines the statement: empty, all integers or dates
 * from its first to its last, numbers that are few and far apart, few or some texts, or anything
 * else.
 */
type Shape = 'empty' | 'range' | 'fewTexts' | 'someTexts' | 'any' | { readonly length: number };

/**
 * Comparing up to this many texts one by one takes less time than planning a join with them: with
 * the many rows that in_list() is for, and with the rows of other questions.
 */
const fewTextsMax = 10;
const someTextsMax = 50;

/** Short lists are filled up to these lengths, so that few statements exist. */
const shortLengths = [2, 5, 8];
/** If a list fills at least this share of its range, its entries are not far apart. */
const denseShare = 1 / 4;

/**
 * The meanings for lists of these shapes. The planner skips blocks only by bounds and by entries
 * that the statement names one by one, and drops an absent filter or conversion only if the
 * statement does not contain it.
 */
function meaningsFor(shapes: ReadonlyMap<string, Shape>): Meanings {
  const converts = shapes.get('currencies') !== 'empty';
  const shapeIn = (list: string) => shapes.get(listParameter(list)?.name ?? '') ?? 'any';
  const isJoined = (value: string, list: string) => `(${value} IN (SELECT unnest(${list})))`;
  const isAmong = (value: string, list: string) =>
    shapeIn(list) === 'any' ? isJoined(value, list) : isIn(value, list);
  const isOneOf = (value: string, list: string) => {
    const parameter = listParameter(list);
    const shape = shapeIn(list);
    if (shape === 'empty') return 'FALSE';
    const within = `${value} >= list_min(${list}) AND ${value} <= list_max(${list})`;
    if (shape === 'range') return `(${within})`;
    if (typeof shape !== 'string') return `(${value} IN (${entries(list, shape.length)}))`;
    const isNumeric = parameter !== undefined && numericLists.has(parameter.type);
    return isNumeric ? `(${within} AND ${isIn(value, list)})` : isAmong(value, list);
  };
  return {
    ...plainMeanings,
    one_of: isOneOf,
    in_list: (value, list) =>
      shapeIn(list) === 'fewTexts' ? isIn(value, list) : isJoined(value, list),
    matches: (value, list) => (shapeIn(list) === 'empty' ? 'TRUE' : isOneOf(value, list)),
    converted: (value, currency, day) => (converts ? convertedBy(value, currency, day) : '0'),
    sum_converted: (value, currency, day) =>
      converts ? `sum(${convertedBy(value, currency, day)})` : 'CAST(0 AS DOUBLE)',
    unconverted: (value, currency) =>
      converts
        ? `CASE WHEN ${currency} = {currency:String} THEN ${value} ELSE ${amount('0')} END`
        : value,
  };
}

function convertedBy(value: string, currency: string, day: string): string {
  return `(CAST(${value} AS DOUBLE) * ${factor(currency, day)})`;
}

/** The factor of a currency on a day. Equal texts in one statement are computed once per row. */
function factor(currency: string, day: string): string {
  return `CASE WHEN ${currency} = {currency:String} THEN 0 ELSE coalesce({factors:Array(Float64)}[
    (list_position({currencies:Array(String)}, ${currency}) - 1) * {factorDays:Int32}
    + date_diff('day', {factorsFrom:Date}, ${day}) + 1], 0) END`;
}

function entries(list: string, length: number): string {
  return Array.from({ length }, (_, index) => `${list}[${index + 1}]`).join(', ');
}

/** The name and type of a list that is a parameter. */
function listParameter(list: string): { name: string; type: ParameterType } | undefined {
  const [, name, type] = /^\{(\w+):(Array\(\w+\))\}$/.exec(list) ?? [];
  return name === undefined ? undefined : { name, type: type as ParameterType };
}

const plainMeanings: Omit<
  Meanings,
  'one_of' | 'in_list' | 'matches' | 'converted' | 'sum_converted' | 'unconverted'
> = {
  amount,
  without_tax: (value, rate) => {
    const whole = `(1000000 + CAST(${rate} AS HUGEINT))`;
    const millionths = `CAST(abs(CAST(${value} AS DECIMAL(38,6))) * 1000000 AS HUGEINT)`;
    const rounded = `((2000000 * ${millionths} + ${whole}) // (2 * ${whole}))`;
    return `CAST(CASE WHEN ${value} < 0 THEN -1 ELSE 1 END
      * CAST(${rounded} AS DECIMAL(25,0)) * 0.000001 AS DECIMAL(18,6))`;
  },
  index_of: (list, value) => `list_position(${list}, ${value})`,
  first_by: (value, key, list) =>
    `arg_min(${value}, list_position(${list}, ${key})) FILTER (WHERE ${isIn(key, list)})`,
  lower: (text) => `lower(${text})`,
  text_hash: (text) => `hash(${text})`,
  contains: (text, part) => `contains(${text}, ${part})`,
  round_half_up: (number, scale) =>
    `(CASE WHEN ${number} < 0 THEN -floor(0.5000001 - ${number} * ${scale})
      ELSE floor(${number} * ${scale} + 0.5000001) END / ${scale})`,
  floor_multiple: (integer, step) => `(${integer} - ((${integer} % ${step}) + ${step}) % ${step})`,
  // Most ranges contain at most two changes of the offset: comparing is cheaper than searching a
  // list.
  local_day: (instant, starts, offsets) =>
    `(DATE '1970-01-01' + CAST(floor((${instant} + CASE
      WHEN len(${starts}) = 1 OR ${instant} < ${starts}[2] THEN ${offsets}[1]
      WHEN len(${starts}) = 2 OR ${instant} < ${starts}[3] THEN ${offsets}[2]
      WHEN len(${starts}) = 3 THEN ${offsets}[3]
      ELSE ${offsets}[greatest(1, len(list_filter(${starts}, lambda start: start <= ${instant})))]
    END) / 86400) AS INTEGER))`,
  version_as_of: (versions, historyMax, importMax, lateImports) => {
    const entries = `string_split(${versions}, ' ')`;
    const importOf = `TRY_CAST(split_part(version, ':', 1) AS BIGINT)`;
    return `CAST(coalesce(
      split_part(list_last(list_filter(${entries}, lambda version:
        ${importOf} <= ${importMax} AND NOT list_contains(${lateImports}, ${importOf}))), ':', 2),
      CASE WHEN len(${entries}) >= ${historyMax}
        THEN split_part(split_part(${versions}, ' ', 1), ':', 2) END,
      '-1') AS BIGINT)`;
  },
};

/** A statement of a body for parameters of certain shapes. */
export type Statement = {
  /** Equal for parameters that the same statement serves. */
  readonly shape: string;
  /** The parameters to bind. */
  readonly values: Parameters;
  /** The text, with parameters as `$name`. */
  readonly text: () => string;
};

/** Makes the statements of a body. */
export function statementsOf(sql: string): (given: Parameters) => Statement {
  const lists = shapingLists(sql);
  return (given) => {
    const shapes = new Map<string, Shape>();
    const filledUp: Record<string, readonly number[]> = {};
    for (const [name, type] of lists) {
      const list = (given[name] ?? []) as readonly string[] | readonly number[];
      const shape = shapeOf(list, type);
      shapes.set(name, shape);
      if (typeof shape !== 'string') filledUp[name] = filled(list as number[], shape.length);
    }
    return {
      shape: [...shapes.values()].map((one) => JSON.stringify(one)).join(' '),
      values: { ...given, ...filledUp },
      text: () =>
        replaceParameters(
          expand(sql, meaningsFor(shapes)),
          (name, type) => `CAST($${name} AS ${typeNames[type]})`,
        ),
    };
  };
}

/** The lists whose shapes determine a statement of the body. */
function shapingLists(sql: string): Map<string, ParameterType> {
  const lists = new Map<string, ParameterType>();
  const note = (list: string) => {
    const parameter = listParameter(list);
    if (parameter !== undefined) lists.set(parameter.name, parameter.type);
    return '';
  };
  const noteCurrencies = () => note('{currencies:Array(String)}');
  expand(sql, {
    ...plainMeanings,
    one_of: (_, list) => note(list),
    in_list: (_, list) => note(list),
    matches: (_, list) => note(list),
    converted: noteCurrencies,
    sum_converted: noteCurrencies,
    unconverted: noteCurrencies,
  });
  return lists;
}

const numericLists: ReadonlySet<ParameterType> = new Set([
  'Array(Int32)',
  'Array(Int64)',
  'Array(Date)',
]);

function shapeOf(list: readonly string[] | readonly number[], type: ParameterType): Shape {
  if (list.length === 0) return 'empty';
  if (!numericLists.has(type)) {
    if (list.length <= fewTextsMax) return 'fewTexts';
    return list.length <= someTextsMax ? 'someTexts' : 'any';
  }
  const { min, max, distinct } = extentOf(list as readonly number[]);
  const range = max - min + 1;
  if (distinct === range) return 'range';
  const length = shortLengths.find((short) => short >= list.length);
  return length === undefined || distinct / range >= denseShare ? 'any' : { length };
}

function extentOf(numbers: readonly number[]) {
  let [min, max] = [numbers[0]!, numbers[0]!];
  for (const number of numbers) {
    if (number < min) min = number;
    if (number > max) max = number;
  }
  return { min, max, distinct: new Set(numbers).size };
}

/** The list, with its last entry repeated up to the length. */
function filled(list: readonly number[], length: number): number[] {
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)]!);
}
