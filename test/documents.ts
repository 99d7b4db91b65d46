/**
 * Channels that are held in memory: documents are read as by an import, and their rows go to the
 * model that both engines are compared with. So what a document says is tested without stores.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { factTable } from '../schema/warehouse/tables.ts';
import { pricesIncludeTax } from '../src/access/channels.ts';
import { dayNumber } from '../src/calendar/period.ts';
import { countryAlpha3 } from '../src/contract/countries.ts';
import type { DateRange, Row } from '../src/engine/warehouse.ts';
import { coverageOf, datesOf } from '../src/import/covered.ts';
import { rejectionError, rowsWere } from '../src/import/failures.ts';
import { readContent } from '../src/import/formats/content.ts';
import { rowsBySource } from '../src/import/ledger/summary.ts';
import type { Lookup, ReadingTask, Rejection, Reply, Request } from '../src/import/messages.ts';
import { DocumentRefused, DocumentTooLarge } from '../src/import/refused.ts';
import type { ImportRequest } from '../src/import/request.ts';
import { ImportSession } from '../src/import/session.ts';
import { countTwice, ownOverlap } from '../src/import/spans.ts';
import { extremesOf, tablesOf } from '../src/import/tables.ts';
import { atEnd } from './endings.ts';
import { type Answer, type ChannelSettings, channelDefaults, clockStart } from './harness.ts';
import { temporaryRoot } from './servers/process.ts';
import { type Cells, cellOf, type Document, keyOf } from './warehouse.ts';
import { Model } from './warehouseModel.ts';

/** The table that a look-up reads, and the column of its keys. */
const lookups: Partial<Record<Lookup, readonly [table: string, column: string]>> = {
  campaignsNamed: ['campaign', 'name'],
  adGroupsOf: ['ad_group', 'campaign_id'],
  keywordsOf: ['keyword', 'ad_group_id'],
  adGroupsOfKeywords: ['keyword', 'keyword_id'],
  campaignDays: ['campaign_day', 'campaign_id'],
  adGroupDays: ['ad_group_day', 'ad_group_id'],
  keywordDays: ['keyword_day', 'keyword_id'],
  keywordDaysByAdGroup: ['keyword_day', 'ad_group_id'],
  campaignImports: ['campaign_day', 'report'],
  adGroupImports: ['ad_group_day', 'report'],
  keywordImports: ['keyword_day', 'report'],
  existingProducts: ['product', 'sku'],
  skusOfProducts: ['product', 'product_id'],
  claimsOn: ['finance_claim', 'superseded'],
  eventsOfOrders: ['finance_event', 'order_id'],
  eventsOfUnits: ['finance_event', 'unit'],
};

let folder: Promise<string> | undefined;
let importsMade = 0;

function stagingFolder(): Promise<string> {
  folder ??= temporaryRoot().then(async (root) => {
    const made = await mkdtemp(join(root, 'vitrine-documents-'));
    atEnd(() => rm(made, { recursive: true, force: true }));
    return made;
  });
  return folder;
}

/** A channel with every fact in memory. */
export class MemoryChannel {
  readonly #model = new Model();
  readonly #settings: ChannelSettings;
  readonly #limits: Pick<ReadingTask, 'megabytesMax' | 'unpackedMegabytesMax'>;

  /** A channel with settings, and a limit on the memory of a document. */
  constructor(settings: Partial<ChannelSettings> = {}, megabytesMax = 512) {
    this.#settings = { ...channelDefaults, ...settings };
    this.#limits = { megabytesMax, unpackedMegabytesMax: 512 };
  }

  /** Imports a document as it was downloaded; answers like `importDocument`. */
  import(document: string | Buffer, query = '', charset?: string): Promise<Answer> {
    const { type, attribution } = Object.fromEntries(new URLSearchParams(query));
    const content: ImportRequest['content'] = {
      document: true,
      ...(attribution && { attributionDays: attribution === '7' ? 7 : 14 }),
      ...(type && { kind: type }),
    };
    return this.#import(document, content, query, charset);
  }

  /** Imports the rows of a dataset that a text has. */
  post(
    dataset: string,
    body: string | Buffer,
    format: 'ndjson' | 'csv' = 'ndjson',
    query = '',
    charset?: string,
  ): Promise<Answer> {
    return this.#import(body, { dataset, format }, query, charset);
  }

  /** Imports rows of a dataset and expects every one of them to be taken. */
  async importRows(dataset: string, rows: readonly object[]): Promise<Answer> {
    const answer = await this.post(dataset, rows.map((row) => JSON.stringify(row)).join('\n'));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(answer.body.rejected, []);
    return answer;
  }

  /** Rows of a table, each as the list of its values, in their order; amounts in millionths. */
  held(table: string, columns: string): unknown[][] {
    const names = columns.split(', ');
    const rows = this.#model.of(table).map((cells) => names.map((name) => cells[name]!));
    return rows.sort((one, other) => {
      const place = one.findIndex((value, at) => value !== other[at]);
      return place < 0 ? 0 : one[place]! < other[place]! ? -1 : 1;
    });
  }

  async #import(
    document: string | Buffer,
    content: ImportRequest['content'],
    query: string,
    charset?: string,
  ): Promise<Answer> {
    const importId = ++importsMade;
    const { from, to, coarse, zone, decimal, dates, replace } = Object.fromEntries(
      new URLSearchParams(query),
    );
    const dateRange = from && to ? { first: dayNumber(from), last: dayNumber(to) } : undefined;
    const task: ReadingTask = {
      content,
      importId,
      stagingFolder: await stagingFolder(),
      ...this.#limits,
      secret: 'secret-of-the-tests',
      sealBound: 'a channel in memory',
      acceptsMultiDay: coarse === 'lastDay',
      replaces: replace === 'true',
      hasLocalTimes: zone === 'channel',
      timezone: this.#settings.timezone,
      currency: this.#settings.currency,
      account: this.#settings.kind,
      pricesIncludeTax: pricesIncludeTax({
        pricesIncludeTax: null,
        ...this.#settings,
        countryCode: countryAlpha3(this.#settings.countryCode)!,
      }),
      orderTables: ['order_record', 'order_line'].filter((one) => this.#model.of(one).length > 0),
      plainBytesMin: Number.POSITIVE_INFINITY,
      financeCodes: { own: [], named: [] },
      ...(decimal !== undefined && { decimalMark: decimal === 'comma' ? ',' : '.' }),
      ...(dates !== undefined && { dateOrder: dates as NonNullable<ReadingTask['dateOrder']> }),
      ...(charset !== undefined && { charset }),
      ...(dateRange !== undefined && { dateRange }),
      ...marketplaceOf(this.#settings),
    };
    try {
      return { ...(await this.#take(Buffer.from(document), task)), headers: {} };
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      const status = error instanceof DocumentTooLarge ? 413 : 400;
      return { status, body: { error: `${error.message} (import ${importId})` }, headers: {} };
    }
  }

  async #take(bytes: Buffer, task: ReadingTask): Promise<Pick<Answer, 'status' | 'body'>> {
    const rejected: Rejection[] = [];
    const staged: StagedRows = {};
    const session = new ImportSession(
      task,
      {
        send: () => undefined,
        request: async (request) => this.#answer(request, staged, rejected),
      },
      clockStart / 1000,
    );
    let recognised: string;
    try {
      recognised = await readContent(task, session, Readable.from([bytes]));
      session.refuseUnlessReadable();
      await session.flushAll();
    } finally {
      session.close();
    }
    const outcome = session.outcome(recognised);
    const { rowsRead, rowsMultiDay, rounded, otherStores, encoding, finance } = outcome;
    const repeated = repeatedRows(staged);
    rejected.push(...repeated);
    const rowsMerged = 'dataset' in task.content ? merged(staged, recognised) : 0;
    const rowsAccepted = outcome.rowsAccepted - repeated.length - rowsMerged;
    const request = this.#requestOf(task);
    const coverage = coverageOf(request, outcome.coverage, tablesOf(recognised));
    const { firstDate, lastDate } = extremesOf(datesOf(request, outcome.coverage, coverage));
    const body = {
      dataset: recognised,
      rowsRead,
      rowsAccepted,
      rowsMerged,
      rowsRejected: rejected.length,
      rowsSkipped: rowsRead - rowsAccepted - rowsMerged - rejected.length,
      rowsCoarse: rowsMultiDay,
      rounded,
      otherStores,
      encoding,
      rowsOlder: 0,
      rejected: rejected.slice(0, 100),
      from: firstDate,
      to: lastDate,
    };
    if (rowsRead === 0 && !task.dateRange) throw new DocumentRefused('the document has no rows');
    if (rejected.length > 0 && rowsAccepted === 0) {
      const start = `nothing was imported, because ${rowsWere(rejected.length)} rejected`;
      return {
        status: 422,
        body: { ...body, error: rejectionError(start, rejected.length, rejected) },
      };
    }
    const own = ownOverlap(outcome.coverage.grains);
    if (own !== undefined) throw new DocumentRefused(countTwice(own));
    const document: Document = Object.fromEntries(
      Object.entries(staged).map(([table, rows]) => [table, rows.map(({ cells }) => cells)]),
    );
    const removed = Object.values(coverage).filter((one) => one.removed !== undefined);
    assert.deepEqual(removed, [], 'only stores remove rows by a condition');
    for (const [table, superseded] of Object.entries(outcome.coverage.superseded))
      this.#model.supersede(table, superseded);
    const { rowsOlder, rowsSuperseded } = this.#model.land(document, coverage, task.importId);
    if (!outcome.keyedRowsInferred) body.rowsOlder = rowsOlder;
    const superseded = rowsBySource(Object.entries(rowsSuperseded));
    return {
      status: 200,
      body: { ...body, ...(finance && { finance: { ...finance, superseded } }) },
    };
  }

  #requestOf({ content, acceptsMultiDay, dateRange, timezone }: ReadingTask): ImportRequest {
    return {
      content,
      acceptsMultiDay,
      abortOnRejection: false,
      channel: { timezone } as ImportRequest['channel'] & object,
      ...(dateRange && { dateRange }),
    };
  }

  #answer(request: Request, staged: StagedRows, rejected: Rejection[]): Reply {
    switch (request.type) {
      case 'staged':
        staged[request.table] ??= [];
        staged[request.table]!.push(...stagedRows(request.table, request.path));
        return {};
      case 'rejected':
        rejected.push(...request.rejections);
        return {};
      case 'plain':
        return assert.fail('no engine reads rows here');
      case 'orders': {
        const { orderIds, days } = request;
        const of = (table: string) => this.#rows(table, 'order_id', orderIds, days);
        return { orders: ordersOf(of('order_line'), of('order_record')) };
      }
      case 'lookup': {
        const [table, column] = lookups[request.lookup] ?? ['', ''];
        // The others look for ids that were made up.
        if (table === '') return { rows: [] };
        const days = factTable(table).spansByRow ? undefined : request.days;
        const rows = this.#rows(table, column, request.keys, days);
        if (factTable(table).spansByRow)
          return { rows: rows.map((row) => ({ ...row, id: row[column]! })) };
        return { rows: request.lookup === 'existingProducts' ? rows.map(withNobody) : rows };
      }
    }
  }

  #rows(table: string, column: string, keys: readonly string[], days?: DateRange): Row[] {
    const { first, last } = days ?? { first: 0, last: 0 };
    const isAnyDay = days === undefined || factTable(table).day === null;
    const matches = ({ [column]: key, day }: Cells) =>
      keys.includes(String(key)) && (isAnyDay || (Number(day) >= first && Number(day) <= last));
    return this.#model.of(table).filter(matches) as Row[];
  }
}

/** A product with unknown fulfilment, as a store returns it. */
function withNobody(row: Row): Row {
  return row.fulfilled_by_marketplace === -1 ? { ...row, fulfilled_by_marketplace: null } : row;
}

type StagedRows = Record<string, { readonly line: number; readonly cells: Cells }[]>;

function marketplaceOf({ merchantId }: ChannelSettings): { marketplaceId?: string } {
  const marketplaceId = / @ (A[A-Z0-9]{9,})$/.exec(merchantId)?.[1];
  return marketplaceId === undefined ? {} : { marketplaceId };
}

/** The rows of a staged file, which it removes. */
function stagedRows(table: string, path: string): StagedRows[string] {
  const columns = Object.entries(factTable(table).columns);
  const rows: StagedRows[string] = [];
  let texts: string[] = [];
  for (const [, text, end] of readFileSync(path, 'utf8').matchAll(
    /('(?:[^']|'')*'|[^,\n]*)([,\n])/g,
  )) {
    texts.push(text!.startsWith("'") ? text!.slice(1, -1).replaceAll("''", "'") : text!);
    if (end === ',') continue;
    const [, line, ...values] = texts;
    const cells = columns.map(([name, type], place) => [name, cellOf(values[place]!, type)]);
    rows.push({ line: Number(line), cells: Object.fromEntries(cells) });
    texts = [];
  }
  rmSync(path);
  return rows;
}

/** Rows of dated tables with the key of an earlier row, which stays. */
function repeatedRows(staged: StagedRows): Rejection[] {
  return Object.entries(staged).flatMap(([table, rows]) => {
    if (factTable(table).replacement !== 'byDay') return [];
    const first = new Map<string, number>();
    return rows.flatMap(({ line, cells }) => {
      const earlierLine = first.get(keyOf(table, cells));
      if (earlierLine !== undefined)
        return [{ line, reason: `repeats the key of line ${earlierLine}` }];
      first.set(keyOf(table, cells), line);
      return [];
    });
  });
}

/** How many rows of a dataset others of the same key replace. */
function merged(staged: StagedRows, dataset: string): number {
  const [table = ''] = tablesOf(dataset);
  if (factTable(table).replacement !== 'byKey') return 0;
  const rows = staged[table] ?? [];
  return rows.length - new Set(rows.map(({ cells }) => keyOf(table, cells))).size;
}

function ordersOf(lines: readonly Row[], records: readonly Row[]): NonNullable<Reply['orders']> {
  const by = (row: Row) => row.order_id as string;
  return {
    lines: new Map([...Map.groupBy(lines, by)]) as never,
    states: new Map(
      records.map((row) => [
        by(row),
        {
          purchasedAt: Number(row.purchased_at),
          updatedAt: Number(row.updated_at),
          itemsAt: Number(row.items_at),
          status: String(row.status),
          customer: String(row.customer),
        },
      ]),
    ),
    records: new Map(
      records.map((row) => [
        by(row),
        { record: String(row.record), sealedEmail: String(row.sealed_email) },
      ]),
    ),
  };
}
