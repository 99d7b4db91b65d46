/**
 * The import of one document, from its first byte to its facts. A thread of its own reads and checks it, so that answers to others do not
 * wait; the warehouse takes up what was staged; and only when all is read do the rows become facts, all at once.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Selectable } from 'kysely';
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import { RequestAbandoned, StoreUnavailable } from '../engine/errors.ts';
import { questionFile } from '../engine/question.ts';
import {
  type ChannelRecord,
  channelLock,
  type ImportRecord,
  openImport,
  type Registry,
} from '../engine/registry.ts';
import type { Coverage, DateRange, ImportBatch, Row, Warehouse } from '../engine/warehouse.ts';
import { datasets } from './datasets/datasets.ts';
import { documentKinds } from './documents/kinds.ts';
import type { FinanceSummary } from './ledger/ledger.ts';
import { ownCodes } from './ledger/ownCodes.ts';
import type { GoOn, Job, Lookup, Outcome, Reading, Rejection, Word } from './messages.ts';
import type { HeldAsked, HeldOrders, HeldRecord, LineCells, OrderState } from './orders.ts';

/** The tables that the rows of `orders` go to. */
const orderTables = ['order_record', 'order_line'];
const lookupLimits = { deadlineMilliseconds: 60_000 };
/** Rows live shortly: with room for many of them the reading thread reads instead of moving them about. */
const youngGenerationMegabytes = 64;
/** A whole JSON document of the largest size that is taken must fit, whatever the limit of the service's own heap. */
const oldGenerationMegabytes = 4096;
const progressWriteMilliseconds = 1000;
/** Chunks of a document that may wait for the reading thread. */
const chunksAhead = 8;
/** A thread that has read more rows gives its memory back instead of being kept. */
const rowsOfKeptMax = 20_000;
const keptMax = 2;
const keptMilliseconds = 30_000;
/** How long a sender may be waited for before the connection counts as broken. */
const silenceMilliseconds = 120_000;
/** How many refused rows the answer itself holds. */
export const rejectionsShown = 100;

const heldLines = questionFile<Row>(import.meta.url, 'heldLines.sql');
const heldOrders = questionFile<Row>(import.meta.url, 'heldOrders.sql');
const heldRecords = questionFile<Row>(import.meta.url, 'heldRecords.sql');
const lookups = {
  campaignsNamed: questionFile<Row>(import.meta.url, 'campaignsNamed.sql'),
  adGroupsOf: questionFile<Row>(import.meta.url, 'adGroupsOf.sql'),
  productsHeld: questionFile<Row>(import.meta.url, 'productsHeld.sql'),
  claimsOn: questionFile<Row>(import.meta.url, 'ledger/claimsOn.sql'),
  eventsOfOrders: questionFile<Row>(import.meta.url, 'ledger/eventsOfOrders.sql'),
  eventsOfUnits: questionFile<Row>(import.meta.url, 'ledger/eventsOfUnits.sql'),
} satisfies Record<Lookup, unknown>;

/** What an import is asked for. */
export type ImportAsked = {
  readonly content: Job['content'];
  readonly charset?: string;
  /** Absent for datasets that belong to no channel. */
  readonly channel?: Selectable<ChannelRecord>;
  /** The first and last day that the document is said to speak for, as day numbers. */
  readonly cover?: DateRange;
  readonly coarseOnLastDay: boolean;
  /** Whether one refused row refuses the whole document. */
  readonly abortOnRejection: boolean;
  /** Asked under the channel's lock, right before the rows become facts: whether this import may still land. */
  readonly mayLand?: () => Promise<boolean>;
};

/** What an import answers. */
export type ImportAnswer = {
  importId: number;
  dataset: string;
  rowsRead: number;
  rowsAccepted: number;
  rowsRejected: number;
  /** Rows that speak for several days and were booked on the last of them. */
  rowsCoarse: number;
  /** Accepted rows that changed nothing, because the held row of their key was updated later. */
  rowsOlder: number;
  rejected: Rejection[];
  from: string | null;
  to: string | null;
  /** What a financial document came to. */
  finance?: FinanceAnswer;
};

/** What a financial document came to, and how many held rows of other sources have given way to it. */
export type FinanceAnswer = FinanceSummary & {
  readonly gaveWay: readonly { readonly told: string; readonly rows: number }[];
};

/** The document as a whole was refused; nothing of it has become a fact. */
export class ImportRefused extends Error {
  readonly importId: number;
  readonly rejected: readonly Rejection[];
  constructor(importId: number, reason: string, rejected: readonly Rejection[] = []) {
    super(reason);
    this.importId = importId;
    this.rejected = rejected;
  }
}

/** What imports need of the house. */
export type ImportContext = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly secret: string;
};

/** Takes imports, a few at a time. */
export class Importer {
  readonly #context: ImportContext;
  readonly #runningMax: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(context: ImportContext, runningMax = 2) {
    this.#context = context;
    this.#runningMax = runningMax;
  }

  /** Imports the document whose bytes `body` brings. Resolves when its rows are durable facts. */
  async import(asked: ImportAsked, body: Readable): Promise<ImportAnswer> {
    if (this.#running >= this.#runningMax)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await new ImportRun(this.#context, asked).run(body);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /**
   * Settles the imports that a process which is no longer there left open, of those that began before `startedBefore` (epoch milliseconds):
   * those that landed are done, the others failed. Where it was the days of a new time zone that were being built, the record may still
   * name the old zone: they are built once more.
   */
  async settleInterrupted(startedBefore: number): Promise<void> {
    const { registry } = this.#context;
    const open = await registry.records
      .selectFrom('import')
      .select(['importId', 'channelNumber'])
      .where('state', '=', 'running')
      .where('startedAt', '<', startedBefore)
      .execute();
    for (const { importId, channelNumber } of open)
      await registry.withLock(channelLock(channelNumber ?? 0), () => this.#settle(importId));
  }

  /** What is still under way and lands after all says so itself. */
  async #settle(importId: number): Promise<void> {
    const { registry, warehouse } = this.#context;
    const found = await registry.records
      .selectFrom('import')
      .leftJoin('channel', 'channel.channelNumber', 'import.channelNumber')
      .select(['dataset', 'channel.channelNumber', 'timezone'])
      .where('importId', '=', importId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (found === undefined) return;
    const { dataset, channelNumber: channel, timezone } = found;
    if (dataset === 'rebuild' && channel !== null && timezone !== null)
      await warehouse.rebuild({ importId, channel }, timezone);
    const landed = await warehouse.isCommitted(importId);
    const finishedAt = Date.now();
    await registry.records
      .updateTable('import')
      .set(
        landed
          ? { state: 'done', finishedAt }
          : { state: 'failed', finishedAt, error: 'interrupted: the facts are as they were' },
      )
      .where('importId', '=', importId)
      .execute();
  }
}

class ImportRun {
  readonly #context: ImportContext;
  readonly #asked: ImportAsked;
  readonly #channelNumber: number;
  #importId = 0;
  #rowsRejected = 0;
  #landing = false;
  readonly #shown: Rejection[] = [];

  constructor(context: ImportContext, asked: ImportAsked) {
    this.#context = context;
    this.#asked = asked;
    this.#channelNumber = asked.channel?.channelNumber ?? 0;
  }

  async run(body: Readable): Promise<ImportAnswer> {
    const { registry } = this.#context;
    const { content, channel } = this.#asked;
    const name = 'dataset' in content ? content.dataset : (content.kind ?? '');
    this.#importId = await openImport(registry, name, channel?.channelNumber ?? null, Date.now());
    // Orders are read against what is held of them, which must not change until they have landed.
    const readsHeld = 'document' in content || content.dataset === 'orders';
    try {
      return await (readsHeld
        ? this.#locked(() => this.#read(body, (land) => land()))
        : this.#read(body, (land) => this.#locked(land)));
    } catch (error) {
      await this.#close(error).catch(() => undefined);
      throw error;
    } finally {
      await this.#removeStagedFiles();
    }
  }

  /** What failed after landing has begun may have failed too late to keep the rows out. */
  async #close(error: unknown): Promise<void> {
    if (this.#landing && (await this.#context.warehouse.isCommitted(this.#importId))) {
      await this.#update({ state: 'done', finishedAt: Date.now() });
    } else {
      await this.#update({
        state: 'failed',
        finishedAt: Date.now(),
        error: reasonOf(error),
        rowsRejected: this.#rowsRejected,
      });
    }
  }

  /** The zone by whose days the channel's rollups are kept by now; asked for under the lock, under which alone it changes. */
  async #timezoneNow(): Promise<string> {
    const { channel } = this.#asked;
    if (!channel) return 'UTC';
    const { records } = this.#context.registry;
    const now = await records
      .selectFrom('channel')
      .select('timezone')
      .where('channelNumber', '=', channel.channelNumber)
      .executeTakeFirst();
    if (!now) throw new ImportRefused(this.#importId, 'the channel has been deleted meanwhile');
    return now.timezone;
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return this.#context.registry.withLock(channelLock(this.#channelNumber), work);
  }

  async #read(
    body: Readable,
    whenLanding: (land: () => Promise<ImportAnswer>) => Promise<ImportAnswer>,
  ): Promise<ImportAnswer> {
    const { warehouse } = this.#context;
    const arrival = await warehouse.begin({
      importId: this.#importId,
      channel: this.#channelNumber,
    });
    try {
      const outcome = await this.#listen(body, arrival);
      const tables = tablesOf(outcome.recognised);
      const repeatedRefused = await this.#refuseRepeated(arrival, tables);
      if (this.#asked.abortOnRejection && this.#rowsRejected > 0) {
        throw new ImportRefused(
          this.#importId,
          refusalOf(this.#rowsRejected, this.#shown),
          this.#shown,
        );
      }
      const days = this.#daysOf(outcome, tables);
      if (outcome.rowsRead === 0 && !this.#asked.cover)
        throw new ImportRefused(this.#importId, 'the document holds no rows');
      const rowsAccepted = outcome.rowsAccepted - repeatedRefused;
      if (this.#asked.cover && this.#rowsRejected > 0 && rowsAccepted === 0) {
        // A document that speaks for these dates and says nothing that can be read must not empty them.
        throw new ImportRefused(
          this.#importId,
          refusalOf(this.#rowsRejected, this.#shown),
          this.#shown,
        );
      }
      const counts = {
        dataset: outcome.recognised,
        rowsRead: outcome.rowsRead,
        rowsAccepted,
        rowsRejected: this.#rowsRejected,
        rowsCoarse: outcome.rowsCoarse,
        ...datesOf(days),
      };
      // Written before landing, so that the numbers are there even if this process dies between landing and the answer.
      await this.#update(counts);
      const answer = await whenLanding(async () => {
        const timezone = await this.#timezoneNow();
        const mayLand = (await this.#asked.mayLand?.()) ?? true;
        if (!mayLand)
          throw new ImportRefused(this.#importId, 'somebody else does the same meanwhile');
        this.#landing = true;
        const { rowsOlder, rowsSuperseded } = await arrival.commit(days, timezone);
        const { firstDate, lastDate, ...rest } = counts;
        const gaveWay = Object.entries(rowsSuperseded).map(([told, rows]) => ({ told, rows }));
        return {
          importId: this.#importId,
          ...rest,
          rowsOlder: outcome.keyedByTheWay ? 0 : rowsOlder,
          rejected: this.#shown,
          from: firstDate,
          to: lastDate,
          ...(outcome.finance && { finance: { ...outcome.finance, gaveWay } }),
        };
      });
      const summary = answer.finance ? JSON.stringify(answer.finance) : null;
      await this.#update({ state: 'done', finishedAt: Date.now(), summary });
      return answer;
    } catch (error) {
      if (!this.#landing) await arrival.discard().catch(() => undefined);
      throw error;
    }
  }

  /** Gives the bytes to the reading thread and does what it says, until all is read. */
  async #listen(body: Readable, arrival: ImportBatch): Promise<Outcome> {
    const { content, charset, channel, cover, coarseOnLastDay } = this.#asked;
    const marketplaceId = channel && / @ (A[A-Z0-9]{9,})$/.exec(channel.merchantId)?.[1];
    const job: Job = {
      content,
      importId: this.#importId,
      stagingFolder: this.#context.warehouse.stagingFolder,
      secret: this.#context.secret,
      currency: channel?.currency ?? '',
      coarseOnLastDay,
      timezone: channel?.timezone ?? 'UTC',
      financeCodes: 'document' in content ? await ownCodes(this.#context.registry.records) : [],
      ...(charset === undefined ? {} : { charset }),
      ...(cover === undefined ? {} : { cover }),
      ...(marketplaceId === undefined ? {} : { marketplaceId }),
    };
    const thread = takeThread();
    const words = new MessageChannel();
    const bytes = new MessageChannel();
    const reading: Reading = { job, words: words.port2, bytes: bytes.port2 };
    thread.postMessage(reading, [words.port2, bytes.port2]);
    const finished = new AbortController();
    let outcome: Outcome | undefined;
    try {
      outcome = await new Promise<Outcome>((resolve, reject) => {
        // The thread may well be done with a document before its last byte: then what is left is not needed.
        feed(body, sinkOf(bytes.port1), finished.signal).catch((error: unknown) => {
          if (!finished.signal.aborted) reject(body.destroyed ? new RequestAbandoned() : error);
        });
        let work = Promise.resolve();
        let progressWrittenAt = 0;
        const answer = (task: () => Promise<GoOn>) => {
          work = work.then(async () => {
            words.port1.postMessage(await task());
          });
          work.catch(reject);
        };
        words.port1.on('message', (word: Word) => {
          if (word.word === 'staged') {
            answer(async () => {
              await arrival.stage(word.table, word.file);
              rmSync(word.file, { force: true });
              return {};
            });
          } else if (word.word === 'rejected') {
            answer(async () => {
              await this.#keep(word.rejections);
              return {};
            });
          } else if (word.word === 'held') {
            answer(async () => ({ held: await this.#held(word) }));
          } else if (word.word === 'lookup') {
            answer(async () => ({ found: await this.#found(word) }));
          } else if (word.word === 'progress') {
            if (Date.now() - progressWrittenAt < progressWriteMilliseconds) return;
            progressWrittenAt = Date.now();
            this.#update({ rowsRead: word.rowsRead }).catch(reject);
          } else if (word.word === 'refused') {
            reject(new ImportRefused(this.#importId, word.reason));
          } else {
            const { word: _, ...outcome } = word;
            work.then(() => resolve(outcome), reject);
          }
        });
        thread.on('error', (error) =>
          reject(isOutOfRoom(error) ? new StoreUnavailable('warehouse', error) : error),
        );
        thread.on('exit', (code) =>
          reject(new Error(`The reading thread ended with code ${code}`)),
        );
      });
    } finally {
      finished.abort();
      words.port1.close();
      bytes.port1.close();
      // Only one that has come to the end of its document is sure to be at nothing else.
      if (outcome !== undefined && outcome.rowsRead <= rowsOfKeptMax) keepThread(thread);
      else await thread.terminate();
    }
    return outcome;
  }

  /**
   * The days that each table of dated rows is replaced on: those that the import was said to cover, or else those of its rows. Rows of one
   * kind (a whole store's, a product's) leave the other kind alone; a document without any row empties both.
   */
  #daysOf({ days, parts, instants }: Outcome, tables: readonly string[]): Record<string, Coverage> {
    const { cover } = this.#asked;
    const dated = tables.filter((table) => factTable(table).replacement === 'byDay');
    const named = Object.keys(days).length > 0 ? Object.keys(days) : cover ? dated : [];
    return Object.fromEntries(
      named.map((table) => [
        table,
        {
          ...(cover ?? days[table]!),
          ...(parts[table] && { parts: parts[table] }),
          ...(instants[table] && { instants: instants[table] }),
        },
      ]),
    );
  }

  async #keep(rejections: readonly Rejection[]): Promise<void> {
    this.#rowsRejected += rejections.length;
    for (const rejection of rejections)
      if (this.#shown.length < rejectionsShown) this.#shown.push(rejection);
    await this.#context.registry.records
      .insertInto('importRejection')
      .values(rejections.map((rejection) => ({ importId: this.#importId, ...rejection })))
      .execute();
  }

  /** Refuses the dated rows whose key an earlier row of the document has, and says how many. */
  async #refuseRepeated(arrival: ImportBatch, tables: readonly string[]): Promise<number> {
    const before = this.#rowsRejected;
    for (const table of tables) {
      // Of what is kept by key, the later row of a document is its newer word.
      if (factTable(table).replacement === 'byKey') continue;
      for await (const repeated of arrival.duplicates(table)) {
        await this.#keep(
          repeated.map(({ line, keptLine }) => ({
            line,
            reason: `repeats the key of line ${keptLine}`,
          })),
        );
      }
    }
    return this.#rowsRejected - before;
  }

  #found({ lookup, keys, days }: Extract<Word, { word: 'lookup' }>): Promise<readonly Row[]> {
    return this.#context.warehouse.ask(
      lookups[lookup],
      { channel: this.#channelNumber, keys, ...days },
      lookupLimits,
    );
  }

  async #held({ orderIds, days, records: withRecords }: HeldAsked): Promise<HeldOrders> {
    const { warehouse } = this.#context;
    const asked = { channel: this.#channelNumber, orderIds, ...days };
    const records = new Map<string, HeldRecord>();
    const states = new Map<string, OrderState>();
    const lines = new Map<string, LineCells[]>();
    for (const row of await warehouse.ask(heldLines, asked, lookupLimits)) {
      const orderId = row.order_id as string;
      const known = lines.get(orderId);
      if (known) known.push(row as LineCells);
      else lines.set(orderId, [row as LineCells]);
    }
    for (const row of await warehouse.ask(heldOrders, asked, lookupLimits)) {
      states.set(row.order_id as string, {
        purchasedAt: row.purchased_at as number,
        updatedAt: row.updated_at as number,
        status: row.status as string,
        customer: row.customer as string,
      });
    }
    for (const row of withRecords ? await warehouse.ask(heldRecords, asked, lookupLimits) : []) {
      records.set(row.order_id as string, {
        fields: JSON.parse(row.record as string),
        sealedEmail: row.sealed_email as string,
      });
    }
    return { states, lines, records };
  }

  async #update(change: Partial<Omit<ImportRecord, 'importId'>>): Promise<void> {
    await this.#context.registry.records
      .updateTable('import')
      .set(change)
      .where('importId', '=', this.#importId)
      .execute();
  }

  async #removeStagedFiles(): Promise<void> {
    const folder = this.#context.warehouse.stagingFolder;
    for (const file of await readdir(folder).catch(() => [])) {
      if (file.startsWith(`import-${this.#importId}-`)) rmSync(join(folder, file), { force: true });
    }
  }
}

/** Hands the bytes over as fast as they are taken, and gives up a sender that has fallen silent. Leaves the body open. */
async function feed(body: Readable, sink: Writable, signal: AbortSignal): Promise<void> {
  const chunks = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const silence = setTimeout(() => body.destroy(new RequestAbandoned()), silenceMilliseconds);
      const next = await chunks.next().finally(() => clearTimeout(silence));
      if (next.done) break;
      signal.throwIfAborted();
      if (!sink.write(next.value)) await once(sink, 'drain', { signal });
    }
    sink.end();
  } finally {
    // What the document still had to say is read and dropped, so that its sender gets the answer instead of a broken pipe.
    await chunks.return?.();
    if (!body.destroyed) body.resume();
  }
}

/** Sends what is written to the thread at the other end, which tells of each chunk that it has taken. */
function sinkOf(port: MessagePort): Writable {
  let untaken = 0;
  let goOn: (() => void) | undefined;
  port.on('message', () => {
    untaken--;
    const next = goOn;
    // Before the next is written, which may have to wait in turn.
    goOn = undefined;
    next?.();
  });
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      port.postMessage(chunk);
      if (++untaken < chunksAhead) done();
      else goOn = done;
    },
    final(done) {
      port.postMessage(null);
      done();
    },
  });
}

/** Threads that wait for their next document, and what ends each of them when none comes. */
const kept = new Map<Worker, NodeJS.Timeout>();

function takeThread(): Worker {
  for (const [thread, timer] of kept) {
    clearTimeout(timer);
    kept.delete(thread);
    thread.removeAllListeners();
    thread.ref();
    return thread;
  }
  return new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: {
      maxYoungGenerationSizeMb: youngGenerationMegabytes,
      maxOldGenerationSizeMb: oldGenerationMegabytes,
    },
  });
}

/** Keeps a thread for the next document: of a small one, starting its thread would be most of the work. */
function keepThread(thread: Worker): void {
  // Only now: an error of a thread that is still being ended must find somebody who listens.
  thread.removeAllListeners();
  if (kept.size >= keptMax) {
    void thread.terminate();
    return;
  }
  const end = () => {
    clearTimeout(timer);
    kept.delete(thread);
    void thread.terminate();
  };
  const timer = setTimeout(end, keptMilliseconds);
  timer.unref();
  thread.unref();
  thread.once('error', end).once('exit', end);
  kept.set(thread, timer);
}

/** The tables of facts that a dataset or a kind of document feeds. */
export function tablesOf(name: string): readonly string[] {
  if (name === 'orders') return orderTables;
  const dataset = datasets[name];
  if (dataset) return dataset.destinations.map((destination) => destination.table);
  const kind = documentKinds.find((one) => one.name === name);
  return [
    ...new Set(
      (kind?.tables ?? []).flatMap((table) => (table in datasets ? tablesOf(table) : [table])),
    ),
  ];
}

/** The first and the last date of all. */
function datesOf(days: Readonly<Record<string, DateRange>>): {
  firstDate: string | null;
  lastDate: string | null;
} {
  const spans = Object.values(days);
  if (spans.length === 0) return { firstDate: null, lastDate: null };
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return { firstDate: isoDate(first), lastDate: isoDate(last) };
}

function refusalOf(count: number, shown: readonly Rejection[]): string {
  const rows = shown.slice(0, 5).map(({ line, reason }) => `line ${line} ${reason}`);
  return `${count} ${count === 1 ? 'row was' : 'rows were'} refused and so the whole document: ${rows.join('; ')}${count > rows.length ? '; …' : ''}`;
}

/** Why an import failed, in words for the operator's records. */
function reasonOf(error: unknown): string {
  if (error instanceof ImportRefused || error instanceof RequestAbandoned) return error.message;
  if (error instanceof StoreUnavailable) return 'a store was not available';
  return 'an internal error, which the log tells of';
}

function isOutOfRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}
