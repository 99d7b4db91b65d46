/** Recognises the kind of a document and reads it: JSON, JSON lines or delimited text. */
import { asObject, rowsAt } from '../cells/json.ts';
import { requireAccount } from '../documents/accounts.ts';
import type { DocumentKind, DocumentReader } from '../documents/kind.ts';
import { documentKinds } from '../documents/kinds.ts';
import { DocumentRefused } from '../refused.ts';
import { parseExactly } from '../rows.ts';
import type { ImportSession } from '../session.ts';
import { JsonDocument } from './json.ts';
import { RecordReader } from './lines.ts';
import { readLines, readRecords } from './text.ts';
import { reasonUnrecognised } from './unrecognised.ts';

/** The number of bytes of a document in which to recognise its kind. */
const headBytes = 1024 * 1024;
/** The maximum memory of a part of JSON that is read as a whole. */
const jsonMegabytesMax = 128;
/** The number of lines in which to search for the header of a delimited text. */
const headerLinesMax = 5;

/** Reads a document and returns the name of its kind. Without a given kind it recognises one. */
export async function readDocument(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  kindName: string | undefined,
): Promise<string> {
  const { head, all, isComplete } = await headOf(bytes);
  const start = head.toString('utf8').trimStart();
  let kind: DocumentKind;
  if (start === '') {
    if (kindName === undefined) throw new DocumentRefused('the document is empty');
    kind = namedKind(kindName);
    open(kind, session);
  } else if (start[0] !== '{' && start[0] !== '[') {
    kind = await readTable(session, all, start, kindName);
  } else {
    const lineEnd = start.indexOf('\n');
    const firstLine = lineEnd < 0 ? undefined : parsed(start.slice(0, lineEnd));
    const hasMore = !isComplete || start.slice(lineEnd).trim() !== '';
    kind =
      firstLine !== undefined && hasMore && !Array.isArray(firstLine)
        ? await readJsonLines(session, all, firstLine, kindName)
        : await readJson(session, all, kindName);
  }
  return kind.name;
}

/** Whether a header, or the line above it, belongs to a known kind of document. */
export function isDocumentHeader(names: readonly string[]): boolean {
  return documentKinds.some(
    (kind) => kind.recognisesHeader?.(names) || kind.recognisesPreface?.(names.join()),
  );
}

/** The first bytes of a document, and an iterable over all of them. */
async function headOf(bytes: AsyncIterable<Buffer>): Promise<{
  readonly head: Buffer;
  readonly all: AsyncIterable<Buffer>;
  readonly isComplete: boolean;
}> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let size = 0;
  let isComplete = false;
  while (size < headBytes && !isComplete) {
    const next = await iterator.next();
    if (next.done) isComplete = true;
    else {
      chunks.push(next.value);
      size += next.value.length;
    }
  }
  const head = Buffer.concat(chunks);
  async function* all() {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      yield next.value;
  }
  return { head, all: all(), isComplete };
}

async function readJsonLines(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  firstLine: unknown,
  kindName: string | undefined,
): Promise<DocumentKind> {
  const kind = kindOf(kindName, (one) => one.recognises?.(firstLine) ?? false, firstLine);
  const reader = open(kind, session);
  requirePart(kind, reader.value);
  await readLines(session, bytes, (text, line) => {
    const value = parsed(text);
    if (value === undefined) session.reject(line, 'is not JSON');
    else takeValue(kind, reader, value, line);
  });
  await reader.end?.();
  return kind;
}

async function readJson(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  kindName: string | undefined,
): Promise<DocumentKind> {
  const megabytesMax = Math.min(session.megabytesMax, jsonMegabytesMax);
  const document = await JsonDocument.open(bytes, session.documentPath, megabytesMax);
  try {
    const { sample } = document;
    const first = Array.isArray(sample) ? sample[0] : sample;
    const kind = kindOf(kindName, (one) => one.recognises?.(first) ?? false, first);
    const reader = open(kind, session);
    requirePart(kind, reader.value);
    if (Array.isArray(sample)) await readElements(session, document, kind, reader);
    else await readBody(session, document, kind, reader);
    await reader.end?.();
    return kind;
  } finally {
    document.close();
  }
}

/** Reads the elements of a document that is a list. */
async function readElements(
  session: ImportSession,
  document: JsonDocument,
  kind: DocumentKind,
  reader: DocumentReader,
): Promise<void> {
  let number = 0;
  for (const values of document.rowsAt([])) {
    for (const value of values) takeValue(kind, reader, value, ++number);
    await session.flush();
  }
}

/** Reads the rows of a document that is an object, or the object itself if it has none. */
async function readBody(
  session: ImportSession,
  document: JsonDocument,
  kind: DocumentKind,
  reader: DocumentReader,
): Promise<void> {
  const paths = kind.rowPaths?.(document.sample);
  if (paths === undefined) reader.value!(document.whole, 1);
  else reader.body?.(document.sample);
  let number = 0;
  for (const path of paths ?? []) {
    for (const rows of document.rowsAt(path)) {
      for (const row of rows) reader.value!(row, ++number, path.at(-1));
      await session.flush();
    }
  }
  await session.flush();
}

/** Takes an element or a line of a document, which may itself be a body with rows. */
function takeValue(kind: DocumentKind, reader: DocumentReader, value: unknown, line: number): void {
  const paths = kind.rowPaths?.(value);
  if (paths === undefined) reader.value!(value, line);
  else reader.body?.(value);
  for (const path of paths ?? [])
    for (const row of rowsAt(value, path)) reader.value!(row, line, path.at(-1));
}

async function readTable(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  start: string,
  kindName: string | undefined,
): Promise<DocumentKind> {
  const [firstLine = '', ...others] = start.split(/\r?\n/, headerLinesMax);
  const hasPreface = documentKinds.some((one) => one.recognisesPreface?.(firstLine));
  const headerLine = hasPreface ? others.find((line) => line !== '') : firstLine;
  const header: string[] = [];
  new RecordReader((cells) => header.push(...trimmed(cells))).line(headerLine ?? '', 1);
  const kind = kindOf(
    kindName,
    (one) => one.recognisesHeader?.(header) ?? false,
    undefined,
    header,
  );
  const reader = open(kind, session);
  const takeRecord = requirePart(kind, reader.record);
  let names: readonly string[] = [];
  await readRecords(session, bytes, {
    header(found) {
      names = trimmed(found);
    },
    mayBeShort: kind.mayBeShort ?? false,
    record(cells, line) {
      const record: Record<string, string> = {};
      for (const [column, name] of names.entries())
        if (!Object.hasOwn(record, name)) record[name] = cells[column]!;
      takeRecord(record, line);
    },
    preface(text) {
      if (hasPreface) reader.preface?.(text);
      return hasPreface;
    },
    tabsUnquoted: kind.tabsUnquoted ?? false,
  });
  await reader.end?.();
  return kind;
}

/** Titles without the spaces around them. */
function trimmed(titles: readonly string[]): string[] {
  return titles.map((title) => title.trim());
}

function open(kind: DocumentKind, session: ImportSession): DocumentReader {
  if (kind.ofChannel !== (session.currency !== '')) {
    throw new DocumentRefused(
      kind.ofChannel
        ? `a ${kind.name} document belongs to a channel: name it with channelId=ID`
        : `a ${kind.name} document belongs to no channel: omit channelId`,
    );
  }
  requireAccount(kind, session.account);
  return kind.read(session);
}

/**
 * The part of a reader that takes the document. Refuses the document if the given kind has no such
 * part.
 */
function requirePart<Part>(kind: DocumentKind, part: Part | undefined): Part {
  if (part === undefined)
    throw new DocumentRefused(`the document is not ${kind.name}: ${kind.about}`);
  return part;
}

function namedKind(name: string): DocumentKind {
  const kind = documentKinds.find((one) => one.name === name);
  if (kind) return kind;
  throw new DocumentRefused(
    `the document kind ${name.slice(0, 60)} is unknown; GET /operator/documents lists the kinds`,
  );
}

/**
 * The kind with that name. Without a name, the one kind that recognises the document by its first
 * JSON value or else its header.
 */
function kindOf(
  name: string | undefined,
  recognises: (kind: DocumentKind) => boolean,
  value: unknown,
  header?: readonly string[],
): DocumentKind {
  if (name !== undefined) return namedKind(name);
  const kinds = documentKinds.filter(recognises);
  if (kinds.length > 1) {
    const choices = kinds.map((one) => `type=${one.name}`);
    throw new DocumentRefused(`the document matches several kinds: pass ${choices.join(' or ')}`);
  }
  if (kinds[0]) return kinds[0];
  const names = header ?? Object.keys(asObject(value) ?? {});
  const noun = header ? 'column' : 'field';
  throw new DocumentRefused(reasonUnrecognised(documentKinds, { names, noun, value }));
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
