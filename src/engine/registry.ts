/**
 * The port to the registry, the store of records: organisations, users, channels, imports, jobs.
 * SQLite serves it embedded, PostgreSQL serves it to several nodes. Other code reaches both through
 * Kysely and avoids whatever they would answer differently.
 */
import { randomInt } from 'node:crypto';
import type { ControlledTransaction, Kysely, Transaction } from 'kysely';
import type { StoreStatus } from './health.ts';
import type { RecordsSnapshot, RecordTable } from './recordCopies.ts';
import type { Records } from './records.ts';

export type * from './records.ts';

/** A transaction on the records. */
export type RecordsTransaction = Transaction<Records> | ControlledTransaction<Records>;

/** Runs `work` in one transaction and returns its result after the commit. */
export type Commit = <Answer>(
  work: (transaction: RecordsTransaction) => Promise<Answer>,
) => Promise<Answer>;

/** A change for the audit log. Contains no secrets and no personal data. */
export type AuditEvent = {
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * Adds an event to the audit log; `at` in epoch milliseconds, `actor` "operator", a userId or
 * "visitor".
 */
export async function writeAudit(
  transaction: RecordsTransaction,
  at: number,
  actor: string,
  { action, subject, detail }: AuditEvent,
): Promise<void> {
  await transaction
    .insertInto('auditEntry')
    .values({ at, actor, action, subject, detail: JSON.stringify(detail) })
    .execute();
}

/** The port. */
export interface Registry {
  readonly engine: 'sqlite' | 'postgres';
  readonly records: Kysely<Records>;
  /** Brings the tables up to the newest schema version. Several nodes may call it at once. */
  migrate(): Promise<void>;
  /** Runs `work` under a lock across all nodes, which is released when its holder dies. */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The greatest number assigned to a row of a numbered table; 0 if there is none. */
  lastNumber(table: RecordTable): Promise<number>;
  /** Makes the numbers of later rows greater than `number`. */
  raiseNumber(table: RecordTable, number: number): Promise<void>;
  /** Reads the records of one moment, for as long as it takes. */
  snapshot<T>(use: (snapshot: RecordsSnapshot) => Promise<T>): Promise<T>;
  /** The status of the store, for readiness and the diagnosis; rejects if it does not answer. */
  checkHealth(): Promise<StoreStatus>;
  /** Reads everything that is stored; returns whether any of it was found damaged. */
  verify(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Locks an organisation until the end of the transaction, so that concurrent transactions count its
 * records in turn. SQLite runs one transaction at a time anyway.
 */
export async function lockOrganisation(
  engine: Registry['engine'],
  transaction: RecordsTransaction,
  organisationId: string,
): Promise<void> {
  if (engine === 'sqlite') return;
  await transaction
    .selectFrom('organisation')
    .select('organisationId')
    .where('organisationId', '=', organisationId)
    .forNoKeyUpdate()
    .execute();
}

/**
 * The name of the lock for changes of a channel's facts; channel 0 has the facts of no customer.
 */
export function channelLock(channelNumber: number): string {
  return `channel:${channelNumber}`;
}

/** The greatest possible number of a channel in the warehouse. */
const channelNumberMax = 2 ** 31 - 1;

/**
 * Draws the number of a new channel. It is random, so that a registry restored from a backup does
 * not assign a number whose facts are already in the warehouse.
 */
export function drawChannelNumber(): number {
  return randomInt(1, channelNumberMax);
}

/**
 * The version of the reader of documents. It rises when documents of some kind are read
 * differently, so that freshness can name the documents to import again.
 */
const currentReading = 1;

/**
 * Creates the record of an import and returns its number: the instant of its start, or the next
 * number after that of the latest import. It is never reused, and reveals nothing about the imports
 * of others.
 */
export async function openImport(
  registry: Registry,
  dataset: string,
  channelNumber: number | null,
  now: number,
): Promise<number> {
  const importId = Math.max(now, (await registry.lastNumber('import')) + 1);
  await registry.raiseNumber('import', importId);
  const added = await registry.records
    .insertInto('import')
    .values({
      importId,
      dataset,
      channelNumber,
      state: 'running',
      startedAt: now,
      finishedAt: null,
      rowsRead: 0,
      rowsAccepted: 0,
      rowsMerged: 0,
      rowsRejected: 0,
      rowsSkipped: 0,
      rowsCoarse: 0,
      rounded: 0,
      otherStores: 0,
      encoding: null,
      reading: currentReading,
      firstDate: null,
      lastDate: null,
      coverage: null,
      error: null,
      summary: null,
      documentHash: null,
      documentBytes: null,
      mediaType: null,
      fileName: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('importId')
    .executeTakeFirst();
  // Another import of the same instant may have taken the number.
  return added?.importId ?? openImport(registry, dataset, channelNumber, now);
}
