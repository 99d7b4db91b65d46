/**
 * The words that questions may use besides plain SQL. Each engine gives every word its meaning in
 * `<engine>/vocabulary.ts`, which the compiler checks against this list; the engines expand the
 * words before they run a question. docs/questions.md explains them with an example.
 */

/** The types that a parameter of a question may have. A Date is a day number. */
export type ParameterType =
  | 'Int32'
  | 'Int64'
  | 'Float64'
  | 'String'
  | 'Date'
  | 'Array(Int32)'
  | 'Array(Int64)'
  | 'Array(Float64)'
  | 'Array(String)'
  | 'Array(Date)';

/** A word: the names of its values, its meaning, and the parameters that it reads by itself. */
type Definition = {
  readonly values: readonly string[];
  readonly meaning: string;
  readonly reads?: Readonly<Record<string, ParameterType>>;
};

/**
 * The parameters that the words of conversion read: `ConversionParameters` in
 * `figures/conversion.ts`. `factors` holds `factorDays` factors for each of `currencies`, one
 * currency after another, beginning with the day `factorsFrom`.
 */
const conversion = {
  currency: 'String',
  currencies: 'Array(String)',
  factors: 'Array(Float64)',
  factorsFrom: 'Date',
  factorDays: 'Int32',
} as const satisfies Record<string, ParameterType>;

/** Every word with its values and meaning. */
export const vocabulary = {
  one_of: {
    values: ['value', 'list'],
    meaning: 'Whether the value is in the list. A list of few entries lets the store skip blocks.',
  },
  in_list: {
    values: ['value', 'list'],
    meaning: 'The same, faster for a list of dozens or more that is compared with very many rows.',
  },
  matches: {
    values: ['value', 'list'],
    meaning: 'Whether the value is in the list, or the list is empty: a filter that may be absent.',
  },
  amount: {
    values: ['number'],
    meaning: 'The number as an amount: a decimal with six places, rounded half away from zero.',
  },
  without_tax: {
    values: ['amount', 'rate'],
    meaning:
      'The amount without the tax in it, whose rate is in millionths of the amount without it, ' +
      'rounded half away from zero.',
  },
  converted: {
    values: ['amount', 'currency', 'day'],
    meaning:
      'The amount in units of the currency asked for, as a double, by the factor of the day; ' +
      '0 where the amount needs no conversion.',
    reads: conversion,
  },
  sum_converted: {
    values: ['amount', 'currency', 'day'],
    meaning: 'An aggregate: the sum of converted(), which costs nothing if no amount is converted.',
    reads: conversion,
  },
  unconverted: {
    values: ['amount', 'currency'],
    meaning:
      'The amount, exact, where it needs no conversion, else amount(0): it is in the currency ' +
      'asked for, or `currencies` is empty. With converted() it makes up the whole.',
    reads: { currency: conversion.currency, currencies: conversion.currencies },
  },
  index_of: {
    values: ['list', 'value'],
    meaning: 'The position of the value in the list, from 1.',
  },
  first_by: {
    values: ['value', 'key', 'list'],
    meaning:
      'An aggregate: the value of the row whose key comes first in the list. Rows without a value ' +
      'and rows whose key the list lacks are skipped; null if no row remains.',
  },
  lower: {
    values: ['text'],
    meaning: 'The text in lower case, letters of every alphabet included.',
  },
  text_hash: {
    values: ['text'],
    meaning:
      'A whole number that equal texts share, and others hardly ever. Engines differ in it, so it ' +
      'is compared within a question only.',
  },
  contains: {
    values: ['text', 'part'],
    meaning: 'Whether the text has the part in it; every text has the empty one.',
  },
  round_half_up: {
    values: ['number', 'scale'],
    meaning:
      'The double rounded to a multiple of 1 / scale, half away from zero. A number less than ' +
      '0.0000001 steps below a half counts as the half: it was summed from inexact parts.',
  },
  floor_multiple: {
    values: ['integer', 'step'],
    meaning: 'The largest multiple of the step that is not above the integer.',
  },
  local_day: {
    values: ['instant', 'starts', 'offsets'],
    meaning:
      'The date of an instant (epoch seconds) in a zone. From each instant of `starts` the offset ' +
      'from UTC at the same position of `offsets` holds, in seconds.',
  },
  version_as_of: {
    values: ['versions', 'history_max', 'import_max', 'late_imports'],
    meaning:
      'The state of a row, as its history of "import:state" pairs has it, after the import ' +
      'numbered `import_max`, `late_imports` aside; -1 where the row did not exist. A history of ' +
      '`history_max` entries has lost older ones: its first entry stands for them.',
  },
} as const satisfies Record<string, Definition>;

/** A word of the vocabulary. */
export type Word = keyof typeof vocabulary;

type Texts<Values extends readonly string[]> = { [Index in keyof Values]: string };

/** The meaning of each word in an engine's SQL: a function of the texts of its values. */
export type Meanings = {
  readonly [W in Word]: (...values: Texts<(typeof vocabulary)[W]['values']>) => string;
};

const wordPattern = new RegExp(`\\b(${Object.keys(vocabulary).join('|')})\\(`);

/** The parameters that the words of a body read by themselves. */
export function parametersRead(sql: string): Readonly<Record<string, ParameterType>> {
  const reads: Record<string, ParameterType> = {};
  for (const [, word] of sql.matchAll(new RegExp(wordPattern, 'g')))
    Object.assign(reads, (vocabulary[word as Word] as Definition).reads);
  return reads;
}

/** The body with every word replaced by its meaning. */
export function expand(sql: string, meanings: Meanings): string {
  const found = wordPattern.exec(sql);
  if (!found) return sql;
  const word = found[1] as Word;
  const start = found.index + found[0].length;
  const { values, end } = valuesAt(sql, start);
  const names = vocabulary[word].values;
  if (values.length !== names.length)
    throw new Error(`${word}(${names.join(', ')}) does not take ${values.length} values`);
  const meaning = meanings[word] as (...texts: string[]) => string;
  const texts = values.map((value) => enclosed(expand(value, meanings)));
  return sql.slice(0, found.index) + meaning(...texts) + expand(sql.slice(end), meanings);
}

/** The values between parentheses; the first one opens before `start`. */
function valuesAt(sql: string, start: number): { values: string[]; end: number } {
  const values: string[] = [];
  let valueStart = start;
  let depth = 0;
  let isText = false;
  for (let index = start; index < sql.length; index++) {
    const character = sql[index]!;
    if (character === "'") isText = !isText;
    if (isText) continue;
    if (depth === 0 && (character === ',' || character === ')')) {
      values.push(sql.slice(valueStart, index).trim());
      valueStart = index + 1;
      if (character === ')') return { values, end: valueStart };
    } else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
  }
  throw new Error('A word of a question lacks its closing parenthesis');
}

function enclosed(expression: string): string {
  return /^(?:\w+(?:\.\w+)?|\{[^{}]*\})$/.test(expression) ? expression : `(${expression})`;
}
