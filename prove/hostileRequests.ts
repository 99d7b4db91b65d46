/** Random and hostile requests to every operation, in a process of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Pair } from '../test/harness.ts';
import { amountOf, type Extent, type Finding, found, seedOf } from './promise.ts';

const program = fileURLToPath(new URL('../test/fuzz.ts', import.meta.url));
const requestsInFull = { embedded: 100_000, served: 10_000 };
const requestsInQuick = { embedded: 400, served: 100 };
const quickSeed = 31;

/** Sends hostile requests to the service on a pair of stores. */
export async function measureHostileRequests(pair: Pair, extent: Extent): Promise<Finding> {
  const requests = amountOf(extent, requestsInFull[pair], requestsInQuick[pair]);
  const seed = extent.isQuick ? quickSeed : seedOf(extent);
  const child = spawn(process.execPath, [program, `${requests}`, `${seed}`, pair], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) extent.say(output);
  const last = output.trim().split('\n').at(-1) ?? '';
  return found(code === 0 && /\b0 failures/.test(last), last || `it ended with ${code}`);
}
