/** Writes zip archives file by file, in constant memory. */
import { setImmediate } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';

/** The bytes compressed before the event loop has its turn. */
const sliceBytes = 1 << 16;
/** Other requests wait while archives are written: speed matters more than size. */
const level = 4;

/** An archive that is being written. */
export class ArchiveWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #zip: Zip;
  #packed: Uint8Array[] = [];
  #file: ZipDeflate | undefined;

  /** `write` takes the bytes of the archive. */
  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      this.#packed.push(bytes);
    });
  }

  /** Begins a file. */
  begin(name: string): void {
    this.#file = new ZipDeflate(name, { level });
    this.#zip.add(this.#file);
  }

  /** Appends text or bytes to the file. */
  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      this.#file!.push(bytes.subarray(at, at + sliceBytes));
      await this.#flush();
      await setImmediate();
    }
  }

  /** Ends the file. */
  async endFile(): Promise<void> {
    this.#file!.push(new Uint8Array(), true);
    await this.#flush();
  }

  /** Ends the archive. */
  async end(): Promise<void> {
    this.#zip.end();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const packed = this.#packed;
    this.#packed = [];
    for (const bytes of packed) if (bytes.length > 0) await this.#write(bytes);
  }
}
