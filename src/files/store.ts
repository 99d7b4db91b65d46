/** The port to the file store, where files that were made for a caller lie until they expire. A folder serves it, or a bucket of S3. */
import type { Readable } from 'node:stream';

/** A file on its way in. Nothing of it can be found until it is kept. */
export type FileDraft = {
  /** Adds text, and resolves when more may be added. */
  readonly write: (text: string) => Promise<void>;
  /** Makes it the file of its name, whole and durably, in place of any that had the name. */
  readonly keep: () => Promise<void>;
  /** Drops what was written; never rejects. */
  readonly discard: () => Promise<void>;
};

/** Part of a file, by its first and last byte, both inclusive. */
export type ByteRange = { readonly first: number; readonly last: number };

/** A file as it was found. */
export type StoredFile = {
  /** In bytes. */
  readonly size: number;
  /** Differs where the content differs, in quotation marks. */
  readonly tag: string;
  /** Its bytes, or a part of them. Rejects where the file has been replaced meanwhile. */
  readonly open: (range?: ByteRange) => Promise<Readable>;
};

/** A file among others; `changedAt` is in epoch milliseconds. */
export type ListedFile = { readonly name: string; readonly changedAt: number };

/** The port. Names are plain, without folders. Every method throws StoreUnavailable where the store cannot do its work now. */
export interface FileStore {
  begin(name: string): Promise<FileDraft>;
  /** The file of that name, or undefined where there is none. */
  find(name: string): Promise<StoredFile | undefined>;
  /** All files in portions, what is left of drafts included. */
  list(): AsyncIterable<readonly ListedFile[]>;
  /** Removes files; those that are not there are passed over. */
  remove(names: readonly string[]): Promise<void>;
}

/** Files that belong to nothing are left alone for so long, because what they belong to may be about to be noted. */
const orphanMilliseconds = 3_600_000;

/** Removes what belongs to nothing any more: `wanted` picks the names of a portion that are to stay. `now` is in epoch milliseconds. */
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
    const kept = await wanted(old);
    await files.remove(old.filter((name) => !kept.has(name)));
  }
}
