/** The session of one import in the reading thread: readers of documents write to it. */
import { join } from 'node:path';
import { isoDate } from '../calendar/period.ts';
import type { FinanceSource } from '../contract/importable.ts';
import type { DateRange } from '../engine/warehouse.ts';
import { makeHashes } from './cells/customer.ts';
import { Notation } from './cells/notation.ts';
import { CoverageCollector } from './coverage.ts';
import type { Cells } from './datasets/dataset.ts';
import { datasets, documentRows } from './datasets/datasets.ts';
import { NamesWithIds, noRenamings, type Renamings } from './documents/advertising/provisional.ts';
import { ExistingFacts } from './existing.ts';
import { Ledger } from './ledger/ledger.ts';
import type {
  AttributionDays,
  Connection,
  Outcome,
  ReadingTask,
  Rejection,
  Reply,
} from './messages.ts';
import { MissingOptions, multiDayReason } from './missingOptions.ts';
import type { OrderLookup } from './orders/lines.ts';
import { OrderLineRows } from './orders/orderLineRows.ts';
import { OrderReader } from './orders/reader.ts';
import { OtherStores } from './otherStores.ts';
import { PlainReader } from './plainReader.ts';
import { printable } from './refused.ts';
import { type Reject, type RowOutput, RowReader } from './rows.ts';
import { Stager } from './staging.ts';

const rejectionsPerMessage = 500;
const rowsBetweenProgress = 20_000;
const firstRejectionsMax = 5;
const reasonCharactersMax = 1000;
/** The number of staged files that may wait for the warehouse while reading continues. */
const filesAhead = 2;

/** Takes the rows of a document, counts them, and looks up existing facts. */
export class ImportSession {
  readonly #task: ReadingTask;
  readonly #connection: Connection;
  readonly #stager: Stager;
  readonly #output: RowOutput;
  readonly #readers = new Map<string, RowReader>();
  readonly #inferredReaders = new Map<string, RowReader>();
  readonly #filesLoading: Promise<Reply>[] = [];
  readonly #rejections: Rejection[] = [];
  readonly #firstRejections: Rejection[] = [];
  #rowsRejected = 0;
  #rounded = 0;
  #progressSent = 0;
  #ledger: Ledger | undefined;
  readonly #names = new NamesWithIds();
  #renamings: Renamings | undefined;
  #orderLines: OrderLineRows | undefined;
  /** Looks up existing facts. */
  readonly existing: ExistingFacts;
  /** Reads orders with their items. */
  readonly orders: OrderReader;
  /** The rows of other stores. */
  readonly otherStores = new OtherStores();
  /** The options that the document needs but the import lacks. */
  readonly missing = new MissingOptions();
  /** How the document writes times and amounts. */
  readonly notation: Notation;
  /** Rejects a row. */
  readonly reject: Reject;
  /** Rows read so far. */
  rowsRead = 0;
  /** The encoding of the document; null for spreadsheets. */
  encoding: string | null = null;

  constructor(task: ReadingTask, connection: Connection, now: number) {
    this.#task = task;
    this.#connection = connection;
    this.existing = new ExistingFacts(connection);
    this.#stager = new Stager(task.stagingFolder, `import-${task.importId}`, (table, path) =>
      this.#load(table, path),
    );
    this.reject = (line, reason) => this.#reject(line, reason);
    const zone = task.hasLocalTimes ? task.timezone : undefined;
    this.notation = new Notation(
      { zone, mark: task.decimalMark, order: task.dateOrder },
      this.missing,
    );
    this.#output = {
      context: { currency: task.currency, ...makeHashes(task.secret, task.sealBound), now },
      stager: this.#stager,
      reject: this.reject,
      coverage: new CoverageCollector(),
      noteRounded: () => {
        this.#rounded++;
      },
      dateRange: task.dateRange,
      timezone: task.timezone,
      pricesIncludeTax: task.pricesIncludeTax,
      // The readers of documents turn amounts into plain ones themselves.
      notation:
        'dataset' in task.content ? this.notation : new Notation({ zone, mark: '.' }, this.missing),
    };
    const mayExist = task.orderTables.length > 0;
    this.orders = new OrderReader(this.#output, mayExist ? this.#lookUpOrders : undefined);
  }

  /** The channel's currency; "" if the rows belong to no channel. */
  get currency(): string {
    return this.#task.currency;
  }

  /** The memory that reading the document may take. */
  get megabytesMax(): number {
    return this.#task.megabytesMax;
  }

  /** The path at which to store a large document that is not read from start to end. */
  get documentPath(): string {
    return join(this.#task.stagingFolder, `import-${this.#task.importId}.json`);
  }

  /** IANA zone of the channel's days. */
  get timezone(): string {
    return this.#task.timezone;
  }

  /** When the document is read, epoch seconds. */
  get now(): number {
    return this.#output.context.now;
  }

  /** The id of the channel's marketplace, if its merchantId contains it. */
  get marketplaceId(): string | undefined {
    return this.#task.marketplaceId;
  }

  /** The kind of the channel's account. */
  get account(): ReadingTask['account'] {
    return this.#task.account;
  }

  /** Whether multi-day rows are accepted. */
  get acceptsMultiDay(): boolean {
    return this.#task.acceptsMultiDay;
  }

  /** Whether to remove facts that the rows overlap without replacing them. */
  get replaces(): boolean {
    return this.#task.replaces;
  }

  /** The dates that the import is to cover. */
  get dateRange(): DateRange | undefined {
    return this.#task.dateRange;
  }

  /** The attribution window of advertising figures that the import names. */
  get attributionDays(): AttributionDays | undefined {
    return 'document' in this.#task.content ? this.#task.content.attributionDays : undefined;
  }

  /** The rejected rows so far: their number, and the first few. */
  get rejected(): { readonly rows: number; readonly first: readonly Rejection[] } {
    return { rows: this.#rowsRejected, first: this.#firstRejections };
  }

  /** The reader of rows of a dataset. */
  rows(dataset: string): RowReader {
    const reader = this.#readerIn(this.#readers, dataset, this.#output);
    if (dataset === 'orderLines' && this.#task.orderTables.includes('order_record')) {
      const stage = (cells: Cells, line: number) => reader.stage(cells, line);
      const held = new OrderLineRows(stage, this.#lookUpOrders);
      this.#orderLines = held;
      reader.hold = (cells, line) => held.add(cells, line);
    }
    return reader;
  }

  /** How the engine reads rows of a dataset; undefined if it cannot. */
  plainRows(dataset: string, rows: RowReader): PlainReader | undefined {
    return PlainReader.of(datasets[dataset]!, {
      task: this.#task,
      connection: this.#connection,
      stager: this.#stager,
      rows,
    });
  }

  /**
   * The reader of inferred rows. They are not counted, do not replace imported rows, and are
   * dropped silently if they are invalid.
   */
  inferred(dataset: string): RowReader {
    const context = { ...this.#output.context, now: 0 };
    const none = () => undefined;
    const output = { ...this.#output, context, reject: none, noteRounded: none };
    return this.#readerIn(this.#inferredReaders, dataset, output);
  }

  /** Opens the ledger of the document's amounts. Call once, as a document has one source. */
  ledger(source: FinanceSource): Ledger {
    const { coverage } = this.#output;
    this.#ledger = new Ledger(source, {
      output: this.#output,
      codes: this.#task.financeCodes,
      flush: () => this.#flushFiles(),
      askExisting: (lookup, keys, days) => this.existing.rows(lookup, keys, days),
      supersede(sources, instants) {
        for (const one of sources) coverage.addPartition('finance_event', one);
        coverage.addSuperseded('finance_event', instants);
      },
    });
    return this.#ledger;
  }

  /**
   * Declares that the document covers only a partition of its days, such as a type of advertising.
   */
  coverPartition(table: string, partition: string): void {
    this.#output.coverage.addPartition(table, partition);
  }

  /** Declares that the document covers all of these days, even days without rows. */
  coverDays(table: string, { first, last }: DateRange): void {
    this.#output.coverage.addDay(table, first);
    this.#output.coverage.addDay(table, last);
  }

  /**
   * The date (`YYYY-MM-DD`) on which a row of these days counts: the last one. If it covers several
   * days and the import does not accept that, rejects the row and returns undefined.
   */
  postingDate(line: number, first: number, last: number): string | undefined {
    if (first === last || this.#task.acceptsMultiDay) return isoDate(last);
    this.missing.needCoarse(first, last);
    this.reject(line, multiDayReason(first, last));
    return undefined;
  }

  /** Rejects a row because neither it nor the import has a date. */
  rejectUndated(line: number): void {
    this.missing.needDates();
    this.reject(line, 'has no date: pass the day of its figures as from=YYYY-MM-DD&to=YYYY-MM-DD');
  }

  /** Declares that the document supersedes existing figures of an id in a partition. */
  supersede(table: string, report: string, id: string, last: number): void {
    this.#output.coverage.supersede(table, `${report}@${id}@${isoDate(last)}`);
  }

  /** Flushes full files, blocks and messages. Await it regularly while reading rows. */
  readonly flush = async (): Promise<void> => {
    await this.#ledger?.flush();
    await this.orders.flush();
    await this.#orderLines?.flush();
    await this.#flushFiles();
  };

  /**
   * Flushes all staged files and rejections, and finds the provisional ids whose own ids are now
   * known.
   */
  async flushAll(): Promise<void> {
    await this.#orderLines?.flushAll();
    await this.#stager.flushAll();
    await Promise.all(this.#filesLoading);
    await this.flushRejections();
    await this.renamings();
  }

  /** The provisional ids for which the document has the own ids; call once all names are staged. */
  async renamings(): Promise<Renamings> {
    const { existing } = this;
    this.#renamings ??= await this.#names.renamings({
      provisionalCampaigns: () => existing.rows('provisionalCampaigns'),
      provisionalAdGroups: () => existing.rows('provisionalAdGroups'),
      adGroupsOf: (campaignIds) => existing.adGroupsOf(campaignIds),
      provisionalKeywords: () => existing.rows('provisionalKeywords'),
      keywordsOf: (adGroupIds) => existing.keywordsOf(adGroupIds),
    });
    return this.#renamings;
  }

  /** Closes the files of rows that were not flushed. The import removes them. */
  close(): void {
    this.#stager.close();
  }

  /** Flushes all rejections. */
  flushRejections(): Promise<void> {
    return this.#sendRejections(1);
  }

  /** The outcome of reading a document of this kind or dataset. */
  outcome(recognised: string): Outcome {
    const readers = this.#countedReaders;
    const rowsAccepted = this.#rowsAccepted;
    const settled = this.#rowsOfStore + this.otherStores.rows;
    return {
      recognised,
      // A JSON document is one value: its rows were counted when each was settled.
      rowsRead: Math.max(this.rowsRead, settled),
      rowsAccepted,
      rounded: this.#rounded,
      encoding: this.encoding,
      otherStores: this.otherStores.rows,
      rowsMultiDay: readers.reduce((sum, reader) => sum + reader.rowsMultiDay, 0),
      keyedRowsInferred: this.#inferredReaders.size > 0 && this.orders.rowsAccepted === 0,
      coverage: this.#output.coverage.collected,
      renamings: this.#renamings ?? noRenamings,
      ...(this.#ledger && { finance: this.#ledger.summary() }),
    };
  }

  /** Refuses a document of another store, and one that needs options which the import lacks. */
  refuseUnlessReadable(): void {
    this.otherStores.refuseIfAlone(this.#rowsOfStore);
    this.missing.refuseUnless(this.#rowsAccepted);
  }

  get #countedReaders() {
    return [...this.#readers.values(), this.#ledger].filter((one) => one !== undefined);
  }

  /** The rows of the channel's own store: accepted, rejected and skipped. */
  get #rowsOfStore(): number {
    const skipped = [...this.#readers.values()].reduce((sum, one) => sum + one.rowsSkipped, 0);
    return this.#rowsAccepted + this.#rowsRejected + skipped;
  }

  get #rowsAccepted(): number {
    const { rowsAccepted } = this.orders;
    return this.#countedReaders.reduce((sum, reader) => sum + reader.rowsAccepted, rowsAccepted);
  }

  async #flushFiles(): Promise<void> {
    if (this.#stager.full) await this.#stager.flush();
    await this.#sendRejections(rejectionsPerMessage);
    if (this.rowsRead - this.#progressSent < rowsBetweenProgress) return;
    this.#progressSent = this.rowsRead;
    this.#connection.send({ type: 'progress', rowsRead: this.rowsRead });
  }

  async #sendRejections(min: number): Promise<void> {
    while (this.#rejections.length >= min) {
      const rejections = this.#rejections.splice(0, rejectionsPerMessage);
      await this.#connection.request({ type: 'rejected', rejections });
    }
  }

  async #load(table: string, path: string): Promise<void> {
    this.#filesLoading.push(this.#connection.request({ type: 'staged', table, path }));
    if (this.#filesLoading.length > filesAhead) await this.#filesLoading.shift();
  }

  #readerIn(readers: Map<string, RowReader>, dataset: string, output: RowOutput): RowReader {
    let reader = readers.get(dataset);
    if (!reader) {
      const isNamed = ['campaigns', 'adGroups', 'keywords'].includes(dataset);
      const onRow = (cells: Cells) => this.#names.note(cells);
      reader = new RowReader(
        (datasets[dataset] ?? documentRows[dataset])!,
        isNamed ? { ...output, onRow } : output,
      );
      readers.set(dataset, reader);
    }
    return reader;
  }

  #reject(line: number, reason: string): void {
    this.missing.noteRejection();
    const shown =
      reason.length > reasonCharactersMax ? `${reason.slice(0, reasonCharactersMax)}…` : reason;
    const rejection = { line, reason: printable(shown) };
    this.#rejections.push(rejection);
    if (this.#firstRejections.length < firstRejectionsMax) this.#firstRejections.push(rejection);
    this.#rowsRejected++;
  }

  readonly #lookUpOrders = (lookup: OrderLookup) => this.existing.orders(lookup);
}
