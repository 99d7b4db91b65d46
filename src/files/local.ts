/** The file store in a folder. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '../engine/errors.ts';
import type { FileStore, ListedFile } from './store.ts';

/** Text is gathered up to so many characters before it is written. */
const gatheredMax = 1 << 18;
const portionSize = 500;
const draftEnding = '.part';

/** Opens the store; the folder is made when the first file is. */
export function openLocalFiles(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name);

  async function removeDrafts(name: string): Promise<void> {
    for await (const portion of list()) {
      for (const one of portion)
        if (one.name.startsWith(`${name}.`) && one.name.endsWith(draftEnding))
          await rm(pathOf(one.name), { force: true });
    }
  }

  async function* list(): AsyncGenerator<readonly ListedFile[]> {
    let portion: ListedFile[] = [];
    const entries = await opendir(folder).catch(unlessMissing);
    if (entries === undefined) return;
    for await (const { name } of entries) {
      const found = await stat(pathOf(name)).catch(unlessMissing);
      if (found !== undefined) portion.push({ name, changedAt: found.mtimeMs });
      if (portion.length < portionSize) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  }

  return {
    list,
    async begin(name) {
      const draft = pathOf(`${name}.${randomUUID()}${draftEnding}`);
      const file = await reached(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return open(draft, 'wx', 0o600);
      });
      let gathered = '';
      const flush = async () => {
        const text = gathered;
        gathered = '';
        await reached(() => file.writeFile(text));
      };
      return {
        async write(text) {
          gathered += text;
          if (gathered.length >= gatheredMax) await flush();
        },
        async keep() {
          await flush();
          await reached(async () => {
            await file.sync();
            await file.close();
            await rename(draft, pathOf(name));
            await syncFolder(folder);
            // Left by those who were killed while they wrote the same.
            await removeDrafts(name);
          });
        },
        async discard() {
          await file.close().catch(() => {});
          await rm(draft, { force: true }).catch(() => {});
        },
      };
    },
    async find(name) {
      const found = await reached(() => stat(pathOf(name), { bigint: true }).catch(unlessMissing));
      if (found === undefined) return undefined;
      const tag = tagOf(found);
      return {
        size: Number(found.size),
        tag,
        async open(range) {
          const file = await reached(() => open(pathOf(name), 'r'));
          const same = await hasTag(file, tag);
          if (!same) {
            await file.close();
            throw new StoreUnavailable(
              'file store',
              new Error('the file has been replaced meanwhile'),
            );
          }
          return file.createReadStream(range && { start: range.first, end: range.last });
        },
      };
    },
    async remove(names) {
      for (const name of names) await reached(() => rm(pathOf(name), { force: true }));
    },
  };
}

function tagOf({ size, ino, mtimeNs }: { size: bigint; ino: bigint; mtimeNs: bigint }): string {
  return `"${size.toString(36)}-${ino.toString(36)}-${mtimeNs.toString(36)}"`;
}

async function hasTag(file: FileHandle, tag: string): Promise<boolean> {
  return tagOf(await file.stat({ bigint: true })) === tag;
}

/** A name outlives the loss of power once its folder is written. */
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
