/** The thread that reads one document: unpacks, checks and stages it, and says what it found. Its import listens in `import.ts`. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { isoDate } from '../calendar/period.ts';
import type { Row } from '../engine/warehouse.ts';
import { makeHashes } from './customer.ts';
import { type Circumstances, datasets } from './datasets/datasets.ts';
import type { AdType } from './documents/advertising/adTypes.ts';
import {
  coarseReason,
  type Desk,
  type DocumentKind,
  type DocumentReader,
  type NamedAdGroup,
  type NamedCampaign,
} from './documents/kind.ts';
import { documentKinds } from './documents/kinds.ts';
import { FinanceBook } from './ledger/ledger.ts';
import { LineSplitter, type OnRecord, RecordReader } from './lines.ts';
import type { GoOn, Instants, Job, Lookup, Reading, Rejection, Word } from './messages.ts';
import { type HeldOrders, OrderReader } from './orders.ts';
import { DocumentRefused } from './refused.ts';
import { parseExactly, RowReader, Spans, shownName } from './rows.ts';
import { Stager } from './staging.ts';
import { plainBytes } from './unpack.ts';

const rejectionsPerWord = 500;
const progressEvery = 20_000;
/** How much of a document is looked at before its kind is decided, in bytes. */
const headBytes = 1024 * 1024;
/** Among how many lines the header of a delimited text is looked for. */
const headerLinesMax = 5;
/** The largest single JSON document, in bytes. */
const jsonBytesMax = 384 * 1024 * 1024;

const firstRejectionsMax = 5;
/** Up to two staged files may wait for the warehouse while the next is read. */
const filesAhead = 2;
/** How many names or numbers are looked up at a time. */
const lookupKeysMax = 500;

parentPort!.on('message', ({ job, words, bytes }: Reading) =>
  readDocumentOf(job, words, bytesOf(bytes)),
);

/** The bytes of a document as its import sends them, which is told of each chunk that is taken, so that few wait. */
async function* bytesOf(port: MessagePort): AsyncGenerator<Buffer> {
  const arrived: (Uint8Array | null)[] = [];
  let wake = () => {};
  port.on('message', (chunk: Uint8Array | null) => {
    arrived.push(chunk);
    wake();
  });
  try {
    for (;;) {
      while (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const chunk = arrived.shift() as Uint8Array | null;
      if (chunk === null) return;
      port.postMessage(null);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } finally {
    port.close();
  }
}

/** Reads one document and says what it found. What it knows of the document is forgotten with it: the thread may be given another one. */
async function readDocumentOf(
  job: Job,
  words: MessagePort,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const answers: ((answer: GoOn) => void)[] = [];
  words.on('message', (answer: GoOn) => answers.shift()?.(answer));

  function say(word: Word): void {
    words.postMessage(word);
  }

  function sayAndWait(word: Word): Promise<GoOn> {
    return new Promise((resolve) => {
      answers.push(resolve);
      words.postMessage(word);
    });
  }

  let rowsRead = 0;
  let rowsRejected = 0;
  const rejections: Rejection[] = [];
  /** The first refused rows, for who must tell of them; `rejections` are handed over now and then. */
  const firstRejections: Rejection[] = [];

  function reject(line: number, reason: string): void {
    const rejection = {
      line,
      reason: printable(reason.length > 1000 ? `${reason.slice(0, 1000)}…` : reason),
    };
    rejections.push(rejection);
    if (firstRejections.length < firstRejectionsMax) firstRejections.push(rejection);
    rowsRejected++;
  }

  const loading: Promise<GoOn>[] = [];
  const stager = new Stager(job.stagingFolder, `import-${job.importId}`, async (table, file) => {
    loading.push(sayAndWait({ word: 'staged', table, file }));
    if (loading.length > filesAhead) await loading.shift();
  });

  const { hashCustomer, seal } = makeHashes(job.secret);
  const circumstances: Circumstances = {
    currency: job.currency,
    hashCustomer,
    seal,
    now: Math.floor(Date.now() / 1000),
  };
  const spans = new Spans();
  const readers = new Map<string, RowReader>();

  function rows(name: string): RowReader {
    let reader = readers.get(name);
    if (!reader) {
      reader = new RowReader(datasets[name]!, circumstances, stager, reject, spans, job.cover);
      readers.set(name, reader);
    }
    return reader;
  }

  /** Readers of what is told by the way: as if it had been told before everything else. */
  const readersByTheWay = new Map<string, RowReader>();

  function byTheWay(name: string): RowReader {
    let reader = readersByTheWay.get(name);
    if (!reader) {
      reader = new RowReader(
        datasets[name]!,
        { ...circumstances, now: 0 },
        stager,
        () => undefined,
        spans,
        job.cover,
      );
      readersByTheWay.set(name, reader);
    }
    return reader;
  }

  /** What is held under these keys, by the column `by`. */
  async function found<Found>(
    lookup: Lookup,
    keys: readonly string[],
    by: string,
    read: (row: Row) => Found,
  ): Promise<ReadonlyMap<string, readonly Found[]>> {
    const all = new Map<string, Found[]>();
    for (let at = 0; at < keys.length; at += lookupKeysMax) {
      const answer = await sayAndWait({
        word: 'lookup',
        lookup,
        keys: keys.slice(at, at + lookupKeysMax),
      });
      for (const row of answer.found!) {
        const known = all.get(row[by] as string);
        if (known) known.push(read(row));
        else all.set(row[by] as string, [read(row)]);
      }
    }
    return all;
  }

  const orders = new OrderReader(
    circumstances,
    stager,
    reject,
    spans,
    job.cover,
    async (asked): Promise<HeldOrders> => {
      return (await sayAndWait({ word: 'held', ...asked })).held!;
    },
  );

  let book: FinanceBook | undefined;
  const instants: Record<string, Instants> = {};

  /** The parts of its days that the document speaks for, per table; all of them where nothing is said. */
  const parts = new Map<string, Set<string>>();

  const desk: Desk = {
    rows,
    byTheWay,
    partOf(table, part) {
      parts.set(table, (parts.get(table) ?? new Set()).add(part));
    },
    covers(table, { first, last }) {
      spans.take(table, first);
      spans.take(table, last);
    },
    orders,
    finance(source) {
      book = new FinanceBook(source, {
        stager,
        spans,
        reject,
        currency: job.currency,
        cover: job.cover,
        codes: job.financeCodes,
        relieve: handOver,
        held: async (lookup, keys, first, last) =>
          (await sayAndWait({ word: 'lookup', lookup, keys, days: { first, last } })).found!,
        giveWay(sources, between) {
          for (const one of sources) desk.partOf('finance_event', one);
          if (between) instants.finance_event = between;
        },
      });
      return book;
    },
    reject,
    refused: () => ({ rows: rowsRejected, first: firstRejections }),
    currency: job.currency,
    timezone: job.timezone,
    now: circumstances.now,
    marketplaceId: job.marketplaceId,
    cover: job.cover,
    attributionDays: 'document' in job.content ? job.content.attributionDays : 14,
    relieve,
    campaignsNamed: (names) =>
      found(
        'campaignsNamed',
        names,
        'name',
        (row): NamedCampaign => ({
          campaignId: row.campaign_id as string,
          adType: row.ad_type as AdType,
        }),
      ),
    adGroupsOf: (campaignIds) =>
      found(
        'adGroupsOf',
        campaignIds,
        'campaign_id',
        (row): NamedAdGroup => ({
          adGroupId: row.ad_group_id as string,
          name: row.name as string,
        }),
      ),
    productsHeld: async (skus) =>
      new Set((await found('productsHeld', skus, 'sku', () => true)).keys()),
    bookOn(line, first, last) {
      if (first === last) return isoDate(first);
      if (!job.coarseOnLastDay) {
        reject(line, coarseReason(first, last));
        return undefined;
      }
      return isoDate(last);
    },
  };

  /** Hands over what has come together. Called between chunks, so that a chunk's rows are the most that waits in memory. */
  async function relieve(): Promise<void> {
    await book?.relieve();
    await orders.relieve();
    await handOver();
  }

  async function handOver(): Promise<void> {
    if (stager.full) await stager.flush();
    while (rejections.length >= rejectionsPerWord)
      await sayAndWait({ word: 'rejected', rejections: rejections.splice(0, rejectionsPerWord) });
    if (rowsRead - lastProgress >= progressEvery) {
      lastProgress = rowsRead;
      say({ word: 'progress', rowsRead });
    }
  }
  let lastProgress = 0;

  /** Reads lines, one value each; values that must be waited for are taken in order. */
  async function readLines(
    bytes: AsyncIterable<Buffer>,
    take: (text: string, line: number) => void | Promise<void>,
  ): Promise<void> {
    let waiting: [string, number][] = [];
    let busy = false;
    const splitter = new LineSplitter((text, line, problem) => {
      if (problem === undefined && text.trim() === '') return;
      rowsRead++;
      if (problem !== undefined) {
        reject(line, problem);
        return;
      }
      if (busy) {
        waiting.push([text, line]);
        return;
      }
      const pending = take(text, line);
      if (pending) {
        busy = true;
        first = pending;
      }
    });
    let first: Promise<void> | undefined;
    const drain = async () => {
      await first;
      first = undefined;
      for (const [text, line] of waiting) await take(text, line);
      waiting = [];
      busy = false;
    };
    for await (const chunk of bytes) {
      splitter.push(chunk);
      if (busy) await drain();
      await relieve();
    }
    splitter.end();
    if (busy) await drain();
    await relieve();
  }

  async function readNdjson(bytes: AsyncIterable<Buffer>, dataset: string): Promise<void> {
    const parse = (text: string, line: number): Record<string, unknown> | undefined => {
      let row: unknown;
      try {
        row = JSON.parse(text);
      } catch {
        reject(line, 'is not JSON');
        return undefined;
      }
      if (typeof row === 'object' && row !== null && !Array.isArray(row))
        return row as Record<string, unknown>;
      reject(line, 'is not a JSON object');
      return undefined;
    };
    if (dataset === 'orders') {
      await readLines(bytes, (text, line) => {
        const row = parse(text, line);
        if (row) orders.order(row, line, { lenient: false });
      });
      await orders.settle();
      return;
    }
    const reader = rows(dataset);
    await readLines(bytes, (text, line) => {
      const row = parse(text, line);
      if (row) reader.object(row, line, text);
    });
  }

  /**
   * Reads records of a delimited text, the first of which is its header; rows with other cells than the header's are refused. `isAbove` takes
   * the first line where that stands above the header.
   */
  async function readRecords(
    bytes: AsyncIterable<Buffer>,
    takeHeader: (names: string[]) => void,
    take: (cells: string[], line: number) => void,
    {
      isAbove = () => false,
      tabsUnquoted = false,
    }: { isAbove?: (text: string) => boolean; tabsUnquoted?: boolean } = {},
  ): Promise<void> {
    let width: number | undefined;
    const takeRecord: OnRecord = (cells, line, problem) => {
      if (width === undefined) {
        if (problem !== undefined) throw new DocumentRefused(`the header ${problem}`);
        width = cells.length;
        takeHeader(cells);
        return;
      }
      rowsRead++;
      if (problem !== undefined) reject(line, problem);
      else if (cells.length !== width)
        reject(line, `has ${cells.length} cells, but the header has ${width}`);
      else take(cells, line);
    };
    const records = new RecordReader(takeRecord, { tabsUnquoted });
    let begun = false;
    const splitter = new LineSplitter((text, line, problem) => {
      const isFirst = !begun && text !== '';
      begun ||= isFirst;
      if (!isFirst || !isAbove(text)) records.line(text, line, problem);
    });
    for await (const chunk of bytes) {
      splitter.push(chunk);
      await relieve();
    }
    splitter.end();
    records.end();
    await relieve();
  }

  async function readCsv(bytes: AsyncIterable<Buffer>, dataset: string): Promise<void> {
    const reader = rows(dataset);
    let places: number[] = [];
    await readRecords(
      bytes,
      (names) => {
        places = headerPlaces(names, reader);
      },
      (cells, line) => {
        const values: unknown[] = [];
        for (let at = 0; at < cells.length; at++) values[places[at]!] = cells[at];
        reader.values(values, line);
      },
    );
  }

  /** Reads a document of any kind: recognises it by its first value or by its header. */
  async function readDocument(
    bytes: AsyncIterable<Buffer>,
    kindName: string | undefined,
  ): Promise<string> {
    const iterator = bytes[Symbol.asyncIterator]();
    const head: Buffer[] = [];
    let size = 0;
    let ended = false;
    while (size < headBytes && !ended) {
      const next = await iterator.next();
      if (next.done) ended = true;
      else {
        head.push(next.value);
        size += next.value.length;
      }
    }
    async function* all() {
      yield Buffer.concat(head);
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value;
    }
    const text = Buffer.concat(head).toString('utf8');
    const start = text.trimStart();
    if (start === '') {
      if (kindName === undefined) throw new DocumentRefused('the document is empty');
      return open(kindOf(kindName, () => false, undefined)).kind.name;
    }
    if (start[0] !== '{' && start[0] !== '[') return await readTable(all(), start, kindName);
    const lineEnd = start.indexOf('\n');
    const firstLine = lineEnd < 0 ? undefined : parsed(start.slice(0, lineEnd));
    const severalLines = firstLine !== undefined && (start.slice(lineEnd).trim() !== '' || !ended);
    if (severalLines && !Array.isArray(firstLine)) {
      const kind = kindOf(kindName, (one) => one.recognises?.(firstLine) ?? false, firstLine);
      const { reader } = open(kind);
      const take = takerOf(kind, reader.value);
      await readLines(all(), (line, number) => {
        const value = parsed(line);
        if (value === undefined) {
          reject(number, 'is not JSON');
          return undefined;
        }
        const rows = kind.rowsOf?.(value);
        if (!rows) return take(value, number);
        for (const row of rows) take(row, number, value);
        return undefined;
      });
      await reader.end?.();
      return kind.name;
    }
    const parts: Buffer[] = [];
    let bytesRead = 0;
    for await (const chunk of all()) {
      bytesRead += chunk.length;
      if (bytesRead > jsonBytesMax)
        throw new DocumentRefused('the JSON document is larger than 384 MiB: split it');
      parts.push(chunk);
    }
    let whole: unknown;
    try {
      whole = parseExactly(Buffer.concat(parts).toString('utf8'));
    } catch {
      throw new DocumentRefused('the document is not JSON: it is damaged, or was cut off');
    }
    const sample = Array.isArray(whole) ? whole[0] : whole;
    const kind = kindOf(kindName, (one) => one.recognises?.(sample) ?? false, sample);
    const { reader } = open(kind);
    const take = takerOf(kind, reader.value);
    const rows = Array.isArray(whole) ? undefined : kind.rowsOf?.(whole);
    const values = Array.isArray(whole) ? whole : (rows ?? [whole]);
    for (const [index, value] of values.entries()) {
      await take(value, index + 1, rows && whole);
      await relieve();
    }
    await reader.end?.();
    return kind.name;
  }

  async function readTable(
    bytes: AsyncIterable<Buffer>,
    start: string,
    kindName: string | undefined,
  ): Promise<string> {
    const [first = '', ...others] = start.split(/\r?\n/, headerLinesMax);
    const hasPreface = documentKinds.some((one) => one.recognisesPreface?.(first));
    const header: string[] = [];
    const probe = new RecordReader((cells) => header.push(...cells));
    probe.line(hasPreface ? (others.find((line) => line !== '') ?? '') : first, 1);
    const kind = kindOf(kindName, (one) => one.recognisesHeader?.(header) ?? false, undefined);
    const { reader } = open(kind);
    const take = takerOf(kind, reader.record);
    let names: string[] = [];
    await readRecords(
      bytes,
      (header) => {
        names = header;
      },
      (cells, line) => {
        const record: Record<string, string> = {};
        for (const [at, name] of names.entries())
          if (!Object.hasOwn(record, name)) record[name] = cells[at]!;
        take(record, line);
      },
      {
        isAbove(text) {
          if (hasPreface) reader.preface?.(text);
          return hasPreface;
        },
        tabsUnquoted: kind.tabsUnquoted ?? false,
      },
    );
    await reader.end?.();
    return kind.name;
  }

  function open(kind: DocumentKind): { kind: DocumentKind; reader: DocumentReader } {
    if (kind.ofChannel !== (job.currency !== '')) {
      throw new DocumentRefused(
        kind.ofChannel
          ? `a ${kind.name} document belongs to a channel: name it by channelId`
          : `a ${kind.name} document belongs to no channel: leave channelId out`,
      );
    }
    return { kind, reader: kind.read(desk) };
  }

  async function read(): Promise<void> {
    const isHeader = (names: readonly string[]) =>
      documentKinds.some(
        (kind) => kind.recognisesHeader?.(names) || kind.recognisesPreface?.(names.join()),
      );
    const bytes = plainBytes(source, job.charset, isHeader);
    let recognised: string;
    if ('document' in job.content) {
      recognised = await readDocument(bytes, job.content.kind);
      // A document of one JSON value holds many rows: its parts were counted as they were taken or refused.
      rowsRead = Math.max(rowsRead, rowsAccepted() + rowsRejected);
    } else {
      recognised = job.content.dataset;
      if (job.content.format === 'ndjson') await readNdjson(bytes, recognised);
      else await readCsv(bytes, recognised);
    }
    await stager.flushAll();
    await Promise.all(loading);
    await handOverRejections();
    say({
      word: 'done',
      recognised,
      rowsRead,
      rowsAccepted: rowsAccepted(),
      rowsRejected,
      rowsCoarse: [...readers.values()].reduce(
        (sum, reader) => sum + reader.rowsCoarse,
        book?.rowsCoarse ?? 0,
      ),
      keyedByTheWay: readersByTheWay.size > 0 && orders.rowsAccepted === 0,
      days: spans.days,
      parts: Object.fromEntries([...parts].map(([table, known]) => [table, [...known]])),
      instants,
      ...(book && { finance: book.summary() }),
    });
  }

  async function handOverRejections(): Promise<void> {
    while (rejections.length > 0)
      await sayAndWait({ word: 'rejected', rejections: rejections.splice(0, rejectionsPerWord) });
  }

  function rowsAccepted(): number {
    return [...readers.values()].reduce(
      (sum, reader) => sum + reader.rowsAccepted,
      orders.rowsAccepted + (book?.rowsAccepted ?? 0),
    );
  }

  try {
    await read();
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    await handOverRejections();
    say({ word: 'refused', reason: printable(error.message) });
  } finally {
    words.close();
  }
}

/** The text as any store keeps it: parts of a document may hold NUL, other control characters or half a character. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed();
}

function headerPlaces(header: readonly string[], reader: RowReader): number[] {
  const places = header.map((name) => reader.place(name.trim()));
  const unknown = header.filter((_, at) => places[at] === undefined);
  if (unknown.length > 0) {
    throw new DocumentRefused(
      `the header has ${unknown.length > 1 ? 'columns' : 'a column'} that the dataset has not: ${unknown
        .slice(0, 5)
        .map(shownName)
        .join(', ')}; its columns are ${reader.names}`,
    );
  }
  if (new Set(places).size < places.length)
    throw new DocumentRefused('the header names a column twice');
  const lacking = reader.required.filter((name) => !places.includes(reader.place(name)));
  if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
  return places as number[];
}

/** What takes the parts of a document, refused where a kind was named whose documents have no such parts. */
function takerOf<Taker>(kind: DocumentKind, taker: Taker | undefined): Taker {
  if (taker === undefined)
    throw new DocumentRefused(`the document is no ${kind.name}: ${kind.about}`);
  return taker;
}

function kindOf(
  name: string | undefined,
  recognises: (kind: DocumentKind) => boolean,
  value: unknown,
): DocumentKind {
  const kinds = documentKinds.filter((one) =>
    name === undefined ? recognises(one) : one.name === name,
  );
  if (kinds.length > 1) {
    throw new DocumentRefused(
      `the document may be of several kinds: name ${kinds.map((one) => one.name).join(' or ')} by type`,
    );
  }
  if (kinds[0]) return kinds[0];
  const known = documentKinds.map((one) => `${one.name}: ${one.about}`).join('; ');
  if (name !== undefined)
    throw new DocumentRefused(
      `the document type ${name.slice(0, 60)} is not known; known are ${known}`,
    );
  const reportType = (value as { reportSpecification?: { reportType?: unknown } } | undefined)
    ?.reportSpecification?.reportType;
  const what =
    typeof reportType === 'string'
      ? `a ${reportType.slice(0, 80)} document is not taken`
      : 'the document is of no kind that is taken';
  throw new DocumentRefused(`${what}; taken are ${known}`);
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
