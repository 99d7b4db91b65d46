/** The port to the store of report files: a folder, or a bucket of S3. Files expire. */
import type { Readable } from 'node:stream';

/** A file that is being written. It cannot be found until it is stored. */
export type FileDraft = {
  /** Appends text or bytes; resolves when more may be appended. */
  readonly write: (content: string | Uint8Array) => Promise<void>;
  /** Stores the file whole and durably, in place of any earlier file with its name. */
  readonly store: () => Promise<void>;
  /** Deletes the draft; never rejects. */
  readonly discard: () => Promise<void>;
};

/** The media types of files by the extension of their name. */
export function mediaTypeOf(name: string): string {
  if (name.endsWith('.zip')) return 'application/zip';
  return name.endsWith('.parquet') ? 'application/vnd.apache.parquet' : 'text/csv; charset=utf-8';
}

/** A part of a file: its first and last byte, both inclusive. */
export type ByteRange = { readonly first: number; readonly last: number };

/** A file as it was when it was found. */
export type StoredFile = {
  /** In bytes. */
  readonly size: number;
  /** The entity tag, in quotation marks: it changes whenever the content does. */
  readonly tag: string;
  /**
   * Reads the file or a part of it. Rejects if the file has been replaced since. If its bytes
   * differ from what was written, this or the stream fails before the last bytes.
   */
  readonly open: (range?: ByteRange) => Promise<Readable>;
};

/** An entry of the list of files; `changedAt` is in epoch milliseconds. */
export type ListedFile = { readonly name: string; readonly changedAt: number };

/**
 * The port. Names have no folders. Every method throws StoreUnavailable if the store cannot be
 * reached or refuses to work.
 */
export interface FileStore {
  /** Whether the files lie beside the embedded stores, and are lost with them. */
  readonly isLocal: boolean;
  begin(name: string): Promise<FileDraft>;
  /** The file with this name; undefined if there is none. */
  find(name: string): Promise<StoredFile | undefined>;
  /** All files in portions, abandoned drafts included. */
  list(): AsyncIterable<readonly ListedFile[]>;
  /** Reads the files, and returns the names of damaged ones. */
  verify(): Promise<string[]>;
  /** Removes files; missing ones are ignored. */
  remove(names: readonly string[]): Promise<void>;
}

/** An orphan must be this old before it is removed: its record may not be committed yet. */
const orphanMilliseconds = 3_600_000;

/**
 * Removes files that no record needs any more. `wanted` returns the names among them that must
 * stay; `now` is in epoch milliseconds.
 */
export async function pruneFiles(
  files: FileStore,
  now: number,
  wanted: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  for await (const portion of files.list()) {
    const old = portion
      .filter(({ changedAt }) => changedAt < now - orphanMilliseconds)
      .map(({ name }) => name);
    if (old.length === 0) continue;
    const needed = await wanted(old);
    await files.remove(old.filter((name) => !needed.has(name)));
  }
}
