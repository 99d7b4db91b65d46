/**
 * The vocabulary in ClickHouse's SQL, and how to write parameters. Words are expanded before a
 * question is sent: functions defined in the server would be shared by every warehouse on it, and
 * need rights of their own.
 */
import { isoDate } from '../../calendar/period.ts';
import { type Question, replaceParameters } from '../question.ts';
import { expand, type Meanings, type ParameterType } from '../vocabulary.ts';
import type { Parameters } from '../warehouse.ts';

/** ClickHouse's name of each type of parameter. */
const typeNames: Record<ParameterType, string> = {
  Int32: 'Int32',
  Int64: 'Int64',
  Float64: 'Float64',
  String: 'String',
  Date: 'Date32',
  'Array(Int32)': 'Array(Int32)',
  'Array(Int64)': 'Array(Int64)',
  'Array(Float64)': 'Array(Float64)',
  'Array(String)': 'Array(String)',
  'Array(Date)': 'Array(Date32)',
};

const isIn = (value: string, list: string) => `(${value} IN (${list}))`;
const needsNoConversion = (currency: string) =>
  `empty({currencies:Array(String)}) OR ${currency} = {currency:String}`;

const converted: Meanings['converted'] = (amount, currency, day) =>
  `if(${needsNoConversion(currency)}, 0, toFloat64(${amount}) * {factors:Array(Float64)}[
      (indexOf({currencies:Array(String)}, ${currency}) - 1) * {factorDays:Int32}
      + dateDiff('day', {factorsFrom:Date}, ${day}) + 1])`;

const meanings: Meanings = {
  one_of: isIn,
  in_list: isIn,
  matches: (value, list) => `(empty(${list}) OR ${isIn(value, list)})`,
  // A cast to a decimal truncates, so a double is first rounded to the nearest millionth.
  amount: (number) =>
    /^\d+$/.test(number)
      ? `toDecimal64(${number}, 6)`
      : `if(position(toTypeName(${number}), 'Float') > 0,
          CAST(round(toDecimal128(${number} * 1e6, 1)) * toDecimal64('0.000001', 6)
            AS Decimal(18, 6)),
          CAST(round(${number}, 6) AS Decimal(18, 6)))`,
  without_tax: (value, rate) => {
    const whole = `toInt256(1000000 + ${rate})`;
    const millionths = `toInt256(toDecimal128(abs(${value}), 6) * 1000000)`;
    const rounded = `intDiv(2000000 * ${millionths} + ${whole}, 2 * ${whole})`;
    return `CAST(if(${value} < 0, -1, 1)
      * toDecimal128(${rounded}, 0) * toDecimal64('0.000001', 6) AS Decimal(18, 6))`;
  },
  converted,
  sum_converted: (amount, currency, day) => `sum(${converted(amount, currency, day)})`,
  unconverted: (amount, currency) =>
    `if(${needsNoConversion(currency)}, ${amount}, toDecimal64(0, 6))`,
  index_of: (list, value) => `indexOf(${list}, ${value})`,
  first_by: (value, key, list) =>
    `argMinIf(${value}, indexOf(${list}, ${key}), ${isIn(key, list)})`,
  lower: (text) => `lowerUTF8(${text})`,
  text_hash: (text) => `cityHash64(${text})`,
  contains: (text, part) => `(position(${text}, ${part}) > 0)`,
  round_half_up: (number, scale) =>
    `(if(${number} < 0, -floor(0.5000001 - ${number} * ${scale}),
        floor(${number} * ${scale} + 0.5000001)) / ${scale})`,
  floor_multiple: (integer, step) => `(${integer} - ((${integer} % ${step}) + ${step}) % ${step})`,
  local_day: (instant, starts, offsets) =>
    `addDays(toDate32('1970-01-01'), toInt32(floor((${instant} + multiIf(
      length(${starts}) = 1 OR ${instant} < ${starts}[2], ${offsets}[1],
      length(${starts}) = 2 OR ${instant} < ${starts}[3], ${offsets}[2],
      length(${starts}) = 3, ${offsets}[3],
      ${offsets}[greatest(1, arrayCount(start -> start <= ${instant}, ${starts}))])) / 86400)))`,
  version_as_of: (versions, historyMax, importMax, lateImports) => {
    const entries = `splitByChar(' ', ${versions})`;
    const importOf = `toInt64OrZero(splitByChar(':', version)[1])`;
    return `toInt64(coalesce(
      nullIf(splitByChar(':', arrayLast(version ->
        ${importOf} <= ${importMax} AND NOT has(${lateImports}, ${importOf}), ${entries}))[2], ''),
      if(length(${entries}) >= ${historyMax}, splitByChar(':', ${entries}[1])[2], NULL),
      '-1'))`;
  },
};

/** The statement of a body, with its parameters in ClickHouse's notation. */
export function statementText(sql: string): string {
  return replaceParameters(expand(sql, meanings), (name, type) => `{${name}:${typeNames[type]}}`);
}

/** The values of a question's parameters as ClickHouse reads them. */
export function parameterValues(
  { parameters }: Question,
  given: Parameters,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(parameters)) {
    const value = given[name];
    if (value === undefined) throw new Error(`The parameter ${name} is missing`);
    if (type === 'Date') values[name] = isoDate(value as number);
    else if (type === 'Array(Date)') values[name] = (value as number[]).map(isoDate);
    else values[name] = value;
  }
  return values;
}

/** The statement of a body with the values in its text, for statements that write. */
export function literalText(sql: string, given: Parameters): string {
  return replaceParameters(expand(sql, meanings), (name, type) => literal(given[name]!, type));
}

function literal(value: Parameters[string], type: ParameterType): string {
  if (typeof value === 'object') {
    const items = value.map((item) => {
      if (type === 'Array(Date)') return `'${isoDate(item as number)}'`;
      return typeof item === 'string' ? quoted(item) : item;
    });
    return `CAST([${items.join(', ')}] AS ${typeNames[type]})`;
  }
  if (type === 'Date') return dateOf(value as number);
  return `CAST(${typeof value === 'string' ? quoted(value) : value} AS ${typeNames[type]})`;
}

/** A text as a literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A day number as a literal date. */
export function dateOf(day: number): string {
  return `toDate32('${isoDate(day)}')`;
}
