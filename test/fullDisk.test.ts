/** A service whose files may not grow any more, as on a full disk. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openImport } from '../src/engine/registry.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { deepTest } from './level.ts';
import { connectStore, type Service, startService } from './service.ts';

/** More than DuckDB's write-ahead log has before a checkpoint, and less than the facts need. */
const fileBytesMax = 22_000_000;
/** Less than the write-ahead log of any registry, to which nothing can then be added. */
const registryBytesMax = 65_536;
const documentsMax = 60;
const rowsPerDocument = 600;
const canLimit = existsSync('/usr/bin/prlimit');

/** Limits how large files of a process may become; an ordinary user may lower and raise it. */
function limitFiles({ pid }: Pick<Service, 'pid'>, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

/** The open files of a process that hold its facts. */
function openWarehouseFiles({ pid }: Service): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .map((name) => {
      try {
        return readlinkSync(join(folder, name));
      } catch {
        return '';
      }
    })
    .filter((file) => file.endsWith('/warehouse.duckdb'));
}

if (canLimit)
  deepTest('a full disk ends neither reads nor the service; imports go on with room', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-full-'));
    let service = await startService(folder);
    let acknowledged = 0;
    const importProducts = async () => {
      const rows = Array.from({ length: rowsPerDocument }, () =>
        JSON.stringify({
          sku: randomBytes(12).toString('hex'),
          title: randomBytes(1_000).toString('hex'),
          imageUrl: `https://example.com/${randomBytes(900).toString('hex')}`,
        }),
      );
      const response = await service.ask(
        'POST',
        '/operator/imports/products?channelId=store',
        rows.join('\n'),
        { authorization: service.authorization, 'content-type': 'application/x-ndjson' },
      );
      await response.text();
      if (response.status === 200) acknowledged += rowsPerDocument;
      return response.status;
    };
    const products = async () => {
      const { datasets } = await service.operate('GET', '/operator/freshness?channelId=store');
      return datasets.find(({ dataset }: { dataset: string }) => dataset === 'products').rows;
    };
    const expectReadable = async () => {
      assert.equal((await service.ask('GET', '/readyz')).status, 200);
      assert.ok((await products()) >= acknowledged);
      assert.equal(openWarehouseFiles(service).length, 1);
    };
    try {
      await connectStore(service);
      limitFiles(service, fileBytesMax);
      let status = 200;
      for (let sent = 0; status === 200 && sent < documentsMax; sent++)
        status = await importProducts();
      assert.equal(status, 503);
      assert.ok(acknowledged > 0);
      await expectReadable();
      assert.equal(await importProducts(), 503, 'there is still no room');
      await expectReadable();
      limitFiles(service, 'unlimited');
      assert.equal(await importProducts(), 200);
      await expectReadable();

      // A service that was full starts again on a full disk.
      limitFiles(service, fileBytesMax);
      status = 200;
      while (status === 200) status = await importProducts();
      assert.equal(status, 503);
      // Imports of an earlier process are settled once there is room.
      const registry = await openSqlite(join(folder, 'registry.sqlite'));
      const interrupted = await openImport(registry, 'products', null, Date.now());
      await registry.close();
      await service.kill();
      limitFiles(process, registryBytesMax);
      service = await startService(folder);
      limitFiles(process, 'unlimited');
      await expectReadable();
      const { state } = await service.operate('GET', `/operator/imports/${interrupted}`);
      assert.equal(state, 'running');
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
