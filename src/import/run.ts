/** One import: reads a document in a thread, stages its rows and commits them. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { factTable } from '../../schema/warehouse/tables.ts';
import { merchantParts, pricesIncludeTax, sealBoundOf } from '../access/channels.ts';
import { findOne } from '../access/records.ts';
import { RequestAbandoned } from '../engine/errors.ts';
import { withSmallHeaps } from '../engine/heaps.ts';
import { channelLock, type ImportRecord, openImport } from '../engine/registry.ts';
import type { Coverage, DateRange, ImportBatch } from '../engine/warehouse.ts';
import { channelsOfStore } from './channelsOfStore.ts';
import { coverageOf, coverageText, datesOf } from './covered.ts';
import { type Ending, recordEnd } from './ending.ts';
import { recordedError } from './failures.ts';
import { Hold } from './hold.ts';
import { addedCodesFor } from './ledger/namedCodes.ts';
import { rowsBySource } from './ledger/summary.ts';
import { lookUpOrders, lookUpRows, orderTables } from './lookups.ts';
import type {
  Outcome,
  ReadingTask,
  RefusedDocument,
  Rejection,
  Reply,
  Request,
} from './messages.ts';
import { readInThread } from './reading.ts';
import { printable } from './refused.ts';
import { rename } from './renaming.ts';
import {
  type ImportAnswer,
  type ImportContext,
  ImportDelayed,
  ImportRefused,
  type ImportRequest,
  ImportTooLarge,
  ReadingFailed,
  rejectionsShown,
  rejectionsStoredMax,
} from './request.ts';
import { settleOverlaps } from './settling.ts';
import { type Arrived, type DocumentIdentity, removeStagedFiles, SpoolFull } from './spool.ts';
import { countMerged, extremesOf, tablesOf } from './tables.ts';
import { settleTaxes } from './taxes/settle.ts';
import { ThreadFailed } from './threads.ts';
import { requireUsable } from './usable.ts';

/** The datasets whose rows are compared with existing facts while they are read. */
const comparedDatasets = [
  ...['orders', 'orderLines', 'campaigns', 'adGroups'],
  ...['campaignDays', 'adGroupDays', 'keywordDays', 'exchangeRates'],
];

/** Below this size, reading plain rows one by one is faster. */
const plainBytesMin = 64 * 1024;

/** One import, from its request to its answer. */
export class ImportRun {
  readonly #context: ImportContext;
  readonly #request: ImportRequest;
  readonly #channelNumber: number;
  readonly #now: () => number;
  #importId = 0;
  #rowsRejected = 0;
  /** 0 until the document has been read. */
  #rowsRead = 0;
  #committing = false;
  #isIdentified = false;
  #merchant: Hold | undefined;
  readonly #shown: Rejection[] = [];

  constructor(context: ImportContext, request: ImportRequest) {
    this.#context = context;
    this.#request = request;
    this.#channelNumber = request.channel?.channelNumber ?? 0;
    this.#now = context.now ?? Date.now;
  }

  /** The rows rejected so far. */
  get rowsRejected(): number {
    return this.#rowsRejected;
  }

  /**
   * Imports the document that `arrive` returns and may store in the file `path`. `inTurn` runs the
   * rest when it is this import's turn.
   */
  async run(
    arrive: (path: string) => Promise<Arrived>,
    inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<ImportAnswer> {
    const { registry, warehouse } = this.#context;
    const { content, channel } = this.#request;
    const name = 'dataset' in content ? content.dataset : (content.kind ?? '');
    const number = channel?.channelNumber ?? null;
    this.#importId = await openImport(registry, name, number, this.#now());
    try {
      const path = join(warehouse.stagingFolder, `import-${this.#importId}-document`);
      const { body, release, identity } = await arrive(path);
      await this.#storeIdentity(identity());
      const answer = inTurn(() => withSmallHeaps(() => this.#take(body, identity)));
      return await answer.finally(release);
    } catch (error) {
      const known = error instanceof SpoolFull ? this.#withoutRoom(error) : error;
      await this.#close(known).catch(() => undefined);
      throw known;
    } finally {
      await this.#merchant?.release();
      await removeStagedFiles(warehouse.stagingFolder, this.#importId);
    }
  }

  async #storeIdentity(identity: DocumentIdentity | undefined): Promise<void> {
    if (identity === undefined || this.#isIdentified) return;
    this.#isIdentified = true;
    const { mediaType = null, fileName = null } = this.#request;
    await this.#update({ ...identity, mediaType, fileName });
  }

  #take(body: AsyncIterable<Buffer>, identity: Arrived['identity']): Promise<ImportAnswer> {
    const document = { body, identity };
    return this.#readsExisting
      ? this.#locked(() => this.#import(document, (commit) => commit()))
      : this.#import(document, (commit) => this.#locked(commit));
  }

  async #import(
    { body, identity }: Omit<Arrived, 'release'>,
    whenCommitting: (commit: () => Promise<ImportAnswer>) => Promise<ImportAnswer>,
  ): Promise<ImportAnswer> {
    const batch = await this.#context.warehouse.begin({
      importId: this.#importId,
      channel: this.#channelNumber,
    });
    try {
      const outcome = await this.#read(body, batch);
      await this.#storeIdentity(identity());
      const tables = tablesOf(outcome.recognised);
      this.#rowsRead = outcome.rowsRead;
      const repeated = await this.#rejectDuplicates(batch, tables);
      const rowsMerged = await countMerged(batch, outcome.recognised);
      const rowsAccepted = outcome.rowsAccepted - repeated - rowsMerged;
      const coverage = coverageOf(this.#request, outcome.coverage, tables);
      const dates = datesOf(this.#request, outcome.coverage, coverage);
      const counts = {
        dataset: outcome.recognised,
        rowsRead: outcome.rowsRead,
        rowsAccepted,
        rowsMerged,
        rowsRejected: this.#rowsRejected,
        rowsSkipped: outcome.rowsRead - rowsAccepted - rowsMerged - this.#rowsRejected,
        rowsCoarse: outcome.rowsMultiDay,
        rounded: outcome.rounded,
        encoding: outcome.encoding,
        otherStores: outcome.otherStores,
        ...extremesOf(dates),
      };
      // Written before the commit, because this process may end between the commit and the answer.
      await this.#update({ ...counts, coverage: coverageText(dates, coverage) });
      const { registry } = this.#context;
      const read = { importId: this.#importId, registry, request: this.#request };
      await requireUsable({ ...read, rejected: this.#shown }, counts);
      const answer = await whenCommitting(async () => {
        const { rowsOlder, rowsSuperseded } = await this.#commit(batch, coverage, dates, outcome);
        await settleTaxes(this.#context, this.#channelNumber, { tables });
        const { firstDate, lastDate, ...rest } = counts;
        const superseded = rowsBySource(Object.entries(rowsSuperseded));
        return {
          importId: this.#importId,
          ...rest,
          rowsOlder: outcome.keyedRowsInferred ? 0 : rowsOlder,
          rejected: this.#shown,
          from: firstDate,
          to: lastDate,
          ...(outcome.finance && { finance: { ...outcome.finance, superseded } }),
        };
      });
      const summary = answer.finance ? JSON.stringify(answer.finance) : null;
      await this.#end({ state: 'done', finishedAt: this.#now(), summary });
      return answer;
    } catch (error) {
      if (!this.#committing) await batch.discard().catch(() => undefined);
      throw error;
    }
  }

  async #commit(
    batch: ImportBatch,
    coverage: Readonly<Record<string, Coverage>>,
    dates: Readonly<Record<string, DateRange>>,
    outcome: Outcome,
  ) {
    const timezone = await this.#currentTimezone();
    if (this.#request.signal?.aborted) throw new RequestAbandoned();
    const mayCommit = (await this.#request.mayCommit?.()) ?? true;
    if (!mayCommit) throw this.#refusal('another process is running the same import');
    const settled = await settleOverlaps(
      { ...this.#context, channel: this.#channelNumber, refusal: (text) => this.#refusal(text) },
      this.#request,
      { outcome, coverage, dates },
    );
    // First, so that the document replaces the renamed rows. The new ids change no sum.
    await rename(this.#context.warehouse, this.#channelNumber, outcome.renamings, timezone);
    this.#committing = true;
    return batch.commit(settled, timezone);
  }

  /** Closes a failed import. An error after the commit began may have come too late to stop it. */
  async #close(error: unknown): Promise<void> {
    const finishedAt = this.#now();
    if (this.#committing && (await this.#context.warehouse.isCommitted(this.#importId)))
      await this.#end({ state: 'done', finishedAt });
    else {
      const rowsRead = Math.max(this.#rowsRead, this.#rowsRejected);
      const rowsRejected = this.#rowsRejected;
      const change: Ending['change'] = {
        state: 'failed',
        finishedAt,
        error: recordedError(error),
        // The document was refused as a whole.
        rowsRead,
        rowsRejected,
        rowsSkipped: rowsRead - rowsRejected,
        rowsAccepted: 0,
        rowsMerged: 0,
      };
      await this.#end(change, error);
    }
  }

  #end(change: Ending['change'], cause?: unknown): Promise<void> {
    const ended = { importId: this.#importId, channel: this.#request.channel };
    return recordEnd(this.#context, { ...ended, change, cause });
  }

  /** The channel's time zone, whose days rollups have. It changes only under the lock. */
  async #currentTimezone(): Promise<string> {
    const { channel } = this.#request;
    if (!channel) return 'UTC';
    const found = await findOne(this.#context.registry.records, 'channel', {
      channelNumber: channel.channelNumber,
    });
    if (!found) throw this.#refusal('the channel was deleted during the import');
    return found.timezone;
  }

  /**
   * Waits until no other import compares payments with the merchant's other stores, and holds off
   * others until this one has ended: of two at once, neither would see the other's payments.
   */
  #holdMerchant(): Promise<void> {
    const { organisationId = '', merchantId = '' } = this.#request.channel ?? {};
    const { sellerId } = merchantParts(merchantId);
    this.#merchant ??= new Hold((work) =>
      this.#context.registry.withLock(`merchant ${organisationId} ${sellerId}`, work),
    );
    return this.#merchant.acquired;
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return this.#context.registry.withLock(channelLock(this.#channelNumber), work);
  }

  #withoutRoom({ isAlone, megabytesMax }: SpoolFull): ImportRefused {
    const room = `documents that are not imported yet may take ${megabytesMax} MB on this node`;
    return isAlone
      ? this.#refusal(`the document is too large: ${room}`, true)
      : new ImportDelayed(this.#importId, `${room}, and all of it is taken: try again later`);
  }

  /** The refusal of a document; if another store's, it names the channels of that store. */
  async #refused({ reason, isTooLarge, store }: RefusedDocument): Promise<ImportRefused> {
    const { channel } = this.#request;
    if (channel === undefined || store === undefined) return this.#refusal(reason, isTooLarge);
    const channels = await channelsOfStore(this.#context.registry, channel, store);
    return new ImportRefused(this.#importId, printable(`${reason}${channels}`), [], reason);
  }

  #refusal(reason: string, isTooLarge = false): ImportRefused {
    return new (isTooLarge ? ImportTooLarge : ImportRefused)(this.#importId, reason);
  }

  /** Whether rows are compared with existing facts, which must not change before the commit. */
  get #readsExisting(): boolean {
    const { content } = this.#request;
    return 'document' in content || comparedDatasets.includes(content.dataset);
  }

  async #task(batch: ImportBatch): Promise<ReadingTask> {
    const { content, charset, channel, dateRange, signal: _, ...options } = this.#request;
    const marketplaceId = channel && / @ (A[A-Z0-9]{9,})$/.exec(channel.merchantId)?.[1];
    return {
      content,
      importId: this.#importId,
      stagingFolder: this.#context.warehouse.stagingFolder,
      secret: this.#context.secret,
      sealBound: channel ? sealBoundOf(channel) : '',
      currency: channel?.currency ?? '',
      account: channel?.kind,
      megabytesMax: this.#context.limits.importMegabytes,
      unpackedMegabytesMax: this.#context.limits.spoolMegabytes,
      acceptsMultiDay: options.acceptsMultiDay,
      replaces: options.replaces === true,
      hasLocalTimes: options.hasLocalTimes === true,
      decimalMark: options.decimalMark,
      dateOrder: options.dateOrder,
      timezone: channel?.timezone ?? 'UTC',
      pricesIncludeTax: channel !== undefined && pricesIncludeTax(channel),
      orderTables: this.#readsExisting
        ? await orderTables(this.#context.warehouse, this.#channelNumber)
        : [],
      plainBytesMin: batch.stagePlain === undefined ? Number.POSITIVE_INFINITY : plainBytesMin,
      financeCodes: await addedCodesFor(this.#context.registry.records, this.#request),
      ...(charset === undefined ? {} : { charset }),
      ...(dateRange === undefined ? {} : { dateRange }),
      ...(marketplaceId === undefined ? {} : { marketplaceId }),
    };
  }

  /** Reads the document in a thread and does what the thread requests. */
  async #read(body: AsyncIterable<Buffer>, batch: ImportBatch): Promise<Outcome> {
    try {
      const { importSeconds, importProcessorSeconds } = this.#context.limits;
      return await readInThread(body, await this.#task(batch), {
        signal: this.#request.signal,
        seconds: importSeconds,
        processorSeconds: importProcessorSeconds,
        answer: (request) => this.#answer(request, batch),
        progress: (rowsRead) => this.#update({ rowsRead }),
        refusal: (refused) => this.#refused(refused),
      });
    } catch (error) {
      if (!(error instanceof ThreadFailed)) throw error;
      if (error.isOutOfMemory)
        throw this.#refusal('the document takes more memory than one may: split it by dates', true);
      throw new ReadingFailed(this.#importId, error.place);
    }
  }

  async #answer(request: Request, batch: ImportBatch): Promise<Reply> {
    const { warehouse } = this.#context;
    switch (request.type) {
      case 'staged':
        await batch.stage(request.table, request.path);
        rmSync(request.path, { force: true });
        return {};
      case 'plain': {
        const plain = await batch.stagePlain?.(request.rows);
        return plain === undefined ? {} : { plain };
      }
      case 'rejected':
        await this.#record(request.rejections);
        return {};
      case 'orders':
        return { orders: await lookUpOrders(warehouse, this.#channelNumber, request) };
      case 'lookup':
        if (request.lookup === 'eventsElsewhere') await this.#holdMerchant();
        return { rows: await lookUpRows(this.#context, this.#request.channel, request) };
    }
  }

  /** Counts all rejected rows, and stores the first of them. */
  async #record(rejections: readonly Rejection[]): Promise<void> {
    const stored = rejections.slice(0, Math.max(0, rejectionsStoredMax - this.#rowsRejected));
    this.#rowsRejected += rejections.length;
    this.#shown.push(...stored.slice(0, rejectionsShown - this.#shown.length));
    if (stored.length === 0) return;
    await this.#context.registry.records
      .insertInto('importRejection')
      .values(stored.map((rejection) => ({ importId: this.#importId, ...rejection })))
      .execute();
  }

  /** Rejects rows with the key of an earlier row and returns their number. */
  async #rejectDuplicates(batch: ImportBatch, tables: readonly string[]): Promise<number> {
    const before = this.#rowsRejected;
    for (const table of tables) {
      // In tables replaced by key, the later row of a document replaces the earlier one.
      if (factTable(table).replacement === 'byKey') continue;
      for await (const duplicates of batch.duplicates(table)) {
        await this.#record(
          duplicates.map(({ line, keptLine }) => ({
            line,
            reason: `repeats the key of line ${keptLine}`,
          })),
        );
      }
    }
    return this.#rowsRejected - before;
  }

  async #update(change: Partial<Omit<ImportRecord, 'importId'>>): Promise<void> {
    await this.#context.registry.records
      .updateTable('import')
      .set(change)
      .where('importId', '=', this.#importId)
      .execute();
  }
}
