/**
 * Reads documents at the same time, as imports do, and prints how many MiB of memory that added.
 */
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { defaultLimits } from '../src/config/limits.ts';
import type { ReadingTask, Reply, Request } from '../src/import/messages.ts';
import { readInThread } from '../src/import/reading.ts';

const [folder = '', ...paths] = process.argv.slice(2);
const bytesPerMebibyte = 2 ** 20;

const taskOf = (importId: number): ReadingTask => ({
  content: { document: true },
  importId,
  stagingFolder: folder,
  megabytesMax: defaultLimits.importMegabytes,
  unpackedMegabytesMax: defaultLimits.spoolMegabytes,
  secret: 'secret',
  sealBound: '',
  acceptsMultiDay: false,
  hasLocalTimes: false,
  timezone: 'UTC',
  currency: 'USD',
  account: 'seller',
  pricesIncludeTax: false,
  orderTables: [],
  plainBytesMin: Number.POSITIVE_INFINITY,
  replaces: false,
  financeCodes: { own: [], named: [] },
});

async function answer(request: Request): Promise<Reply> {
  if (request.type === 'staged') rmSync(request.path, { force: true });
  return { rows: [] };
}

const atRest = process.memoryUsage.rss();
await Promise.allSettled(
  paths.map((path, at) =>
    readInThread(createReadStream(path), taskOf(at + 1), {
      answer,
      progress: async () => undefined,
      refusal: async ({ reason }) => new Error(reason),
      seconds: defaultLimits.importSeconds,
      processorSeconds: defaultLimits.importProcessorSeconds,
    }),
  ),
);
// The kernel's own peak of the resident set, in KiB.
const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))!;
process.stdout.write(`${Math.round((Number(peak) * 1024 - atRest) / bytesPerMebibyte)}`);
process.exit();
