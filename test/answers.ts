/**
 * Compares an answer printed in a document with the service's answer. The printed one may be
 * abridged:
 *
 * - A line `...` stands for any number of members, elements, headers or lines.
 * - `...` within a line stands for any characters.
 * - An identifier (a UUID, or the number of a group or import) stands for the one in its place in
 *   the service's answer, throughout the document.
 */
import { isDeepStrictEqual } from 'node:util';

const answerLanguages = ['json', 'http', 'csv', 'text'] as const;

/** An answer as it is printed. */
export type PrintedAnswer = {
  readonly language: (typeof answerLanguages)[number];
  readonly text: string;
};

/** The identifiers of a document: printed ones with the ones in the service's answers. */
export type Identifiers = Map<string, string>;

/** Whether a block of code of this language is an answer. */
export function isAnswerLanguage(language: string): language is PrintedAnswer['language'] {
  return answerLanguages.some((one) => one === language);
}

/** Replaces the printed identifiers in a text with the ones in the service's answers. */
export function identified(text: string, identifiers: Identifiers): string {
  return text.replaceAll(identifierPattern, (name) => identifiers.get(name) ?? name);
}

/** A message that says where the answer differs from the printed one, or undefined. */
export function differenceOf(
  { language, text }: PrintedAnswer,
  answered: string,
  identifiers: Identifiers,
): string | undefined {
  if (language === 'json') return differenceOfJson(text, answered, identifiers);
  if (language !== 'http')
    return differenceOfLines(text.split('\n'), answered.trimEnd().split(/\r?\n/), identifiers);
  const [printed, actual] = [splitMessage(text), splitMessage(answered)];
  if (actual.head[0] !== printed.head[0])
    return `the answer is ${actual.head[0]}, not ${printed.head[0]}`;
  for (const line of printed.head.slice(1)) {
    if (line === omission) continue;
    if (!actual.head.some((one) => fits(line, one, identifiers)))
      return `no header is ${line} among\n${actual.head.join('\n')}`;
  }
  if (printed.body === '') return undefined;
  return isJson(actual.body)
    ? differenceOfJson(printed.body, actual.body, identifiers)
    : differenceOfLines(printed.body.split('\n'), actual.body.split(/\r?\n/), identifiers);
}

/** The printed form of the service's answer now, with the same omissions as before. */
export function refreshed(
  { language, text }: PrintedAnswer,
  answered: string,
  identifiers: Identifiers,
): string {
  if (language === 'json')
    return written(renewed(readPrinted(text), JSON.parse(answered), identifiers));
  if (language !== 'http') {
    const lines = answered.trimEnd().split(/\r?\n/);
    return differenceOfLines(text.split('\n'), lines, identifiers) === undefined
      ? text
      : lines.join('\n');
  }
  const [printed, actual] = [splitMessage(text), splitMessage(answered)];
  const head = printed.head.slice(1).map((line) => {
    const name = `${line.split(':')[0]}:`;
    const now =
      actual.head.find((one) => fits(line, one, identifiers)) ??
      actual.head.find((one) => one.startsWith(name));
    return line === omission || (now !== undefined && fits(line, now, identifiers))
      ? line
      : (now ?? line);
  });
  const body =
    printed.body === '' || !isJson(actual.body)
      ? printed.body
      : written(renewed(readPrinted(printed.body), JSON.parse(actual.body), identifiers));
  return [actual.head[0], ...head, ...(body === '' ? [] : ['', body])].join('\n');
}

const omission = '...';
/** Marks an omission in parsed JSON: a member of an object, or an element of a list. */
const omitted = '(omitted)';
const identifierPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function splitMessage(text: string): { readonly head: readonly string[]; readonly body: string } {
  const [head = '', ...body] = text.replaceAll('\r\n', '\n').split('\n\n');
  return { head: head.split('\n'), body: body.join('\n\n').trim() };
}

function isJson(text: string): boolean {
  return /^[[{]/.test(text);
}

/** Whether a line or text matches the printed one; remembers the identifiers of a match. */
function fits(printed: string, answered: string, identifiers: Identifiers): boolean {
  const pattern = printed
    .split(omission)
    .map((part) =>
      part.split(identifierPattern).map(literally).join(`(${identifierPattern.source})`),
    )
    .join('[^]*');
  const found = new RegExp(`^${pattern}$`).exec(answered);
  if (!found) return false;
  const names = printed.match(identifierPattern) ?? [];
  if (names.some((name, place) => (identifiers.get(name) ?? found[place + 1]) !== found[place + 1]))
    return false;
  for (const [place, name] of names.entries()) identifiers.set(name, found[place + 1]!);
  return true;
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function differenceOfLines(
  printed: readonly string[],
  answered: readonly string[],
  identifiers: Identifiers,
): string | undefined {
  const [line, ...rest] = printed;
  if (line === undefined)
    return answered.length === 0 ? undefined : `more is answered: ${answered[0]}`;
  if (line.trim() === omission) {
    const places = Array.from({ length: answered.length + 1 }, (_, place) => place);
    const isThere = places.some(
      (place) => differenceOfLines(rest, answered.slice(place), identifiers) === undefined,
    );
    return isThere
      ? undefined
      : `what is printed after ${omission} is not answered: ${rest.join('\n')}`;
  }
  if (answered.length === 0) return `this line is not answered: ${line}`;
  if (!fits(line, answered[0]!, identifiers)) return `the line is\n${answered[0]}\nnot\n${line}`;
  return differenceOfLines(rest, answered.slice(1), identifiers);
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Reads printed JSON, in which a line may be an omission. Each has a number, so that an object may have several. */
function readPrinted(text: string): Json {
  const open: string[] = [];
  let count = 0;
  const lines = text.split('\n').map((line) => {
    if (line.trim() === omission) {
      count += 1;
      return open.at(-1) === '{' ? `"${omitted}${count}": 0,` : `"${omitted}",`;
    }
    for (const mark of line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[[\]{}]/g) ?? []) {
      if (mark === '{' || mark === '[') open.push(mark);
      else open.pop();
    }
    return line;
  });
  // An omission has no comma, and one at the end removes the comma of the line before it.
  const withCommas = lines.join('\n').replaceAll(/([^\s,[{])(\s*\n\s*"\(omitted\))/g, '$1,$2');
  return JSON.parse(withCommas.replaceAll(/,(\s*\n\s*[\]}])/g, '$1'));
}

function differenceOfJson(printed: string, answered: string, identifiers: Identifiers) {
  if (!isJson(answered)) return `the answer is no JSON: ${answered}`;
  return differenceWithin(readPrinted(printed), JSON.parse(answered), identifiers, 'the answer');
}

function differenceWithin(
  printed: Json,
  answered: Json,
  identifiers: Identifiers,
  place: string,
): string | undefined {
  const different = `${place} is ${JSON.stringify(answered)}, not ${JSON.stringify(printed)}`;
  if (typeof printed === 'string')
    return typeof answered === 'string' && fits(printed, answered, identifiers)
      ? undefined
      : different;
  if (isList(printed)) {
    if (!isList(answered)) return different;
    const pairs = elementPairs(printed, answered);
    if (pairs === undefined)
      return `${place} has ${answered.length} elements, not ${printed.length}`;
    return firstOf(pairs, ([one, other, at]) =>
      differenceWithin(one, other, identifiers, `${place}[${at}]`),
    );
  }
  if (!isObject(printed)) return isDeepStrictEqual(printed, answered) ? undefined : different;
  if (!isObject(answered) || isList(answered)) return different;
  const names = Object.keys(printed).filter((name) => !name.startsWith(omitted));
  const isWhole = names.length === Object.keys(printed).length;
  const unprinted = Object.keys(answered).filter((name) => !names.includes(name));
  if (isWhole && unprinted.length > 0) return `${place} has ${unprinted.join(', ')} besides`;
  return firstOf(names, (name) => {
    if (!(name in answered)) return `${place} has no ${name}`;
    if (numbered.has(name) && isSameNumber(name, printed[name], answered[name], identifiers))
      return undefined;
    return differenceWithin(printed[name]!, answered[name]!, identifiers, `${place}.${name}`);
  });
}

/** The members that are numbers which the service chooses. */
const numbered: ReadonlySet<string> = new Set(['importId', 'groupId']);

/** Whether a printed number always stands for the same number of the service. */
function isSameNumber(
  member: string,
  printed: unknown,
  answered: unknown,
  identifiers: Identifiers,
): boolean {
  if (!Number.isInteger(printed) || !Number.isInteger(answered)) return false;
  const name = `${member} ${printed}`;
  const known = identifiers.get(name) ?? String(answered);
  identifiers.set(name, known);
  return known === String(answered);
}

/** Pairs printed elements with answered ones; undefined if their numbers do not fit. */
function elementPairs(
  printed: readonly Json[],
  answered: readonly Json[],
): (readonly [Json, Json, number])[] | undefined {
  const gap = printed.indexOf(omitted);
  if (gap === -1)
    return printed.length === answered.length
      ? printed.map((one, place) => [one, answered[place]!, place])
      : undefined;
  const tail = printed.length - gap - 1;
  if (gap + tail > answered.length) return undefined;
  return printed.flatMap((one, place) => {
    const at = place < gap ? place : answered.length - (printed.length - place);
    return place === gap ? [] : [[one, answered[at]!, at] as const];
  });
}

function firstOf<One>(
  list: readonly One[],
  of: (one: One) => string | undefined,
): string | undefined {
  for (const one of list) {
    const found = of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null;
}

/** The service's answer, with the omissions and texts of the printed one that still fit. */
function renewed(printed: Json, answered: Json, identifiers: Identifiers): Json {
  if (typeof printed === 'string')
    return typeof answered === 'string' && fits(printed, answered, identifiers)
      ? printed
      : answered;
  if (isList(printed)) {
    if (!isList(answered)) return answered;
    const pairs = elementPairs(printed, answered);
    if (pairs === undefined) return answered;
    const elements = pairs.map(([one, other]) => renewed(one, other, identifiers));
    const gap = printed.indexOf(omitted);
    return gap === -1 ? elements : elements.toSpliced(gap, 0, omitted);
  }
  if (!isObject(printed) || !isObject(answered) || isList(answered)) return answered;
  const isWhole = !Object.keys(printed).some((name) => name.startsWith(omitted));
  const names = isWhole
    ? Object.keys(answered)
    : Object.keys(printed).filter((name) => name in answered || name.startsWith(omitted));
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in answered ? renewed(printed[name] ?? null, answered[name]!, identifiers) : 0,
    ]),
  );
}

/** JSON as documents print it, with a member or an element on each line. */
function written(value: Json, indent = ''): string {
  const inner = `${indent}  `;
  const wrap = (
    open: string,
    lines: readonly { text: string; isOmission: boolean }[],
    close: string,
  ) => {
    const comma = (place: number) =>
      lines[place]!.isOmission || place === lines.length - 1 ? '' : ',';
    const members = lines.map(({ text }, place) => `${inner}${text}${comma(place)}\n`);
    return `${open}\n${members.join('')}${indent}${close}`;
  };
  if (isList(value)) {
    if (value.length === 0) return '[]';
    const lines = value.map((one) => ({
      text: one === omitted ? omission : written(one, inner),
      isOmission: one === omitted,
    }));
    return wrap('[', lines, ']');
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const lines = members.map(([name, one]) => {
    const isOmission = name.startsWith(omitted);
    return {
      text: isOmission ? omission : `${JSON.stringify(name)}: ${written(one, inner)}`,
      isOmission,
    };
  });
  return wrap('{', lines, '}');
}
