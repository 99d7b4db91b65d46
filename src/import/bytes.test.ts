/** The bytes of a document are freed as soon as they have been read or written to a file. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { freeBytes } from './bytes.ts';
import { JsonDocument } from './formats/json.ts';
import { LineSplitter } from './formats/lines.ts';
import { Spool } from './spool.ts';

/** Bytes in their own memory. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text);
  return bytes;
}

async function* all(pieces: readonly Buffer[]) {
  yield* pieces;
}

test('bytes are freed at once, unless they share their memory', () => {
  const own = ownBytes('abc');
  const part = Buffer.from('abcdef').subarray(1, 3);
  freeBytes(own);
  freeBytes(part);
  assert.equal(own.length, 0);
  assert.equal(part.toString(), 'bc');
});

test('the bytes of a document are freed as soon as they are in a file or read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bytes-'));
  try {
    const path = join(folder, 'document');
    const pieces = [ownBytes('a'.repeat(300_000)), ownBytes('b'.repeat(10_000))];
    const { body, release } = await new Spool(1).receive(Readable.from(pieces), path);
    const lengths = pieces.map(({ length }) => length);
    assert.deepEqual(lengths, [0, 0]);
    let text = '';
    for await (const piece of body) text += piece.toString();
    assert.equal(text, 'a'.repeat(300_000) + 'b'.repeat(10_000));
    await release();

    const list = JSON.stringify(Array.from({ length: 100_000 }, (_, number) => ({ number })));
    const halves = [ownBytes(list.slice(0, 1_000_000)), ownBytes(list.slice(1_000_000))];
    const document = await JsonDocument.open(all(halves), path, 512);
    const found = halves.map(({ length }) => length);
    assert.deepEqual(found, [0, 0]);
    const rows = [...document.rowsAt([])].flat() as { number: number }[];
    assert.ok(rows.length === 100_000 && rows.every((row, index) => row.number === index));
    document.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a line is whole though the bytes of its beginning were freed', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((text) => lines.push(text));
  for (const text of ['one\ntw', 'o\nthr', 'ee\n']) {
    const piece = ownBytes(text);
    splitter.push(piece);
    freeBytes(piece);
  }
  assert.deepEqual(lines, ['one', 'two', 'three']);
});
