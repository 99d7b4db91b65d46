/** Bytes of files that change by themselves. */
import { open, stat } from 'node:fs/promises';
import type { Random } from '../demonstration/random.ts';

/** Flips a bit in each of some bytes at the beginning of a file, which may be its whole. */
export async function flip(file: string, bytes: number, random: Random, end?: number) {
  const below = end ?? (await stat(file)).size;
  const handle = await open(file, 'r+');
  for (let number = 0; number < bytes; number++) {
    const [at, byte] = [random.whole(below), Buffer.alloc(1)];
    await handle.read(byte, 0, 1, at);
    byte[0]! ^= 1 << random.whole(8);
    await handle.write(byte, 0, 1, at);
  }
  await handle.close();
}
