/** Copies the files of reports from a backup, and reads the copies to check them. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from '../files/digests.ts';
import type { FileStore } from '../files/store.ts';
import { type BackupFile, BackupRefusal, type CheckedBackup } from './format.ts';

/** Copies a file. Throws BackupRefusal if the copy differs from the file of the backup. */
export async function restoreReport(
  { folder }: CheckedBackup,
  files: FileStore,
  { path, bytes, sha256 }: BackupFile,
): Promise<void> {
  const name = path.replace(/^reports\//, '');
  const draft = await files.begin(name);
  try {
    for await (const chunk of createReadStream(join(folder, path)))
      await draft.write(chunk as Buffer);
    await draft.store();
  } catch (error) {
    await draft.discard();
    throw error;
  }
  const stored = await files.find(name);
  if (stored?.size !== bytes || (await sumOf(await stored.open())) !== sha256)
    throw new BackupRefusal(
      `The copy of ${path} is not that of the backup, so the restore has not ended: ` +
        'look after the disk and run it again.',
    );
}
