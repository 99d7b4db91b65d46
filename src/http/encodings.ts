/** Answers in the encodings that clients take, at the level that costs least. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The encodings, those that take the least time first. */
const encodings = ['zstd', 'br', 'gzip'] as const;

/** How the bytes of an answer are compressed. */
export type Encoding = (typeof encodings)[number];

/** Smaller answers fit into a few packets and are not worth compressing. */
export const packedBytesMin = 2_048;
/** Larger ones are compressed in another thread. */
const promptBytesMax = 262_144;

const { constants } = zlib;
const options = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 1 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  gzip: { level: 1 },
};
const sync = {
  zstd: (bytes: Buffer) => zlib.zstdCompressSync(bytes, options.zstd),
  br: (bytes: Buffer) => zlib.brotliCompressSync(bytes, options.br),
  gzip: (bytes: Buffer) => zlib.gzipSync(bytes, options.gzip),
} satisfies Record<Encoding, (bytes: Buffer) => Buffer>;
const later = {
  zstd: (bytes: Buffer) => promisify(zlib.zstdCompress)(bytes, options.zstd),
  br: (bytes: Buffer) => promisify(zlib.brotliCompress)(bytes, options.br),
  gzip: (bytes: Buffer) => promisify(zlib.gzip)(bytes, options.gzip),
} satisfies Record<Encoding, (bytes: Buffer) => Promise<Buffer>>;

/** Whether a header Accept-Encoding takes an encoding by its name. */
export function takes(accepted: string | undefined, encoding: Encoding): boolean {
  return (accepted ?? '').split(',').some((one) => {
    const [name = '', quality = ''] = one.split(';');
    const isNamed = name.trim().toLowerCase().replace(/^x-/, '') === encoding;
    return isNamed && !/^ *q=0(?:\.0*)? *$/i.test(quality);
  });
}

/** The encoding for a client with this header; undefined where it names none of them. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  return accepted === undefined ? undefined : encodings.find((one) => takes(accepted, one));
}

/** Compresses bytes. */
export async function encoded(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return bytes.length > promptBytesMax ? await later[encoding](bytes) : sync[encoding](bytes);
}
