/**
 * The format of backups: a folder, or a tar file in transit, with Parquet files of facts, JSON
 * lines of records, files of reports, and a manifest. docs/backups.md describes it.
 */
import { Readable } from 'node:stream';
import type { FactsRange } from '../engine/copies.ts';
import type { RecordTable } from '../engine/recordCopies.ts';

/** The version of the format that this program writes and reads. */
export const formatVersion = 2;

/** The last file, which makes a backup complete. */
export const manifestName = 'manifest.json';

/** The file of the totals of facts, with a line of JSON for each table and channel. */
export const totalsName = 'totals.jsonl';

/** A file of a backup: its path there, its size in bytes and its checksum. */
export type BackupFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

/** A file in transit: its size and its bytes. */
export type Source = { readonly bytes: number; readonly chunks: AsyncIterable<Uint8Array> };

/** The facts of one part of a table. */
export type FactsFile = BackupFile & { readonly range: FactsRange; readonly rows: number };

/** The records of a table. */
export type RecordsFile = BackupFile & { readonly table: RecordTable; readonly rows: number };

/** The list of the files of a backup, and everything else that a restore needs. */
export type Manifest = {
  readonly format: 'vitrine backup';
  readonly version: typeof formatVersion;
  readonly backupId: string;
  readonly installationId: string;
  /** The moment of its facts and records, as ISO 8601. */
  readonly madeAt: string;
  /** The schema versions of both stores. */
  readonly schema: { readonly registry: number; readonly warehouse: number };
  /** The greatest number given to a row so far, for each numbered table. */
  readonly numbers: Partial<Readonly<Record<RecordTable, number>>>;
  readonly records: readonly RecordsFile[];
  readonly facts: readonly FactsFile[];
  readonly reports: readonly BackupFile[];
  readonly totals: BackupFile;
};

/** The totals of one table and channel; `sums` holds those of numeric columns, in millionths. */
export type Total = {
  readonly table: string;
  readonly channel: number;
  readonly rows: number;
  readonly sums: Readonly<Record<string, string>>;
};

/** A manifest as written, with its code under the key of its installation. */
export type WrittenManifest = { readonly manifest: Manifest; readonly hmac: string };

/** A backup whose files are all as they were written. */
export type CheckedBackup = WrittenManifest & { readonly folder: string };

/** Why a backup cannot be made or restored, in a sentence for the operator. */
export class BackupRefusal extends Error {}

/** Every file that a manifest names. */
export function filesOf({ records, facts, reports, totals }: Manifest): readonly BackupFile[] {
  return [...records, ...facts, ...reports, totals];
}

/** Whether a path can be the path of a file of a backup or an export. */
export function isBackupPath(path: string): boolean {
  return /^(?:(?:records|facts|reports)\/)?[\w-][\w.-]*$/.test(path);
}

/** A text as a file in transit. */
export function sourceOf(text: string): Source {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, chunks: Readable.from([bytes]) };
}
