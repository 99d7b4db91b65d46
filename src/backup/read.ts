/** Reads backups: unpacks them from a tar file, and checks that they are complete. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Selectable } from 'kysely';
import { extract } from 'tar-stream';
import type { RecordTable } from '../engine/recordCopies.ts';
import type { Records } from '../engine/records.ts';
import { sumOf } from '../files/digests.ts';
import {
  type BackupFile,
  BackupRefusal,
  type CheckedBackup,
  filesOf,
  isBackupPath,
  manifestName,
} from './format.ts';
import { readManifest } from './manifest.ts';

const partEnding = '.part';

/**
 * Unpacks a tar file into a new folder. `last` gets its name only after all other files exist, so a
 * folder that has it is complete. Throws BackupRefusal if it is missing.
 */
export async function unpack(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  last: string,
): Promise<void> {
  const extraction = extract();
  const feeding = pipeline(Readable.from(bytes), extraction);
  // Awaited below, because an entry may fail first.
  feeding.catch(() => undefined);
  let hasLast = false;
  for await (const entry of extraction) {
    const { name } = entry.header;
    if (!isBackupPath(name)) throw new BackupRefusal(`A backup has no file named ${name}.`);
    const path = join(folder, name === last ? `${name}${partEnding}` : name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    hasLast ||= name === last;
  }
  await feeding;
  if (!hasLast) throw new BackupRefusal('What arrived broke off: try again.');
  await rename(join(folder, `${last}${partEnding}`), join(folder, last));
}

/** A backup whose files are all as they were written. Throws BackupRefusal. */
export async function checkBackup(folder: string): Promise<CheckedBackup> {
  const written = readManifest(
    await readFile(join(folder, manifestName), 'utf8').catch(() => {
      throw new BackupRefusal(
        `${folder} is no whole backup: it has no ${manifestName}, which is written last.`,
      );
    }),
  );
  for (const file of filesOf(written.manifest)) await checkFile(folder, file);
  return { folder, ...written };
}

async function checkFile(folder: string, { path, bytes, sha256 }: BackupFile): Promise<void> {
  const file = join(folder, path);
  const found = isBackupPath(path) && (await stat(file).catch(() => undefined));
  if (!found) throw new BackupRefusal(`The backup is not whole: ${path} is missing.`);
  const damaged = new BackupRefusal(`The backup is damaged: ${path} is not as it was written.`);
  if (found.size !== bytes) throw damaged;
  if ((await sumOf(createReadStream(file))) !== sha256) throw damaged;
}

/** The records of a table of a backup, in portions. */
export async function* recordsOf<T extends RecordTable>(
  { folder, manifest }: CheckedBackup,
  table: T,
): AsyncGenerator<Selectable<Records[T]>[]> {
  const file = manifest.records.find((one) => one.table === table);
  if (file !== undefined) yield* linesOf<Selectable<Records[T]>>(join(folder, file.path));
}

/** The values of a file of JSON lines, in portions. */
export async function* linesOf<Value>(file: string, portionSize = 500): AsyncGenerator<Value[]> {
  let portion: Value[] = [];
  const input = createReadStream(file);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    portion.push(JSON.parse(line) as Value);
    if (portion.length < portionSize) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
