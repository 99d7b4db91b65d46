/**
 * The served warehouse: ClickHouse, asked over HTTP by any number of nodes.
 *
 * Nothing is ever changed in place. Each change of a channel's facts is a version, numbered within the channel, and writes its rows beside
 * those of earlier versions; `visible_day` tells which days of which table it takes over. The one row that says `landed` in `landing` makes
 * all of it visible at once. A reader first asks which version of each channel has landed, its pin, and then sees of each day the rows of
 * the last version up to its pin that took the day over, whatever lands meanwhile. Versions that never landed are passed over for ever.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
  drainStream,
  type Row as Line,
  type StreamReadable,
} from '@clickhouse/client';
import {
  type ColumnType,
  type Dependency,
  dependencies,
  type FactTable,
  facts,
  factTable,
  historyMax,
  rollupSources,
  rollups,
  schemaVersion,
} from '../../../schema/warehouse/tables.ts';
import { isoDate } from '../../calendar/period.ts';
import { DeadlineExceeded, StoreUnavailable } from '../errors.ts';
import type { StoreStatus } from '../health.ts';
import { type Question, tablePattern } from '../question.ts';
import { inTurn, type Stop, stopAt } from '../reading.ts';
import {
  ordersFromDay,
  rollupAsked,
  rollupDays,
  rollupQuestions,
  type TouchedDays,
} from '../rollup.ts';
import type {
  Ask,
  BatchKey,
  CommitResult,
  Coverage,
  DateRange,
  DuplicateRow,
  ImportBatch,
  Parameters,
  QueryLimits,
  Row,
  Stream,
  TableExtent,
  Warehouse,
} from '../warehouse.ts';
import { dateOf, literalText, parameterValues, quoted, statementText } from './vocabulary.ts';

const connectionsMax = 32;
const pingTimeoutMilliseconds = 5_000;
/** Longer than anything takes: questions have their deadlines, and a connection that broke is noticed by its silence below HTTP. */
const requestTimeoutMilliseconds = 6 * 3_600_000;
const commitTries = 5;
const commitRetryMilliseconds = 500;
const secondsPerDay = 86_400;
const repeatedPage = 2048;
/** Keys of one import that are held in memory at a time: a larger import is compared in several passes. */
const keysPerPass = 1_000_000;
/** Up to so many keys are looked up in what is held, rather than compared with all of it. */
const keysLookedUp = 20_000;
const spreadOfArrivals = 2 ** 20;

const memoryBytesMax = 1_000_000_000;
const spillBytes = 150_000_000;

const columnTypes: Record<ColumnType, string> = {
  Int32: 'Int32',
  Int64: 'Int64',
  Float64: 'Float64',
  Text: 'String',
  Date: 'Date32',
  Amount: 'Decimal(18, 6)',
};
/** Those of rollups, whose amounts are sums and so may have more digits than any fact. */
const sumTypes: Record<ColumnType, string> = { ...columnTypes, Amount: 'Decimal(38, 6)' };

const tablesWithTypes = [
  ...facts.map((table) => ({
    ...table,
    types: columnTypes,
    compactAmounts: [] as readonly string[],
  })),
  ...rollups.map((table) => ({
    compactAmounts: [] as readonly string[],
    ...table,
    types: sumTypes,
  })),
];

/** What makes ClickHouse read SQL as DuckDB does. */
const dialect: ClickHouseSettings = {
  join_use_nulls: 1,
  union_default_mode: 'DISTINCT',
  cast_keep_nullable: 1,
  // Else a condition on a column would be one on the column of the answer that has its name, and miss the primary key.
  prefer_column_name_to_alias: 1,
  aggregate_functions_null_for_empty: 1,
};

const bounds: ClickHouseSettings = {
  max_memory_usage: String(memoryBytesMax),
  max_bytes_before_external_group_by: String(spillBytes),
  max_bytes_before_external_sort: String(spillBytes),
};

const readingSettings: ClickHouseSettings = {
  ...dialect,
  ...bounds,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  // An error after the first rows would otherwise look like the end of the answer.
  wait_end_of_query: 1,
};

/** The last line of an answer that streams: without it, the answer has no end. */
const endLine = 'end';

/** Names, types and rows are lines of JSON, which are sent as they are found. */
const streamingSettings: ClickHouseSettings = {
  ...readingSettings,
  wait_end_of_query: 0,
  format_custom_escaping_rule: 'JSON',
  format_custom_field_delimiter: ',',
  format_custom_row_before_delimiter: '[',
  format_custom_row_after_delimiter: ']\n',
  format_custom_row_between_delimiter: '',
  format_custom_result_before_delimiter: '',
  format_custom_result_after_delimiter: `${endLine}\n`,
};

const writingSettings: ClickHouseSettings = {
  ...dialect,
  ...bounds,
  async_insert: 0,
  wait_end_of_query: 1,
  max_execution_time: 0,
  max_insert_threads: '1',
  min_insert_block_size_rows: '500000',
  min_insert_block_size_bytes: '67108864',
  max_query_size: '33554432',
  max_partitions_per_insert_block: '0',
};

const stagingSettings: ClickHouseSettings = {
  ...writingSettings,
  input_format_csv_detect_header: 0,
  input_format_csv_empty_as_default: 0,
  input_format_csv_trim_whitespaces: 0,
};

/** Codes of errors that are not the question's fault: access, memory, disk, overload, a server on its way down. */
const unavailableCodes: ReadonlySet<string> = new Set(
  [
    3, 74, 75, 76, 81, 192, 193, 194, 198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279,
    286, 319, 394, 425, 439, 473, 497, 516, 568, 614, 700, 999, 1000,
  ].map(String),
);
const timeoutCode = '159';

/** Connects to `http(s)://user:password@host:8123/database`. Throws StoreUnavailable where the server does not answer. */
export async function openClickhouse(url: string, stagingFolder: string): Promise<Warehouse> {
  mkdirSync(stagingFolder, { recursive: true });
  removeForgottenFiles(stagingFolder);
  const client = createClient({
    url,
    application: 'vitrine',
    request_timeout: requestTimeoutMilliseconds,
    max_open_connections: connectionsMax,
    use_multipart_params_auto: true,
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    // The client's own log holds SQL and parameters.
    log: { level: 127 },
  });
  try {
    const timeout = AbortSignal.timeout(pingTimeoutMilliseconds);
    const answer = await client.query({
      query: "SELECT toString(getSetting('readonly')) AS permitted, currentDatabase() AS name",
      format: 'JSONCompact',
      abort_signal: timeout,
    });
    const [permitted, name] = ((await answer.json()) as { data: string[][] }).data[0]!;
    return new Clickhouse(
      client,
      `\`${name!.replaceAll('`', '``')}\``,
      permitted === '0',
      stagingFolder,
    );
  } catch (error) {
    await client.close();
    throw new StoreUnavailable('warehouse', error);
  }
}

/** Up to which version of each channel a question sees, and the versions below those that never landed. */
type Pin = {
  readonly channels: readonly number[];
  readonly versions: readonly number[];
  readonly dead: readonly (readonly [number, number])[];
};

/** One change of a channel's facts while it is being made. */
type Change = {
  readonly channel: number;
  readonly importId: number;
  readonly version: number;
  /** What is visible now, and what will be when the change has landed. */
  readonly before: Pin;
  readonly after: Pin;
};

class Clickhouse implements Warehouse {
  readonly engine = 'clickhouse';
  readonly stagingFolder: string;
  readonly #client: ClickHouseClient;
  readonly #name: string;
  readonly #mayWrite: boolean;
  readonly #texts = new WeakMap<Question, string>();
  #closed = false;

  constructor(client: ClickHouseClient, name: string, mayWrite: boolean, stagingFolder: string) {
    this.#client = client;
    this.#name = name;
    this.#mayWrite = mayWrite;
    this.stagingFolder = stagingFolder;
  }

  async migrate(): Promise<void> {
    const durably = 'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1';
    await this.#run(
      `CREATE TABLE IF NOT EXISTS warehouse_version (version Int32) ENGINE = MergeTree ORDER BY version ${durably}`,
    );
    const [held] = await this.#rows('SELECT max(version) AS version FROM warehouse_version');
    const version = held!.version as number | null;
    if (version === schemaVersion) return;
    if (version !== null && version > schemaVersion) {
      throw new Error(
        `The warehouse has schema version ${version}, newer than this program's ${schemaVersion}: use a newer release`,
      );
    }
    const all = tablesWithTypes.map(({ name, columns, key, types, compactAmounts: narrow }) => {
      const list = Object.entries(columns).filter(([column]) => column !== 'day');
      const order = key.filter((column) => column !== 'day');
      const indexes = [
        ...columnsLookedUp(name).map(
          (column) => `, INDEX ${column}_known ${column} TYPE bloom_filter(0.001) GRANULARITY 1`,
        ),
        ...rangesOf(name).map((index) => `, INDEX ${index}`),
      ];
      return `CREATE TABLE IF NOT EXISTS all_${name} (channel Int32, day Date32, version Int64, import_id Int64, ${columnList(list, types, narrow)}${indexes.join('')})
         ENGINE = MergeTree ORDER BY (${['channel', 'day', 'version', ...order].join(', ')}) ${durably}`;
    });
    const staged = facts.map(
      ({ name, columns, key }) =>
        `CREATE TABLE IF NOT EXISTS staged_${name} (arrival Int64, staged_number Int64, staged_line Int64, ${columnList(Object.entries(columns), columnTypes)},
           key_hash UInt128 DEFAULT ${hashOf(key)})
         ENGINE = MergeTree PARTITION BY arrival ORDER BY staged_number`,
    );
    const others = [
      `CREATE TABLE IF NOT EXISTS landing (channel Int32, version Int64, import_id Int64, state LowCardinality(String), at DateTime64(3) DEFAULT now64(3))
       ENGINE = MergeTree ORDER BY (channel, version) ${durably}`,
      `CREATE TABLE IF NOT EXISTS visible_day (channel Int32, fact LowCardinality(String), day Date32, version Int64)
       ENGINE = MergeTree ORDER BY (channel, fact, day, version) ${durably}`,
      `CREATE TABLE IF NOT EXISTS stage_loser (arrival Int64, fact LowCardinality(String), number Int64, line Int64, kept_line Int64, key_hash UInt128)
       ENGINE = MergeTree PARTITION BY arrival ORDER BY (fact, number)`,
      `CREATE TABLE IF NOT EXISTS stage_held (arrival Int64, fact LowCardinality(String), number Int64, day Date32, newer UInt8, key_hash UInt128, versions String)
       ENGINE = MergeTree PARTITION BY arrival ORDER BY (fact, number)`,
      `CREATE TABLE IF NOT EXISTS stage_gone (arrival Int64, fact LowCardinality(String), day Date32, part String, by_unit UInt8, key_hash UInt128)
       ENGINE = MergeTree PARTITION BY arrival ORDER BY (fact, day)`,
    ];
    await together([...others, ...all, ...staged].map((statement) => this.#run(statement)));
    await this.#run(`INSERT INTO warehouse_version VALUES (${schemaVersion})`);
  }

  async ask<R extends Row>(
    question: Question<R>,
    asked: Parameters,
    limits: QueryLimits,
  ): Promise<R[]> {
    return await this.#reading(limits, async (stop) => {
      const pin = question.tables.length === 0 ? nothing : await this.#pin(channelsOf(asked), stop);
      return await this.#askAt(pin, question, asked, stop);
    });
  }

  async *stream<R extends Row>(
    question: Question<R>,
    asked: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]> {
    const stop = this.#stopAt(limits);
    try {
      const pin = question.tables.length === 0 ? nothing : await this.#pin(channelsOf(asked), stop);
      yield* this.#streamAt(pin, question, asked, stop);
    } catch (error) {
      throw reasonOf(error, stop, limits);
    } finally {
      stop.end();
    }
  }

  async read<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream) => Promise<T>,
  ): Promise<T> {
    return await this.#reading(limits, async (stop) => {
      const pin = await this.#pin(channels, stop);
      const { ask, stream } = inTurn(
        (question, asked) => this.#askAt(pin, question, asked, stop),
        (question, asked) => this.#streamAt(pin, question, asked, stop),
      );
      return await use(ask, stream);
    });
  }

  async begin(landing: BatchKey): Promise<ImportBatch> {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    return new ClickhouseArrival(this, landing);
  }

  async isCommitted(importId: number): Promise<boolean> {
    const rows = await this.#rows(
      `SELECT 1 AS landed FROM landing WHERE import_id = ${importId} AND state = 'landed' LIMIT 1`,
    );
    return rows.length > 0;
  }

  async rebuild(landing: BatchKey, timezone: string): Promise<void> {
    await this.change(landing.channel, landing.importId, async (change) => {
      const { channel } = change;
      const days = new Map<string, number[]>();
      for (const name of rollupSources) {
        const found = await this.rowsOf(`SELECT DISTINCT day FROM ${visible(name, change.before)}`);
        days.set(
          name,
          found.map((row) => row.day as number),
        );
      }
      for (const { name } of rollups) {
        // Days of the old zone that the new one does not have fall to this version too, which has no rows on them.
        await this.run(
          `INSERT INTO visible_day (channel, fact, day, version)
           SELECT DISTINCT channel, fact, day, ${change.version} FROM visible_day WHERE channel = ${channel} AND fact = '${name}'`,
        );
      }
      await this.computeRollups(change, landing, timezone, { days, watched: new Map() }, null);
    });
  }

  async deleteFacts(channel: number): Promise<void> {
    await this.change(channel, 0, async ({ version }) => {
      await this.run(
        `INSERT INTO visible_day (channel, fact, day, version)
         SELECT DISTINCT channel, fact, day, ${version} FROM visible_day WHERE channel = ${channel}`,
      );
    });
  }

  async extents(channel: number): Promise<TableExtent[]> {
    const pin = await this.#pin([channel]);
    const parts = facts.map(({ name, day }) => {
      const bound = (side: string) =>
        day === null ? 'CAST(NULL AS Nullable(Date32))' : `${side}(${day})`;
      return `SELECT '${name}' AS fact, ${bound('min')} AS first_day, ${bound('max')} AS last_day, count() AS row_count
              FROM ${visible(name, pin)} WHERE channel = ${channel}`;
    });
    const rows = await this.#rows(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) WHERE row_count > 0`,
      parametersOf(pin),
    );
    const order = facts.map((table) => table.name);
    return rows
      .map((row) => ({
        table: row.fact as string,
        firstDay: row.first_day as number | null,
        lastDay: row.last_day as number | null,
        rows: row.row_count as number,
      }))
      .sort((a, b) => order.indexOf(a.table) - order.indexOf(b.table));
  }

  async prune(graceSeconds: number): Promise<void> {
    const aDayAgo = `now64(3) - toIntervalDay(1)`;
    // Whoever began more than a day ago is no longer there to go on.
    await this.#run(
      `INSERT INTO landing (channel, version, import_id, state)
       SELECT channel, version, any(import_id), 'given up' FROM landing GROUP BY channel, version HAVING max(state <> 'begun') = 0 AND max(at) < ${aDayAgo}`,
    );
    const settled = await this.#rows(
      `SELECT channel, max(version) AS version FROM landing
       WHERE state = 'landed' AND at <= now64(3) - toIntervalMillisecond(${Math.round(graceSeconds * 1000)}) GROUP BY channel`,
    );
    const upTo = versionUpTo(
      `[${settled.map((row) => row.channel).join(', ')}]`,
      `[${settled.map((row) => row.version).join(', ')}]`,
      settled.length,
    );
    const dead = `(SELECT channel, version FROM ${this.#name}.landing WHERE state = 'given up')`;
    const owners = (fact: string) =>
      `(SELECT channel, ${fact === 'fact' ? 'fact, ' : ''}day, max(version) FROM ${this.#name}.visible_day
        WHERE ${fact === 'fact' ? '' : `fact = '${fact}' AND `}version <= ${upTo} AND (channel, version) NOT IN ${dead}
        GROUP BY channel, ${fact === 'fact' ? 'fact, ' : ''}day)`;
    for (const { name } of [...facts, ...rollups]) {
      await this.#delete(
        `all_${name}`,
        `(version <= ${upTo} AND (channel, day, version) NOT IN ${owners(name)}) OR (channel, version) IN ${dead}`,
      );
    }
    // Only after the rows themselves: an entry that is gone can no longer tell that the row it named is not to be seen.
    await this.#delete(
      'visible_day',
      `(version <= ${upTo} AND (channel, fact, day, version) NOT IN ${owners('fact')}) OR (channel, version) IN ${dead}`,
    );
    await this.#delete(
      'landing',
      `version < ${upTo} AND (channel, version) IN (SELECT channel, version FROM ${this.#name}.landing WHERE state = 'given up' AND at < ${aDayAgo})`,
    );
    const oldest = (Math.floor(Date.now() / 1000) - secondsPerDay) * spreadOfArrivals;
    for (const table of stageTables) {
      for (const { arrival } of await this.#rows(
        `SELECT DISTINCT arrival FROM ${table} WHERE arrival < ${oldest}`,
      )) {
        await this.#run(`ALTER TABLE ${table} DROP PARTITION ${arrival}`);
      }
    }
  }

  async ping(): Promise<void> {
    await this.#reading({ deadlineMilliseconds: pingTimeoutMilliseconds }, (stop) =>
      this.#rows('SELECT 1 AS one', {}, stop),
    ).catch((error) => {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable('warehouse', error);
    });
  }

  async checkHealth(): Promise<StoreStatus> {
    const [row] = await this.#reading({ deadlineMilliseconds: pingTimeoutMilliseconds }, (stop) =>
      this.#rows(
        `SELECT version() AS engine, toUnixTimestamp64Milli(now64(3)) AS clock, (SELECT max(version) FROM warehouse_version) AS held`,
        {},
        stop,
      ),
    );
    const { engine, clock, held } = row as { engine: string; clock: number; held: number };
    return { engine: `ClickHouse ${engine}`, schema: { held, newest: schemaVersion }, clock };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#client.close();
  }

  /** Makes one change of a channel, which is seen whole when this returns. The caller holds the channel's lock. */
  async change(
    channel: number,
    importId: number,
    make: (change: Change) => Promise<void>,
  ): Promise<void> {
    const change = await this.#begin(channel, importId);
    try {
      await make(change);
    } catch (error) {
      await this.#run(
        `INSERT INTO landing (channel, version, import_id, state) VALUES (${channel}, ${change.version}, ${importId}, 'given up')`,
      ).catch(ignore);
      throw error;
    }
    await this.#commit(change);
  }

  /** Takes the channel's next version, and gives up those of changes that a crash has ended. */
  async #begin(channel: number, importId: number): Promise<Change> {
    const rows = await this.#rows(
      `SELECT version, max(state = 'landed') AS landed, max(state = 'given up') AS dead FROM landing WHERE channel = ${channel} GROUP BY version`,
    );
    let last = 0;
    let landed = 0;
    for (const row of rows) {
      last = Math.max(last, row.version as number);
      if (row.landed) landed = Math.max(landed, row.version as number);
    }
    const version = last + 1;
    const crashed = rows.filter(
      (row) => !row.landed && !row.dead && (row.version as number) > landed,
    );
    const dead = rows
      .filter((row) => !row.landed)
      .map((row) => [channel, row.version as number] as const);
    const values = [
      ...crashed.map((row) => `(${channel}, ${row.version}, 0, 'given up')`),
      `(${channel}, ${version}, ${importId}, 'begun')`,
    ];
    await this.#run(
      `INSERT INTO landing (channel, version, import_id, state) VALUES ${values.join(', ')}`,
    );
    const pinAt = (at: number): Pin => ({
      channels: [channel],
      versions: [at],
      dead: dead.filter((one) => one[1] < at),
    });
    return { channel, importId, version, before: pinAt(landed), after: pinAt(version) };
  }

  /**
   * Lands the change, unless somebody else has gone ahead in the channel, as may happen after its lock was lost. The statement may be
   * repeated: where an answer did not arrive, asking again tells whether the first one was carried out.
   */
  async #commit({ channel, version, importId }: Change): Promise<void> {
    const land = `INSERT INTO landing (channel, version, import_id, state) SELECT ${channel}, ${version}, ${importId}, 'landed'
      WHERE (SELECT count() FROM landing WHERE channel = ${channel} AND (version > ${version} OR (version = ${version} AND state <> 'begun'))) = 0`;
    const check = `SELECT 1 AS landed FROM landing WHERE channel = ${channel} AND version = ${version} AND state = 'landed' LIMIT 1`;
    for (let tries = 1; ; tries++) {
      try {
        await this.#run(land);
        if ((await this.#rows(check)).length > 0) return;
        break;
      } catch (error) {
        if (tries === commitTries || !(error instanceof StoreUnavailable)) throw error;
        await delay(commitRetryMilliseconds * tries);
      }
    }
    throw new StoreUnavailable(
      'warehouse',
      new Error(`another change of channel ${channel} went ahead of version ${version}`),
    );
  }

  /** Computes the touched days of every rollup. */
  async computeRollups(
    change: Change,
    { importId }: BatchKey,
    timezone: string,
    touched: TouchedDays,
    before: { readonly ordersFrom: number } | null,
  ): Promise<void> {
    const { channel, version } = change;
    const concerned = rollups.filter((rollup) => rollupDays(rollup, touched, []).length > 0);
    if (concerned.length === 0) return;
    const ordersFrom = ordersFromDay(timezone, await this.firstPurchase(change.after));
    let coverChanged: number[] = [];
    if (before && before.ordersFrom !== ordersFrom) {
      const [from, to] = [
        Math.min(before.ordersFrom, ordersFrom),
        Math.max(before.ordersFrom, ordersFrom),
      ];
      const between = `SELECT DISTINCT day FROM ${visible('store_day', change.before)} WHERE day >= ${dateOf(from)} AND day < ${dateOf(to)}`;
      coverChanged = (await this.#rows(between)).map((row) => row.day as number);
    }
    const daysOf = new Map<string, number[]>();
    for (const rollup of concerned) {
      const days = rollupDays(rollup, touched, coverChanged);
      if (days.length > 0) daysOf.set(rollup.name, days);
    }
    const compute = async (name: string, days: readonly number[]) => {
      const asked = rollupAsked(channel, timezone, days, ordersFrom);
      const body = literalText(rollupQuestions.get(name)!.sql, asked);
      const rest = undatedColumns(name).join(', ');
      await this.#run(
        `INSERT INTO all_${name} (channel, day, version, import_id, ${rest})
         SELECT ${channel}, day, ${version}, ${importId}, ${rest} FROM (${withVisible(body, change.after)})`,
      );
    };
    await together([
      this.own(change, daysOf),
      ...[...daysOf].map(([name, days]) => compute(name, days)),
    ]);
  }

  /** The instant of the first order line that the pin sees. Its day is found in the order of the rows, without reading the others. */
  async firstPurchase(pin: Pin): Promise<number | null> {
    const lines = visible('order_line', pin);
    const [row] = await this.#rows(
      `SELECT min(purchased_at) AS first FROM ${lines} WHERE day = (SELECT day FROM ${lines} ORDER BY day LIMIT 1)`,
    );
    return row!.first as number | null;
  }

  /** Makes the change the owner of those days of each table. */
  async own(
    { channel, version }: Change,
    daysOf: ReadonlyMap<string, readonly number[]>,
  ): Promise<void> {
    const rows = [...daysOf].flatMap(([name, days]) =>
      days.map((day) => `(${channel}, '${name}', '${isoDate(day)}', ${version})`),
    );
    if (rows.length > 0)
      await this.#run(
        `INSERT INTO visible_day (channel, fact, day, version) VALUES ${rows.join(', ')}`,
      );
  }

  /** Streams a staged file into its table and says how many rows it held. */
  async load(name: string, arrival: number, file: string): Promise<number> {
    const columns = Object.entries<ColumnType>({
      staged_number: 'Int64',
      staged_line: 'Int64',
      ...factTable(name).columns,
    });
    const list = columns.map(([column]) => column).join(', ');
    const shape = columns.map(([column, type]) => `${column} ${columnTypes[type]}`).join(', ');
    return await this.#guarded(async () => {
      const { stream, summary } = await this.#client.exec({
        query: `INSERT INTO staged_${name} (arrival, ${list}) SELECT ${arrival}, ${list} FROM input('${shape}') FORMAT CSV`,
        values: createReadStream(file),
        clickhouse_settings: stagingSettings,
      });
      await drainStream(stream);
      return Number(summary?.written_rows ?? 0);
    });
  }

  /** Runs a statement that changes something, to its end. */
  async run(sql: string): Promise<void> {
    await this.#run(sql);
  }

  /** The rows of an answer that is needed for a change. */
  async rowsOf(sql: string): Promise<Row[]> {
    return await this.#rows(sql);
  }

  async #run(sql: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#guarded(() =>
      this.#client.command({
        query: sql,
        clickhouse_settings: { ...writingSettings, ...settings },
      }),
    );
  }

  async #delete(table: string, condition: string): Promise<void> {
    const [found] = await this.#rows(`SELECT count() AS found FROM ${table} WHERE ${condition}`);
    if (found!.found === 0) return;
    await this.#run(`ALTER TABLE ${table} DELETE WHERE ${condition}`, { mutations_sync: '1' });
  }

  /** Which version of each channel has landed; channel 0 holds what belongs to nobody and is always among them. */
  async #pin(channels: readonly number[], stop?: Stop): Promise<Pin> {
    const rows = await this.#rows(
      `SELECT channel, maxIf(version, state = 'landed') AS landed, toString(groupUniqArrayIf(version, state = 'given up')) AS dead
       FROM landing WHERE channel IN {channels:Array(Int32)} GROUP BY channel`,
      { channels: [...new Set([0, ...channels])] },
      stop,
    );
    const pinned = rows.filter((row) => row.landed);
    const dead = pinned.flatMap((row) =>
      (JSON.parse(row.dead as string) as number[])
        .filter((version) => version < (row.landed as number))
        .map((version) => [row.channel as number, version] as const),
    );
    return {
      channels: pinned.map((row) => row.channel as number),
      versions: pinned.map((row) => row.landed as number),
      dead,
    };
  }

  async #askAt<R extends Row>(
    pin: Pin,
    question: Question<R>,
    asked: Parameters,
    stop: Stop,
  ): Promise<R[]> {
    const { sql, parameters } = this.#asking(pin, question, asked);
    return (await this.#rows(sql, parameters, stop, `the question ${question.name}`)) as R[];
  }

  async *#streamAt<R extends Row>(
    pin: Pin,
    question: Question<R>,
    asked: Parameters,
    stop: Stop,
  ): AsyncIterable<R[]> {
    stop.signal.throwIfAborted();
    const { sql, parameters } = this.#asking(pin, question, asked);
    const what = `the question ${question.name}`;
    const queryId = randomUUID();
    const rows = new RowsOfLines();
    let lines: StreamReadable<Line[]> | undefined;
    // Also while the asker is busy with a portion.
    const leave = () => {
      lines?.destroy();
      this.#kill(queryId);
    };
    stop.signal.addEventListener('abort', leave, { once: true });
    try {
      const answer = await this.#guarded(
        () =>
          this.#client.query({
            query: sql,
            query_id: queryId,
            format: 'CustomSeparatedWithNamesAndTypes',
            query_params: parameters,
            clickhouse_settings: { ...streamingSettings, ...this.#settingsOf(stop) },
            abort_signal: stop.signal,
          }),
        what,
      );
      lines = answer.stream();
      const portions: AsyncIterator<Line[]> = lines[Symbol.asyncIterator]();
      for (;;) {
        stop.signal.throwIfAborted();
        const { done, value } = await this.#guarded(() => portions.next(), what);
        if (done) break;
        const portion = rows.take(value);
        if (portion.length > 0) yield portion as R[];
      }
      if (!rows.isWhole) throw new StoreUnavailable('warehouse', new Error('an answer broke off'));
    } finally {
      stop.signal.removeEventListener('abort', leave);
      if (!rows.isWhole) leave();
    }
  }

  #asking(
    pin: Pin,
    question: Question,
    asked: Parameters,
  ): { readonly sql: string; readonly parameters: Record<string, unknown> } {
    let text = this.#texts.get(question);
    if (text === undefined) {
      text = statementText(question.sql);
      this.#texts.set(question, text);
    }
    const parameters: Record<string, unknown> = question.tables.length > 0 ? parametersOf(pin) : {};
    Object.assign(parameters, parameterValues(question, asked));
    return { sql: withVisible(text, pin), parameters };
  }

  /** Stops what `use` asks at the deadline or when the asker has gone. */
  async #reading<T>(limits: QueryLimits, use: (stop: Stop) => Promise<T>): Promise<T> {
    const stop = this.#stopAt(limits);
    try {
      return await use(stop);
    } catch (error) {
      throw reasonOf(error, stop, limits);
    } finally {
      stop.end();
    }
  }

  #stopAt(limits: QueryLimits): Stop {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    return stopAt(limits);
  }

  #settingsOf(stop: Stop | undefined): ClickHouseSettings {
    return {
      // Whoever may only read has that set already, and is not allowed to set it.
      ...(this.#mayWrite && { readonly: '1' }),
      ...(stop
        ? {
            max_execution_time: Math.max(
              1,
              Math.ceil((stop.endsAt - performance.now()) / 1000) + 1,
            ),
          }
        : { max_query_size: '33554432' }),
    };
  }

  /** The server notices a broken connection only now and then; nobody waits for this. */
  #kill(queryId: string): void {
    this.#client.command({ query: `KILL QUERY WHERE query_id = '${queryId}' ASYNC` }).catch(ignore);
  }

  async #rows(
    sql: string,
    parameters: Record<string, unknown> = {},
    stop?: Stop,
    what = 'a statement of its own',
  ): Promise<Row[]> {
    stop?.signal.throwIfAborted();
    const queryId = randomUUID();
    const asking = this.#guarded(async () => {
      const answer = await this.#client.query({
        query: sql,
        query_id: queryId,
        format: 'JSONCompact',
        query_params: parameters,
        clickhouse_settings: {
          ...readingSettings,
          ...this.#settingsOf(stop),
        },
        ...(stop && { abort_signal: stop.signal }),
      });
      return plainRows((await answer.json()) as Answer);
    }, what);
    if (!stop) return await asking;
    let leave = () => {};
    const stopped = new Promise<never>((_, reject) => {
      leave = () => {
        reject(stop.signal.reason);
        this.#kill(queryId);
      };
      stop.signal.addEventListener('abort', leave, { once: true });
    });
    asking.catch(ignore);
    try {
      return await Promise.race([asking, stopped]);
    } finally {
      stop.signal.removeEventListener('abort', leave);
    }
  }

  /** Errors of the server may hold SQL and facts, so they are told only as causes. */
  async #guarded<T>(work: () => Promise<T>, what = 'a statement of its own'): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ClickHouseError) || unavailableCodes.has(error.code))
        throw new StoreUnavailable('warehouse', error);
      throw new Error(`The warehouse could not carry out ${what}`, { cause: error });
    }
  }
}

/**
 * An import on its way into ClickHouse. Its rows wait in a partition of their own of each staging table; landing writes them as the
 * channel's next version.
 */
class ClickhouseArrival implements ImportBatch {
  readonly #warehouse: Clickhouse;
  readonly #landing: BatchKey;
  /** Tells its staged rows from those of any other import, and when they came. */
  readonly #arrival =
    Math.floor(Date.now() / 1000) * spreadOfArrivals + randomInt(spreadOfArrivals);
  /** Rows of each table by the server's own count, which only tells in how many passes to compare them. */
  readonly #loaded = new Map<string, number>();
  readonly #stages = new Map<string, Stage>();
  readonly #tablesUsed = new Set<string>();

  constructor(warehouse: Clickhouse, landing: BatchKey) {
    this.#warehouse = warehouse;
    this.#landing = landing;
  }

  async stage(name: string, file: string): Promise<void> {
    factTable(name);
    this.#tablesUsed.add(`staged_${name}`);
    this.#loaded.set(name, this.#loaded.get(name) ?? 0);
    const rows = await this.#warehouse.load(name, this.#arrival, file);
    this.#loaded.set(name, this.#loaded.get(name)! + rows);
  }

  async *duplicates(name: string): AsyncIterable<DuplicateRow[]> {
    if (!this.#loaded.has(name) || factTable(name).replacement === 'byUnit') return;
    const { losers } = await this.#inspect(factTable(name));
    let last = 0;
    for (let told = 0; told < losers; ) {
      const rows = await this.#warehouse.rowsOf(
        `SELECT number, line, kept_line FROM stage_loser WHERE arrival = ${this.#arrival} AND fact = '${name}' AND number > ${last} ORDER BY number LIMIT ${repeatedPage}`,
      );
      if (rows.length === 0) return;
      told += rows.length;
      last = rows.at(-1)!.number as number;
      yield rows.map((row) => ({ line: row.line as number, keptLine: row.kept_line as number }));
    }
  }

  async commit(days: Readonly<Record<string, Coverage>>, timezone: string): Promise<CommitResult> {
    const { channel, importId } = this.#landing;
    const tables = [...new Set([...this.#loaded.keys(), ...Object.keys(days)])].map(factTable);
    try {
      await together([...this.#loaded.keys()].map((name) => this.#inspect(factTable(name))));
      let landed: CommitResult | undefined;
      await this.#warehouse.change(channel, importId, async (change) => {
        landed = await this.#change(change, tables, days, timezone);
      });
      return landed!;
    } finally {
      // What stays here is never seen, and swept up some day.
      await this.discard().catch(ignore);
    }
  }

  async discard(): Promise<void> {
    const { stagingFolder } = this.#warehouse;
    for (const file of readdirSync(stagingFolder)) {
      if (file.startsWith(`import-${this.#landing.importId}-`))
        rmSync(join(stagingFolder, file), { force: true });
    }
    await together(
      [...this.#tablesUsed].map((table) =>
        this.#warehouse.run(`ALTER TABLE ${table} DROP PARTITION ${this.#arrival}`),
      ),
    );
  }

  async #change(
    change: Change,
    tables: readonly FactTable[],
    daysOf: Readonly<Record<string, Coverage>>,
    timezone: string,
  ): Promise<CommitResult> {
    const warehouse = this.#warehouse;
    const touchesOrders = tables.some((table) => table.name === 'order_line');
    const rows: Record<string, number> = {};
    const owned = new Map<string, number[]>();
    const watched = new Map<Dependency, number[]>();
    let rowsOlder = 0;
    let rowsSuperseded: Record<string, number> = {};
    const bring = async (table: FactTable): Promise<null> => {
      const { name, replacement: keeping } = table;
      const isStaged = this.#loaded.has(name);
      if (keeping === 'byDay') {
        const days = daysOf[name];
        if (!days)
          throw new Error(`Rows of ${name} were staged without the days that they stand for`);
        owned.set(
          name,
          Array.from({ length: days.last - days.first + 1 }, (_, place) => days.first + place),
        );
        if (days.parts !== undefined) await this.#keepOtherParts(change, table, days);
        if (isStaged) rows[name] = await this.#replaceDays(change, table, days);
      } else if (keeping === 'byUnit') {
        const { landed, superseded, days } = await this.#replaceUnits(change, table, daysOf[name]);
        if (isStaged) rows[name] = landed;
        rowsSuperseded = { ...rowsSuperseded, ...superseded };
        owned.set(name, days);
      } else if (isStaged) {
        const { landed, older, days } = await this.#replaceKeys(change, table);
        rows[name] = landed;
        rowsOlder += older;
        owned.set(name, days);
      }
      return null;
    };
    const watch = async (one: Dependency): Promise<null> => {
      watched.set(one, await this.#watchedDays(change, one));
      return null;
    };
    const [firstBefore] = await together([
      touchesOrders ? warehouse.firstPurchase(change.before) : undefined,
      ...tables.map(bring),
      ...dependencies.filter((one) => this.#loaded.has(one.table)).map(watch),
    ]);
    await warehouse.own(change, owned);
    const before =
      firstBefore === undefined ? null : { ordersFrom: ordersFromDay(timezone, firstBefore) };
    await warehouse.computeRollups(
      change,
      this.#landing,
      timezone,
      { days: owned, watched },
      before,
    );
    return { rows, rowsOlder, rowsSuperseded };
  }

  async #replaceDays(change: Change, table: FactTable, days: DateRange): Promise<number> {
    const stage = await this.#inspect(table);
    if (stage.firstDay < days.first || stage.lastDay > days.last) {
      throw new Error(`Rows of ${table.name} were staged outside the days that they stand for`);
    }
    for (const pass of passes(stage.losers))
      await this.#insert(table, [this.#winners(change, table, stage, pass)]);
    return stage.rows - stage.losers;
  }

  /** Takes the rows of other parts along into this version, but for those whose key is staged. */
  async #keepOtherParts(
    change: Change,
    table: FactTable,
    { first, last, parts = [] }: Coverage,
  ): Promise<void> {
    const { name, key, partition: part } = table;
    if (part === undefined) throw new Error(`${name} has no parts`);
    const rest = undatedColumns(name).join(', ');
    for (const pass of passes(this.#loaded.get(name) ?? 0)) {
      const staged = this.#loaded.has(name)
        ? ` AND ${hashOf(key)} NOT IN (SELECT key_hash FROM staged_${name} WHERE arrival = ${this.#arrival} AND ${within(pass)})`
        : '';
      await this.#insert(table, [
        `SELECT channel, day, toInt64(${change.version}), import_id, ${rest} FROM all_${name}
         WHERE ${isVisible(name, change.before)} AND day >= ${dateOf(first)} AND day <= ${dateOf(last)} AND ${within(pass, hashOf(key))}
           AND ${part} NOT IN (${parts.map(quoted).join(', ')})${staged}`,
      ]);
    }
  }

  /** Replaces the rows of the staged keys; the other rows of the days that this touches come along. */
  async #replaceKeys(
    change: Change,
    table: FactTable,
  ): Promise<{ landed: number; older: number; days: number[] }> {
    const { name, key, columns, history: remembers } = table;
    const stage = await this.#inspect(table);
    const all = passes(stage.rows);
    const isDated = 'updated_at' in columns;
    const updated = isDated ? ', updated_at' : '';
    this.#tablesUsed.add('stage_held');
    // Few keys are looked up by the filter on their first column, many are met everywhere.
    const known = `${key[0]} IN (SELECT ${key[0]} FROM staged_${name} WHERE arrival = ${this.#arrival})`;
    const wanted = stage.rows > keysLookedUp ? 'true' : known;
    for (const pass of all) {
      await this.#warehouse.run(
        `INSERT INTO stage_held (arrival, fact, number, day, newer, key_hash, versions)
         SELECT ${this.#arrival}, '${name}', staged.staged_number, held.day, ${isDated ? 'held.updated_at > staged.updated_at' : '0'}, staged.key_hash, held.versions
         FROM (SELECT day, ${hashOf(key)} AS key_hash${updated}, ${remembers ? versionsOf(remembers) : "''"} AS versions FROM all_${name}
               WHERE ${isVisible(name, change.before)} AND ${wanted} AND ${within(pass, hashOf(key))}) AS held
         JOIN (SELECT staged_number, key_hash${updated} FROM staged_${name} WHERE ${this.#kept(name, stage, pass)}) AS staged
         ON held.key_hash = staged.key_hash`,
      );
    }
    const touched = new Set<number>();
    let older = 0;
    for (const pass of all) {
      const found = await this.#warehouse.rowsOf(
        `SELECT day, countIf(newer) AS older, countIf(NOT newer) AS touched FROM stage_held WHERE ${this.#of(name, pass)} GROUP BY day
         UNION ALL
         SELECT DISTINCT ${dayOf(table)}, 0, 1 FROM staged_${name} WHERE ${this.#kept(name, stage, pass)} AND ${this.#notOlder(name, pass)}`,
      );
      for (const row of found) {
        older += row.older as number;
        if (row.touched) touched.add(row.day as number);
      }
    }
    const days = [...touched].sort((a, b) => a - b);
    for (const pass of days.length > 0 ? all : []) {
      const gone = `SELECT key_hash FROM stage_held WHERE ${this.#of(name, pass)} AND NOT newer`;
      await this.#insert(table, [
        heldRows(change, table, days, pass, gone),
        `${this.#winners(change, table, stage, pass)} AND ${this.#notOlder(name, pass)}`,
      ]);
    }
    return { landed: stage.rows - stage.losers - older, older, days };
  }

  /** Replaces the rows of the staged units and those that give way by the cover; the other rows of the days that this touches come along. */
  async #replaceUnits(
    change: Change,
    table: FactTable,
    cover: Coverage | undefined,
  ): Promise<{ landed: number; superseded: Record<string, number>; days: number[] }> {
    const { name, key, partition: part, identity: sameAs } = table;
    const stage = await this.#inspect(table);
    this.#tablesUsed.add('stage_gone');
    const remove = (byUnit: 0 | 1, condition: string) =>
      this.#warehouse.run(
        `INSERT INTO stage_gone (arrival, fact, day, part, by_unit, key_hash)
         SELECT ${this.#arrival}, '${name}', day, ${part ?? "''"}, ${byUnit}, ${hashOf(key)} FROM all_${name}
         WHERE ${isVisible(name, change.before)} AND ${condition}`,
      );
    const staged = stage.rows > 0 ? passes(stage.rows) : [];
    for (const pass of staged) await remove(1, this.#meets(name, key.slice(0, 1), stage, pass));
    if (part && sameAs && cover?.parts && cover.parts.length > 0) {
      const [reference, instant] = sameAs;
      const spokenFor = `${part} IN (${cover.parts.map(quoted).join(', ')})`;
      const between = (first: number, last: number) =>
        `${spokenFor} AND day >= ${dateOf(first)} AND day <= ${dateOf(last)}`;
      if (cover.instants) {
        const { from, to } = cover.instants;
        await remove(
          0,
          `${between(cover.first, cover.last)} AND ${instant} >= ${from} AND ${instant} <= ${to}`,
        );
      }
      // Rows of one instant lie on one day.
      for (const pass of staged) {
        await remove(
          0,
          `${between(stage.firstDay, stage.lastDay)} AND ${reference} <> '' AND ${this.#meets(name, sameAs, stage, pass)}`,
        );
      }
    }
    const [gone] = await this.#warehouse.rowsOf(
      `SELECT count() AS found FROM stage_gone WHERE arrival = ${this.#arrival} AND fact = '${name}'`,
    );
    const all = passes(Math.max(stage.rows, gone!.found as number));
    const touched = new Set<number>();
    const superseded: Record<string, number> = {};
    for (const pass of all) {
      const days = await this.#warehouse.rowsOf(
        `SELECT DISTINCT day FROM stage_gone WHERE ${this.#of(name, pass)}
         UNION DISTINCT SELECT DISTINCT ${dayOf(table)} FROM staged_${name} WHERE ${this.#kept(name, stage, pass)}`,
      );
      for (const row of days) touched.add(row.day as number);
      const counts = await this.#warehouse.rowsOf(
        `SELECT whose, count() AS found
         FROM (SELECT any(part) AS whose FROM stage_gone WHERE ${this.#of(name, pass)} GROUP BY key_hash HAVING max(by_unit) = 0) GROUP BY whose`,
      );
      for (const { whose, found } of counts)
        superseded[whose as string] = (superseded[whose as string] ?? 0) + (found as number);
    }
    const days = [...touched].sort((a, b) => a - b);
    for (const pass of days.length > 0 ? all : []) {
      const leaving = `SELECT key_hash FROM stage_gone WHERE ${this.#of(name, pass)}`;
      await this.#insert(table, [
        heldRows(change, table, days, pass, leaving),
        this.#winners(change, table, stage, pass),
      ]);
    }
    return { landed: stage.rows - stage.losers, superseded, days };
  }

  /** Which held rows have the same values of the columns as a staged row that stays. Few are looked up by the filter on the first column. */
  #meets(name: string, columns: readonly string[], stage: Stage, pass: Pass): string {
    const hash = hashOf(columns);
    const staged = `FROM staged_${name} WHERE ${this.#kept(name, stage, everything)}`;
    const known =
      stage.rows > keysLookedUp ? '' : `${columns[0]} IN (SELECT ${columns[0]} ${staged}) AND `;
    return `${known}${within(pass, hash)} AND ${hash} IN (SELECT ${hash} ${staged} AND ${within(pass, hash)})`;
  }

  /** The days of the events that depend on staged things which differ from the held ones. */
  async #watchedDays(
    change: Change,
    { table, columns, of, by, since }: Dependency,
  ): Promise<number[]> {
    const { key } = factTable(table);
    const stage = await this.#inspect(factTable(table));
    const days = new Set<number>();
    for (const pass of passes(stage.rows)) {
      const kept = this.#kept(table, stage, pass);
      const same = hashOf([...key, ...columns]);
      const held = `SELECT ${same} FROM all_${table} WHERE ${isVisible(table, change.before)} AND ${this.#meets(table, key, stage, pass)}`;
      const changed = `SELECT ${by}${since ? `, min(${since}) AS starting` : ''} FROM staged_${table} WHERE ${kept} AND ${same} NOT IN (${held}) GROUP BY ${by}`;
      const found = await this.#warehouse.rowsOf(
        `SELECT DISTINCT event.day AS day FROM ${visible(of, change.before)} AS event JOIN (${changed}) AS thing ON event.${by} = thing.${by}
         ${since ? 'WHERE event.day >= thing.starting' : ''}`,
      );
      for (const row of found) days.add(row.day as number);
    }
    return [...days];
  }

  async #insert({ name }: FactTable, sources: readonly string[]): Promise<void> {
    const list = `channel, day, version, import_id, ${undatedColumns(name).join(', ')}`;
    await this.#warehouse.run(`INSERT INTO all_${name} (${list}) ${sources.join(' UNION ALL ')}`);
  }

  #winners({ channel, version }: Change, table: FactTable, stage: Stage, pass: Pass): string {
    const { name, history: remembers } = table;
    const known = remembers
      ? `SELECT number, versions AS versions_held FROM stage_held WHERE ${this.#of(name, pass)}`
      : '';
    const rest = undatedColumns(name).map((column) =>
      column === remembers?.column ? "ifNull(versions_held, '')" : column,
    );
    return `SELECT toInt32(${channel}), ${dayOf(table)}, toInt64(${version}), toInt64(${this.#landing.importId}), ${rest.join(', ')} FROM staged_${name}
      ${known && `LEFT JOIN (${known}) AS held ON held.number = staged_number`} WHERE ${this.#kept(name, stage, pass)}`;
  }

  /** Which staged rows do not give way to another one. */
  #kept(name: string, { losers }: Stage, pass: Pass): string {
    const all = `arrival = ${this.#arrival} AND ${within(pass)}`;
    return losers === 0
      ? all
      : `${all} AND staged_number NOT IN (SELECT number FROM stage_loser WHERE ${this.#of(name, pass)})`;
  }

  #notOlder(name: string, pass: Pass): string {
    return `staged_number NOT IN (SELECT number FROM stage_held WHERE ${this.#of(name, pass)} AND newer)`;
  }

  /** Counts the staged rows and names those that give way to another row of their key; there are none as a rule. */
  async #inspect(table: FactTable): Promise<Stage> {
    const { name, replacement: keeping, columns } = table;
    const known = this.#stages.get(name);
    if (known) return known;
    const stage = {
      rows: 0,
      losers: 0,
      firstDay: Number.POSITIVE_INFINITY,
      lastDay: Number.NEGATIVE_INFINITY,
    };
    const order =
      keeping === 'byDay'
        ? 'staged_number'
        : `${'updated_at' in columns ? 'updated_at DESC, ' : ''}staged_number DESC`;
    const rivals = `OVER (PARTITION BY key_hash ORDER BY ${order})`;
    for (const pass of passes(this.#loaded.get(name) ?? 0)) {
      const source = `FROM staged_${name} WHERE arrival = ${this.#arrival} AND ${within(pass)}`;
      const [found] = await this.#warehouse.rowsOf(
        `SELECT count() AS found, uniqExact(key_hash) AS distinct_keys, min(${dayOf(table)}) AS first_day, max(${dayOf(table)}) AS last_day ${source}`,
      );
      const [rows, keys] = [found!.found as number, found!.distinct_keys as number];
      if (rows === 0) continue;
      stage.rows += rows;
      stage.losers += rows - keys;
      stage.firstDay = Math.min(stage.firstDay, found!.first_day as number);
      stage.lastDay = Math.max(stage.lastDay, found!.last_day as number);
      if (rows === keys) continue;
      this.#tablesUsed.add('stage_loser');
      await this.#warehouse.run(
        `INSERT INTO stage_loser (arrival, fact, number, line, kept_line, key_hash)
         SELECT ${this.#arrival}, '${name}', staged_number, staged_line, kept_line, key_hash
         FROM (SELECT staged_number, staged_line, key_hash, first_value(staged_number) ${rivals} AS kept, first_value(staged_line) ${rivals} AS kept_line
               ${source} AND key_hash IN (SELECT key_hash ${source} GROUP BY key_hash HAVING count() > 1))
         WHERE staged_number <> kept`,
      );
    }
    this.#stages.set(name, stage);
    return stage;
  }

  #of(name: string, pass: Pass): string {
    return `arrival = ${this.#arrival} AND fact = '${name}' AND ${within(pass)}`;
  }
}

/** The staged rows of one table, and how many of them give way to another row of their key. */
type Stage = {
  readonly rows: number;
  readonly losers: number;
  readonly firstDay: number;
  readonly lastDay: number;
};

/** One of so many parts of all keys. */
type Pass = { readonly part: number; readonly parts: number };

const nothing: Pin = { channels: [], versions: [], dead: [] };
const stageTables = [
  ...facts.map((table) => `staged_${table.name}`),
  'stage_loser',
  'stage_held',
  'stage_gone',
];

const everything: Pass = { part: 0, parts: 1 };

function passes(rows: number): Pass[] {
  const parts = Math.max(1, Math.ceil(rows / keysPerPass));
  return Array.from({ length: parts }, (_, part) => ({ part, parts }));
}

function within({ part, parts }: Pass, hash = 'key_hash'): string {
  return parts === 1 ? 'true' : `${hash} % ${parts} = ${part}`;
}

/** Waits until all have come to an end, whether they fail or not: nothing may go on behind the back of the caller. */
async function together<T>(work: readonly (Promise<T> | undefined)[]): Promise<(T | undefined)[]> {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

/** The columns besides the day, which every table has in its own place; things that have no day lie on the first of all. */
function undatedColumns(name: string): string[] {
  return Object.keys([...facts, ...rollups].find((table) => table.name === name)!.columns).filter(
    (column) => column !== 'day',
  );
}

function dayOf(table: FactTable): string {
  return table.day === null ? dateOf(0) : 'day';
}

/** The rows of those days as they are before the change, but for those whose key is gone, as rows of the change's version. */
function heldRows(
  { before, version }: Change,
  { name, key }: FactTable,
  days: readonly number[],
  pass: Pass,
  gone: string,
): string {
  return `SELECT channel, day, toInt64(${version}), import_id, ${undatedColumns(name).join(', ')} FROM all_${name}
    WHERE ${isVisible(name, before)} AND day IN (${days.map(dateOf).join(', ')}) AND ${within(pass, hashOf(key))} AND ${hashOf(key)} NOT IN (${gone})`;
}

/** What is remembered where the held row is replaced: its own earlier versions, and itself. */
function versionsOf({ column, of }: NonNullable<FactTable['history']>): string {
  const every = `trimLeft(concat(${column}, ' ', toString(import_id), ':', toString(${of})))`;
  return `arrayStringConcat(arraySlice(splitByChar(' ', ${every}), -${historyMax}), ' ')`;
}

/** Keys are compared by a hash of 128 bits, which no two of them share. */
function hashOf(key: readonly string[]): string {
  return `reinterpretAsUInt128(sipHash128(${key.join(', ')}))`;
}

/** The rows of a table that the pin sees, as something to select from. */
function visible(name: string, pin: Pin): string {
  const columns = Object.keys([...facts, ...rollups].find((table) => table.name === name)!.columns);
  return `(SELECT channel, import_id, ${columns.join(', ')} FROM all_${name} WHERE ${isVisible(name, pin)})`;
}

function isVisible(name: string, pin: Pin): string {
  const channels =
    pin.channels.length === 1
      ? `channel = ${pin.channels[0]}`
      : 'channel IN {pinned_channels:Array(Int32)}';
  const upTo =
    pin.channels.length === 1
      ? pin.versions[0]!
      : versionUpTo(
          '{pinned_channels:Array(Int32)}',
          '{pinned_versions:Array(Int64)}',
          pin.channels.length,
        );
  const dead =
    pin.dead.length === 0
      ? ''
      : ` AND (channel, version) NOT IN (${pin.dead.map(([channel, version]) => `(${channel}, ${version})`).join(', ')})`;
  return `${channels} AND (channel, day, version) IN
    (SELECT channel, day, max(version) FROM visible_day WHERE fact = '${name}' AND ${channels} AND version <= ${upTo}${dead} GROUP BY channel, day)`;
}

/** What `isVisible` refers to. */
function parametersOf(pin: Pin): Record<string, unknown> {
  return pin.channels.length === 1
    ? {}
    : { pinned_channels: pin.channels, pinned_versions: pin.versions };
}

function versionUpTo(channels: string, versions: string, count: number): string {
  return count === 0 ? '0' : `transform(channel, ${channels}, ${versions}, toInt64(0))`;
}

/** The body with every table of facts replaced by what the pin sees of it, under the same name. */
function withVisible(sql: string, pin: Pin): string {
  return sql.replace(tablePattern, (found: string, word: string, name: string, offset: number) => {
    const isNamed = /^\s+AS\b/i.test(sql.slice(offset + found.length));
    return `${word} ${visible(name, pin)}${isNamed ? '' : ` AS ${name}`}`;
  });
}

function channelsOf(asked: Parameters): readonly number[] {
  return [
    ...((asked.channels as readonly number[] | undefined) ?? []),
    ...(asked.channel === undefined ? [] : [asked.channel as number]),
  ];
}

/** The columns by which held rows are looked up: numbers of orders and the like, which lie in any order within a day. */
function columnsLookedUp(name: string): string[] {
  const table = facts.find((fact) => fact.name === name);
  return table === undefined || table.replacement === 'byDay'
    ? []
    : [table.key[0]!, ...(table.identity?.slice(0, 1) ?? [])];
}

/** The indexes of the columns whose ranges are asked for. */
function rangesOf(name: string): string[] {
  const ranged = facts.find((fact) => fact.name === name)?.skipIndexes ?? [];
  return ranged.map((column) => `${column}_range ${column} TYPE minmax GRANULARITY 1`);
}

type Answer = {
  meta: { name: string; type: string }[];
  data: (string | number | boolean | null)[][];
};

/** The rows of an answer as the port promises them. */
function plainRows({ meta, data }: Answer): Row[] {
  const read = rowReader(
    meta.map((column) => column.name),
    meta.map((column) => column.type),
  );
  return data.map(read);
}

type AnswerCells = Answer['data'][number];

/** The rows of an answer that streams, from its lines. */
class RowsOfLines {
  #names: string[] | undefined;
  #read: ((cells: AnswerCells) => Row) | undefined;
  /** Whether the answer has come to its end. */
  isWhole = false;

  take(lines: readonly Line[]): Row[] {
    const rows: Row[] = [];
    for (const { text } of lines) {
      if (text === endLine) this.isWhole = true;
      else if (this.#read) rows.push(this.#read(JSON.parse(text)));
      else if (this.#names) this.#read = rowReader(this.#names, JSON.parse(text));
      else this.#names = JSON.parse(text);
    }
    return rows;
  }
}

function rowReader(
  names: readonly string[],
  types: readonly string[],
): (cells: AnswerCells) => Row {
  const readers = types.map(readerOf);
  return (cells) => {
    const row: Record<string, Row[string]> = {};
    for (let column = 0; column < names.length; column++) {
      const cell = cells[column]!;
      row[names[column]!] = cell === null ? null : readers[column]!(cell);
    }
    return row;
  };
}

function readerOf(type: string): (cell: string | number | boolean) => Row[string] {
  const plain = type.replace(/^(?:LowCardinality\()?(?:Nullable\()?(.*?)\)*$/, '$1');
  if (/^(?:U?Int|Float|Bool)/.test(plain)) return Number;
  if (plain.startsWith('Decimal')) return (cell) => millionths(String(cell));
  if (/^Date(?:32)?$/.test(plain))
    return (cell) => Date.parse(String(cell)) / (secondsPerDay * 1000);
  return String;
}

function millionths(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  if (fraction.length > 6) throw new Error('An answer holds an amount of more than six places');
  const value = BigInt(whole!.replace('-', '') + fraction.padEnd(6, '0'));
  return text.startsWith('-') ? -value : value;
}

function columnList(
  columns: readonly (readonly [string, ColumnType])[],
  types: Record<ColumnType, string>,
  narrow: readonly string[] = [],
): string {
  return columns
    .map(([column, type]) => `${column} ${(narrow.includes(column) ? columnTypes : types)[type]}`)
    .join(', ');
}

/** What the asker is told: that it was stopped, or what went wrong. */
function reasonOf(
  error: unknown,
  { signal }: Stop,
  { deadlineMilliseconds }: QueryLimits,
): unknown {
  if (signal.aborted) return signal.reason;
  return codeOf(error) === timeoutCode ? new DeadlineExceeded(deadlineMilliseconds) : error;
}

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof ClickHouseError ? cause.code : undefined;
}

/** Files of imports whose process died with them; whoever else shares the folder has nothing that old. */
function removeForgottenFiles(folder: string): void {
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (file.startsWith('import-') && modified < Date.now() - secondsPerDay * 1000)
      rmSync(path, { force: true });
  }
}

function ignore(): void {}
