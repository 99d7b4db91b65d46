/** Opens the file store that the configuration names. */
import { join } from 'node:path';
import { openLocalFiles } from './local.ts';
import type { BucketAddress } from './s3.ts';
import type { FileStore } from './store.ts';

const folderName = 'reports';

/** Opens the configured bucket, or a folder in the data folder if there is none. */
export async function openFiles(config: {
  readonly dataFolder: string;
  readonly reportStore: BucketAddress | undefined;
}): Promise<FileStore> {
  if (config.reportStore !== undefined)
    return (await import('./s3.ts')).openBucket(config.reportStore);
  return openLocalFiles(join(config.dataFolder, folderName));
}
