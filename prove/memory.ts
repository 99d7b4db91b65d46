/** Hostile documents, two at once: what reading them adds to the memory of the process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentsFor } from './hostileSizes.ts';
import { type Extent, type Finding, found } from './promise.ts';

const program = fileURLToPath(new URL('readTwo.ts', import.meta.url));
/** The most memory that two documents may take. */
export const mebibytesMax = 450;

/** The memory in MiB that reading two documents at once adds, in a process of its own. */
export async function memoryOfTwo(documents: readonly [Buffer, Buffer]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-memory-'));
  try {
    const paths = documents.map((document, at) => {
      const path = join(folder, `document-${at}`);
      writeFileSync(path, document);
      return path;
    });
    const child = spawn(process.execPath, [program, folder, ...paths], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`reading two documents ended with ${code}`);
    return Number(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads hostile documents, two at once, in processes of their own. */
export async function measureMemory({ isQuick, share, say }: Extent): Promise<Finding> {
  const documents = documentsFor(isQuick ? 0.1 : share);
  const names = Object.keys(documents);
  let most = { name: '', mebibytes: 0 };
  for (const [at, name] of names.entries()) {
    // Each beside itself, and beside the next one.
    for (const other of [name, names[(at + 1) % names.length]!]) {
      const mebibytes = await memoryOfTwo([documents[name]!(), documents[other]!()]);
      say(`${name} beside ${other}: ${mebibytes} MiB`);
      if (mebibytes > most.mebibytes) most = { name: `${name} beside ${other}`, mebibytes };
    }
  }
  return found(
    most.mebibytes <= mebibytesMax,
    `${2 * names.length} pairs of ${names.length} documents: at most ${most.mebibytes} MiB more ` +
      `(${most.name})`,
  );
}
