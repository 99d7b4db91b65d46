/** Random and hostile requests to every operation, in a process of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Pair } from '../test/harness.ts';
import { type Extent, type Finding, found, type Proof } from './promise.ts';

const program = fileURLToPath(new URL('../test/fuzz.ts', import.meta.url));
const requestsInFull = { embedded: 100_000, served: 10_000 };
const requestsInQuick = { embedded: 400, served: 100 };
const quickSeed = 31;

async function measure(pair: Pair, { isQuick, share, say }: Extent): Promise<Finding> {
  const requests = isQuick ? requestsInQuick[pair] : Math.ceil(requestsInFull[pair] * share);
  const seed = isQuick ? quickSeed : Date.now() % 1_000_000_000;
  const child = spawn(process.execPath, [program, `${requests}`, `${seed}`, pair], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) say(output);
  const last = output.trim().split('\n').at(-1) ?? '';
  return found(code === 0 && /\b0 failures/.test(last), last || `it ended with ${code}`);
}

const proofOf = (pair: Pair): Proof => ({
  name: `hostile-${pair}`,
  promise: `Every answer to a hostile request is one that the description promises (${pair} pair)`,
  isTimed: false,
  measure: (extent) => measure(pair, extent),
});

/** The proofs of both pairs. */
export const hostileProofs: readonly Proof[] = [proofOf('embedded'), proofOf('served')];
