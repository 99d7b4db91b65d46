/** One store was restored, cut off or damaged: the service refuses, recovers or says so. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { readConfig } from '../src/config.ts';
import { StartRefusal } from '../src/engine/errors.ts';
import { type Running, start } from '../src/main.ts';
import { runVitrine } from './commandLine.ts';
import { deepTest } from './level.ts';
import { changeRecords, channelNumberOf } from './records.ts';

const purchased = '2026-01-10T12:00:00Z';

/** A data folder and the service on it, one start after another. */
class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-stores-'));
  readonly environment = {
    VITRINE_DATA: this.folder,
    VITRINE_PORT: '0',
    VITRINE_RATES: 'off',
    VITRINE_SECRET: 'secret-of-the-tests-0123456789abcdefghij',
    VITRINE_OPERATOR_TOKEN: 'operator-token-of-the-tests-0123456789abc',
  };
  running: Running | undefined;

  async start(): Promise<void> {
    this.running = await start(readConfig(this.environment), { log: { level: 'silent' } });
  }

  async stop(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  /** Saves a copy of a file of a store, or restores it. */
  save(file: string, name: string): void {
    copyFileSync(join(this.folder, file), join(this.folder, name));
  }

  restore(name: string, file: string): void {
    rmSync(join(this.folder, `${file}.wal`), { force: true });
    copyFileSync(join(this.folder, name), join(this.folder, file));
  }

  /** Overwrites a part of the block with the largest column of a table of the warehouse. */
  async damage(table: string): Promise<void> {
    const file = join(this.folder, 'warehouse.duckdb');
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const segments = await connection.runAndReadAll(
      `SELECT block_id FROM pragma_storage_info('${table}')
       WHERE persistent AND block_id >= 0 GROUP BY ALL ORDER BY count(*) DESC`,
    );
    connection.closeSync();
    instance.closeSync();
    const block = Number(segments.getRows()[0]![0]);
    // Three headers of 4 KiB stand before the blocks.
    const place = 3 * 4_096 + block * 262_144 + 1_000;
    writeFileSync(file, readFileSync(file).fill('x', place, place + 100));
  }

  async refusal(): Promise<string> {
    let message = '';
    await assert.rejects(this.start(), (error) => {
      message = (error as Error).message;
      return error instanceof StartRefusal;
    });
    return message;
  }

  vitrine(...words: string[]) {
    return runVitrine(words, { environment: this.environment });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
  async ask(method: string, path: string, body?: unknown, headers = {}): Promise<any> {
    const response = await fetch(`${this.running!.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.environment.VITRINE_OPERATOR_TOKEN}`,
        'content-type': path.includes('/imports/') ? 'application/x-ndjson' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  /** Makes an organisation with a key and a channel. */
  async tenant(channelId: string): Promise<{ key: string; channelId: string }> {
    const { organisationId } = await this.ask('POST', '/operator/organisations', { name: 'Acme' });
    const email = `owner@${organisationId}.example`;
    const owner = { organisationId, email, role: 'owner' };
    const { userId } = await this.ask('POST', '/operator/users', owner);
    const { key } = await this.ask('POST', '/operator/keys', { userId });
    await this.ask('PUT', `/operator/channels/${channelId}`, {
      organisationId,
      merchantId: 'A1MERCHANT',
      marketplace: 'primarymkt',
      kind: 'seller',
      countryCode: 'US',
      displayName: 'Acme US',
      currency: 'USD',
      timezone: 'UTC',
      hasAdvertisingConnected: false,
    });
    return { key, channelId };
  }

  /** Imports an order, and returns the number of the import. */
  order(channelId: string, id: string, email: string): Promise<number> {
    return this.importOrders(channelId, [id], email);
  }

  async importOrders(channelId: string, ids: string[], email = 'x@shop.example'): Promise<number> {
    const rows = ids.map((id) => ({
      PlatformOrderId: id,
      PurchaseDate: purchased,
      LastUpdateDate: purchased,
      OrderStatus: 'Shipped',
      BuyerInfo: { BuyerEmail: email },
    }));
    const path = `/operator/imports/orders?channelId=${channelId}`;
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    return (await this.ask('POST', path, text)).importId;
  }

  /** The numbers and buyers of the orders that a key sees. */
  async orders({ key, channelId }: { key: string; channelId: string }): Promise<unknown> {
    const period = { dateField: 'createdAt', fromDate: 1_767_225_600 };
    const input = { channelId, merchantId: 'A1MERCHANT', ...period };
    const { data } = await this.ask('POST', '/orders/primarymkt', input, { 'x-api-key': key });
    type Order = { PlatformOrderId: string; BuyerInfo: { BuyerEmail: string } };
    return data.map((order: Order) => [order.PlatformOrderId, order.BuyerInfo.BuyerEmail]);
  }
}

deepTest(
  'a store that is older than the other is refused, accepted on demand, and nothing mixes',
  async () => {
    const installation = new Installation();
    try {
      await installation.start();
      const acme = await installation.tenant('acme');
      const first = await installation.order('acme', 'A-1', 'ann@shop.example');
      await installation.stop();
      installation.save('registry.sqlite', 'old-registry');
      await installation.start();
      const bravo = await installation.tenant('bravo');
      const second = await installation.order('bravo', 'B-1', 'bob@shop.example');
      assert.ok(second > first);
      // The second import is in the write-ahead log alone, which this copy lacks.
      installation.save('warehouse.duckdb', 'old-warehouse');
      const ofBravo = await channelNumberOf(installation.running!, 'bravo');
      await installation.stop();
      installation.save('registry.sqlite', 'new-registry');
      installation.save('warehouse.duckdb', 'new-warehouse');

      installation.restore('old-warehouse', 'warehouse.duckdb');
      const named = `${second} of bravo (orders)`;
      assert.ok((await installation.refusal()).includes(`finished imports: ${named}`));
      const compared = await installation.vitrine('stores');
      assert.equal(compared.code, 4, compared.error);
      assert.match(compared.out, /^ *\d+ +bravo +orders +2026-01-10 +2026-01-10$/m);
      assert.equal((await installation.vitrine('stores', '--accept')).code, 2, 'unconfirmed');
      assert.equal((await installation.vitrine('stores', '--accept', '--yes')).code, 0);
      assert.equal((await installation.vitrine('stores')).code, 0);
      await installation.start();
      const lost = await installation.ask('GET', `/operator/imports/${second}`);
      const expected = ['failed', 'its facts were lost: import the document again'];
      assert.deepEqual([lost.state, lost.error], expected);
      assert.deepEqual(await installation.orders(acme), [['A-1', 'ann@shop.example']]);
      assert.deepEqual(await installation.orders(bravo), []);
      const examined = async (state: 'done' | 'failed') => {
        await changeRecords(installation.running!, 'import', { importId: second }, { state });
        const { findings } = await installation.ask('GET', '/operator/diagnosis');
        return findings.find(({ subject }: { subject: string }) => subject === 'pairing');
      };
      const failed = await examined('done');
      assert.equal(failed.state, 'failed');
      assert.ok(failed.finding.endsWith(`lacks the facts of finished imports: ${named}`));
      assert.equal((await examined('failed')).state, 'well');
      await installation.stop();

      installation.restore('new-warehouse', 'warehouse.duckdb');
      installation.restore('old-registry', 'registry.sqlite');
      assert.match(await installation.refusal(), /the registry is older than the warehouse/);
      assert.equal((await installation.vitrine('stores', '--accept', '--yes')).code, 0);
      await installation.start();
      const other = await installation.tenant('bravo');
      assert.deepEqual(await installation.orders(other), [], 'nobody gets the facts of another');
      const third = await installation.order('bravo', 'O-1', 'eve@shop.example');
      assert.ok(third > second, 'no number is used again');
      assert.deepEqual(await installation.orders(other), [['O-1', 'eve@shop.example']]);
      // Even under the number of the former channel its buyers stay sealed.
      const running = installation.running!;
      await changeRecords(running, 'import', { importId: third }, { channelNumber: null });
      await changeRecords(running, 'channel', { channelId: 'bravo' }, { channelNumber: ofBravo });
      await installation.stop();
      await installation.start();
      assert.deepEqual(await installation.orders(other), [['B-1', '']]);
      await installation.stop();

      await installation.start();
      const ids = Array.from({ length: 3_000 }, (_, index) => `MANY-${index}`);
      await installation.importOrders('bravo', ids);
      await installation.stop();
      await installation.damage('order_record');
      await installation.start();
      await assert.rejects(installation.orders(other), /cannot reach its data at the moment/);
      const { findings } = await installation.ask('GET', '/operator/diagnosis');
      const { finding, advice } = findings.find(
        ({ subject }: { subject: string }) => subject === 'warehouse',
      );
      assert.match(finding, /^DuckDB [\d.]+ found a part of its file damaged$/);
      assert.match(advice, /^Restore backups of the registry and the warehouse/);
      await installation.stop();

      writeFileSync(join(installation.folder, 'warehouse.duckdb'), 'not a database'.repeat(1_000));
      assert.match(await installation.refusal(), /^The warehouse .* is damaged: restore backups/);
    } finally {
      await installation.stop();
      rmSync(installation.folder, { recursive: true });
    }
  },
);
