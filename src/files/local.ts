/** The file store in a folder. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StoreUnavailable } from '../engine/errors.ts';
import {
  compared,
  damaged,
  digestOf,
  digestPath,
  isDigest,
  storeDigest,
  sumOf,
} from './digests.ts';
import type { FileDraft, FileStore, ListedFile, StoredFile } from './store.ts';

/** Text is buffered up to this number of characters before it is written. */
const bufferMax = 1 << 18;
const portionSize = 500;
const draftEnding = '.part';

/** Opens the store; the first file creates the folder. */
export function openLocalFiles(folder: string): FileStore {
  return {
    isLocal: true,
    begin: (name) => beginDraft(folder, name),
    find: (name) => findFile(folder, name),
    list: () => listFiles(folder),
    verify: () => damagedFiles(folder),
    async remove(names) {
      for (const name of names)
        for (const path of [join(folder, name), digestPath(folder, name)])
          await reached(() => rm(path, { force: true }));
    },
  };
}

async function beginDraft(folder: string, name: string): Promise<FileDraft> {
  const draft = join(folder, `${name}.${randomUUID()}${draftEnding}`);
  const file = await reached(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(draft, 'wx', 0o600);
  });
  const hash = createHash('sha256');
  let buffered = '';
  const append = async (content: string | Uint8Array) => {
    hash.update(content);
    await reached(() => file.writeFile(content));
  };
  const flush = async () => {
    const text = buffered;
    buffered = '';
    await append(text);
  };
  return {
    async write(content) {
      if (typeof content !== 'string') {
        await flush();
        await append(content);
        return;
      }
      buffered += content;
      if (buffered.length >= bufferMax) await flush();
    },
    async store() {
      await flush();
      await reached(async () => {
        await file.sync();
        await file.close();
        // A file without a digest is not checked; one with a wrong digest would not be read.
        await rm(digestPath(folder, name), { force: true });
        await rename(draft, join(folder, name));
        await storeDigest(folder, name, hash.digest('hex'));
        await syncFolder(folder);
        // Killed processes may have left drafts of the same file.
        await removeDrafts(folder, name);
      });
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(draft, { force: true }).catch(() => {});
    },
  };
}

async function removeDrafts(folder: string, name: string): Promise<void> {
  for await (const portion of listFiles(folder)) {
    for (const one of portion)
      if (one.name.startsWith(`${name}.`) && one.name.endsWith(draftEnding))
        await rm(join(folder, one.name), { force: true });
  }
}

async function* listFiles(folder: string): AsyncGenerator<readonly ListedFile[]> {
  let portion: ListedFile[] = [];
  const entries = await opendir(folder).catch(unlessMissing);
  if (entries === undefined) return;
  for await (const { name } of entries) {
    if (await isDigest(folder, name)) continue;
    const found = await stat(join(folder, name)).catch(unlessMissing);
    if (found !== undefined) portion.push({ name, changedAt: found.mtimeMs });
    if (portion.length < portionSize) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

async function findFile(folder: string, name: string): Promise<StoredFile | undefined> {
  const path = join(folder, name);
  const found = await reached(() => stat(path, { bigint: true }).catch(unlessMissing));
  if (found === undefined) return undefined;
  const tag = tagOf(found);
  return {
    size: Number(found.size),
    tag,
    async open(range) {
      const file = await reached(() => open(path, 'r'));
      if (!(await hasTag(file, tag))) {
        await file.close();
        throw new StoreUnavailable(
          'file store',
          new Error('the file has been replaced since it was found'),
        );
      }
      const digest = await digestOf(folder, name);
      if (range === undefined)
        return Readable.from(compared(file.createReadStream(), name, digest), {
          objectMode: false,
        });
      if (digest !== undefined && (await sumOf(createReadStream(path))) !== digest) {
        await file.close();
        throw damaged(name);
      }
      return file.createReadStream({ start: range.first, end: range.last });
    },
  };
}

async function damagedFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const portion of listFiles(folder))
    for (const { name } of portion) {
      const digest = await digestOf(folder, name);
      if (digest === undefined) continue;
      const sum = await sumOf(createReadStream(join(folder, name))).catch(unlessMissing);
      if (sum !== undefined && sum !== digest) found.push(name);
    }
  return found;
}

function tagOf({ size, ino, mtimeNs }: { size: bigint; ino: bigint; mtimeNs: bigint }): string {
  return `"${size.toString(36)}-${ino.toString(36)}-${mtimeNs.toString(36)}"`;
}

async function hasTag(file: FileHandle, tag: string): Promise<boolean> {
  return tagOf(await file.stat({ bigint: true })) === tag;
}

/** A new name survives a power failure only once its folder is on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StoreUnavailable('file store', error);
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
