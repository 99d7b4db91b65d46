/**
 * A file in a folder or bucket can be read, whole or in part, from when it is stored until it is
 * pruned.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { level, slow } from '../../test/level.ts';
import { type Bucket, openBucketServer } from '../../test/servers/bucket.ts';
import { StoreUnavailable } from '../engine/errors.ts';
import { openLocalFiles } from './local.ts';
import { openBucket } from './s3.ts';
import { type FileStore, pruneFiles } from './store.ts';

const hour = 3_600_000;
/** More than one part of an upload; in a deep run also more than two. */
const someBytes = 9_000_000;
const manyBytes = level === 'deep' ? 17_000_000 : someBytes;

/** A store, with a function that removes it. */
type OpenedStore = { readonly files: FileStore; readonly close: () => Promise<void> };

const stores: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  async folder() {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-files-'));
    return {
      files: openLocalFiles(join(folder, 'new')),
      close: () => rm(folder, { recursive: true }),
    };
  },
  async bucket() {
    const bucket: Bucket = await openBucketServer();
    return {
      files: openBucket({ ...bucket.address, prefix: 'some/folder & more/' }),
      close: bucket.close,
    };
  },
};

for (const [name, open] of Object.entries(stores)) {
  describe(`the file store in a ${name}`, name === 'bucket' ? slow : {}, () => {
    let opened: OpenedStore;
    let files: FileStore;

    before(async () => {
      opened = await open();
      files = opened.files;
    });
    after(() => opened.close());

    async function storeFile(file: string, ...texts: string[]): Promise<void> {
      const draft = await files.begin(file);
      for (const one of texts) await draft.write(one);
      await draft.store();
    }

    async function read(file: string, range?: { first: number; last: number }): Promise<string> {
      const found = await files.find(file);
      assert.ok(found, `${file} is not there`);
      return text(await found.open(range));
    }

    async function names(): Promise<string[]> {
      const all: string[] = [];
      for await (const portion of files.list()) all.push(...portion.map((file) => file.name));
      return all.sort();
    }

    test('A new store has no files.', async () => {
      assert.deepEqual(await names(), []);
      assert.equal(await files.find('a.csv'), undefined);
      await files.remove(['a.csv']);
    });

    test('A file is found once it is stored, and can be read whole or in part.', async () => {
      const draft = await files.begin('a.csv');
      await draft.write('first, ');
      await draft.write('sécond');
      assert.equal(await files.find('a.csv'), undefined);
      await draft.store();
      assert.equal((await files.find('a.csv'))!.size, 14);
      assert.match((await files.find('a.csv'))!.tag, /^"[^"]+"$/);
      assert.equal(await read('a.csv'), 'first, sécond');
      assert.equal(await read('a.csv', { first: 2, last: 4 }), 'rst');
      assert.equal(await read('a.csv', { first: 0, last: 13 }), 'first, sécond');
      assert.deepEqual(await names(), ['a.csv']);
      await files.remove(['a.csv', 'never.csv']);
      assert.equal(await files.find('a.csv'), undefined);
    });

    test('An empty file can be stored.', async () => {
      await storeFile('empty.csv');
      assert.equal((await files.find('empty.csv'))!.size, 0);
      assert.equal(await read('empty.csv'), '');
      await files.remove(['empty.csv']);
    });

    test('A discarded draft leaves nothing.', async () => {
      const draft = await files.begin('b.csv');
      await draft.write('x'.repeat(someBytes));
      await draft.discard();
      assert.equal(await files.find('b.csv'), undefined);
      assert.deepEqual(await names(), []);
    });

    test('A long file is stored byte for byte.', async () => {
      const line = 'abcdefghijklmnopqrstuvwxyz 0123456789 äöü\r\n';
      const portion = line.repeat(10_000);
      const portions = Math.ceil(manyBytes / portion.length);
      await storeFile('long.csv', ...Array.from({ length: portions }, () => portion));
      assert.equal(await read('long.csv'), portion.repeat(portions));
      const bytes = Buffer.from(portion.repeat(portions));
      assert.equal(
        await read('long.csv', { first: 8_388_600, last: 8_388_620 }),
        bytes.subarray(8_388_600, 8_388_621).toString(),
      );
      await files.remove(['long.csv']);
    });

    test('A replaced file cannot be opened by those who found its predecessor.', async () => {
      await storeFile('c.csv', 'old');
      const found = (await files.find('c.csv'))!;
      await storeFile('c.csv', 'newer');
      assert.notEqual((await files.find('c.csv'))!.tag, found.tag);
      await assert.rejects(found.open(), StoreUnavailable);
      assert.equal(await read('c.csv'), 'newer');
      await files.remove(['c.csv']);
    });

    test('Pruning removes old orphans only.', async () => {
      await storeFile('wanted.csv', '1');
      await storeFile('orphan.csv', '2');
      const candidates: string[] = [];
      const wanted = async (names: readonly string[]) => {
        candidates.push(...names);
        return new Set(['wanted.csv']);
      };
      await pruneFiles(files, Date.now(), wanted);
      assert.deepEqual([candidates, await names()], [[], ['orphan.csv', 'wanted.csv']]);
      await pruneFiles(files, Date.now() + 2 * hour, wanted);
      assert.deepEqual(
        [candidates.sort(), await names()],
        [['orphan.csv', 'wanted.csv'], ['wanted.csv']],
      );
    });
  });
}

/** Runs with a temporary folder. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-files-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('In a folder, the next file of the same name, or pruning, removes the drafts of killed writers.', async () => {
  await inFolder(async (folder) => {
    const files = openLocalFiles(folder);
    for (const name of ['a.csv.1.part', 'a.csv.2.part', 'b.csv.3.part'])
      await writeFile(join(folder, name), 'x');
    const draft = await files.begin('a.csv');
    await draft.store();
    const digest = 'a.csv.sha256';
    assert.deepEqual((await readdir(folder)).sort(), ['a.csv', digest, 'b.csv.3.part']);
    const old = (Date.now() - 2 * hour) / 1000;
    await utimes(join(folder, 'b.csv.3.part'), old, old);
    await pruneFiles(files, Date.now(), async () => new Set(['a.csv']));
    assert.deepEqual((await readdir(folder)).sort(), ['a.csv', digest]);
    await files.remove(['a.csv']);
    assert.deepEqual(await readdir(folder), []);
  });
});

test('In a folder, a file with a changed byte is found, and never read whole.', async () => {
  await inFolder(async (folder) => {
    const files = openLocalFiles(folder);
    const content = 'line of a report\n'.repeat(20_000);
    for (const name of ['a.csv', 'b.csv']) {
      const draft = await files.begin(name);
      await draft.write(content);
      await draft.store();
    }
    assert.deepEqual(await files.verify(), []);
    const changed = Buffer.from(content);
    changed[7]! ^= 4;
    await writeFile(join(folder, 'a.csv'), changed);
    assert.deepEqual(await files.verify(), ['a.csv']);
    const found = (await files.find('a.csv'))!;
    await assert.rejects(found.open({ first: 100_000, last: 100_010 }), StoreUnavailable);
    let bytes = 0;
    const read = async () => {
      for await (const chunk of await found.open()) bytes += chunk.length;
    };
    await assert.rejects(read(), StoreUnavailable);
    assert.ok(bytes < content.length, `${bytes} bytes`);
    assert.equal(await text(await (await files.find('b.csv'))!.open()), content);
  });
});

test('A store that cannot be reached or written to is reported as unavailable.', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(openLocalFiles(join(folder, 'file')).begin('a.csv'), StoreUnavailable);
  });
  const bucket = await openBucketServer();
  const refused = async (files: FileStore) => {
    const draft = await files.begin('a.csv');
    await draft.write('x');
    await assert.rejects(draft.store(), StoreUnavailable);
    await draft.discard();
  };
  try {
    await refused(openBucket({ ...bucket.address, accessKeyId: 'stranger', prefix: '' }));
  } finally {
    await bucket.close();
  }
  const gone = openBucket({ ...bucket.address, prefix: '' });
  await refused(gone);
  await assert.rejects(gone.find('a.csv'), StoreUnavailable);
});
