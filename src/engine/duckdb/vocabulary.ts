/** The vocabulary in DuckDB's SQL. */
import { replaceParameters } from '../question.ts';
import { expand, type Meanings, type ParameterType } from '../vocabulary.ts';

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

const meanings: Meanings = {
  one_of: isIn,
  in_list: (value, list) => `(${value} IN (SELECT unnest(${list})))`,
  matches: (value, list) => `(len(${list}) = 0 OR ${isIn(value, list)})`,
  amount,
  converted: (value, currency, day) =>
    `CASE WHEN len({currencies:Array(String)}) = 0 OR ${currency} = {currency:String} THEN 0 ELSE
      CAST(${value} AS DOUBLE) * {factors:Array(Float64)}[
        (list_position({currencies:Array(String)}, ${currency}) - 1) * {factorDays:Int32}
        + date_diff('day', {factorsFrom:Date}, ${day}) + 1] END`,
  unconverted: (value, currency) =>
    `CASE WHEN len({currencies:Array(String)}) = 0 OR ${currency} = {currency:String}
      THEN ${value} ELSE ${amount('0')} END`,
  index_of: (list, value) => `list_position(${list}, ${value})`,
  lower: (text) => `lower(${text})`,
  round_half_up: (number, scale) =>
    `(CASE WHEN ${number} < 0 THEN -floor(0.5000001 - ${number} * ${scale})
      ELSE floor(${number} * ${scale} + 0.5000001) END / ${scale})`,
  floor_multiple: (integer, step) => `(${integer} - ((${integer} % ${step}) + ${step}) % ${step})`,
  // Most ranges hold at most two changes of the offset: comparing is cheaper than searching a list.
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

/** The statement of a body, with its parameters as `$name`. */
export function statementText(sql: string): string {
  return replaceParameters(
    expand(sql, meanings),
    (name, type) => `CAST($${name} AS ${typeNames[type]})`,
  );
}
