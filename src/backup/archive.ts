/** Writes files one after another into a tar file that is read while it is written. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import type { BackupFile, Source } from './format.ts';

/** A tar file whose files are made one at a time, so that only one of them takes up disk space. */
export class Archive {
  readonly #pack = pack();
  readonly #folder: string;

  /** `folder` holds the file that is being made. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The bytes of the tar file while `fill` adds to it. An error in `fill` cuts them short. */
  static async *bytes(
    folder: string,
    fill: (archive: Archive) => Promise<void>,
  ): AsyncGenerator<Uint8Array> {
    const archive = new Archive(folder);
    const filling = fill(archive).then(
      () => archive.#pack.finalize(),
      (error: Error) => archive.#pack.destroy(error),
    );
    try {
      for await (const chunk of archive.#pack) yield chunk as Uint8Array;
    } finally {
      archive.#pack.destroy();
      await filling;
    }
  }

  /** Adds the file that `make` writes to the given path. */
  async add(path: string, make: (file: string) => Promise<void>): Promise<BackupFile> {
    // If its process dies, the file is pruned like the files of imports.
    const file = join(this.#folder, `import-backup-${randomUUID()}`);
    try {
      this.#checkRead();
      await make(file);
      const { size } = await stat(file);
      return await this.send(path, { bytes: size, chunks: createReadStream(file) });
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Adds a file from bytes in memory. */
  async send(path: string, { bytes, chunks }: Source): Promise<BackupFile> {
    this.#checkRead();
    const hash = createHash('sha256');
    const entry = this.#pack.entry({ name: path, size: bytes, mode: 0o600, mtime: new Date(0) });
    // The reader may leave and close it at any time.
    const closed = once(entry, 'close');
    closed.catch(() => undefined);
    for await (const chunk of chunks) {
      this.#checkRead();
      hash.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), closed]);
    }
    entry.end(Buffer.alloc(0));
    await closed;
    this.#checkRead();
    return { path, bytes, sha256: hash.digest('hex') };
  }

  #checkRead(): void {
    if (this.#pack.destroyed) throw new Error('The reader of the backup has gone.');
  }
}
