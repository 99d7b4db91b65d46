/** Reports in processes of their own: killed while they write, stopped, and shared by several. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pairs } from './harness.ts';
import { deepTest } from './level.ts';
import { type Bucket, openBucketServer } from './servers/bucket.ts';
import { freshStores } from './servers/shared.ts';
import { type Service, type SharedStores, startService } from './service.ts';

const slowReports = fileURLToPath(new URL('./slowReports.ts', import.meta.url));
const names = { channelId: 'store', merchantId: 'A1MERCHANT' };
const pollMilliseconds = 20;
const aWhile = 3_600_000;
const rows = 200_000;

for (const pair of pairs) {
  describe(`reports and their processes (${pair})`, () => {
    let folder: string;
    let trace: string;
    let stores: SharedStores;
    let drop: () => Promise<void>;
    let services: Service[];

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vitrine-reports-'));
      trace = join(folder, 'trace');
      writeFileSync(trace, '');
      services = [];
      stores = {};
      drop = async () => {};
      if (pair === 'served') {
        const fresh = await freshStores();
        drop = () => fresh.drop();
        stores = { DATABASE_URL: fresh.postgresUrl, CLICKHOUSE_URL: fresh.clickhouseUrl };
      }
    });
    afterEach(async () => {
      await Promise.all(services.map((service) => service.kill()));
      await drop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function serve({ pause = 0, more = {} as SharedStores } = {}): Promise<Service> {
      const program = [slowReports, trace, String(rows), String(pause)];
      const service = await startService(folder, { ...stores, ...more }, program);
      services.push(service);
      return service;
    }

    async function prepare(service: Service): Promise<string> {
      const { operate } = service;
      const made = await operate('POST', '/operator/organisations', { name: 'Acme' });
      const { organisationId } = made;
      const owner = { organisationId, email: 'owner@example.com', role: 'owner' };
      const { userId } = await operate('POST', '/operator/users', owner);
      const limits = { perSecond: 100_000, burst: 100_000, perDay: 1_000_000 };
      const { key } = await operate('POST', '/operator/keys', { userId, limits });
      await operate('PUT', `/operator/channels/${names.channelId}`, {
        ...{ organisationId, merchantId: names.merchantId, marketplace: 'primarymkt' },
        ...{ kind: 'seller', countryCode: 'US', displayName: 'Store' },
        ...{ currency: 'USD', timezone: 'UTC', hasAdvertisingConnected: false },
      });
      return key;
    }

    async function asked(
      service: Service,
      key: string,
      method: string,
      path: string,
      body?: object,
    ): Promise<Record<string, string>> {
      const response = await service.ask(method, path, body, { 'x-api-key': key });
      const answer = await response.json();
      assert.equal(response.status, 200, JSON.stringify(answer));
      return answer as Record<string, string>;
    }

    async function create(service: Service, key: string, fromDate: number): Promise<string> {
      const body = { ...names, reportOptions: { fromDate, toDate: 2_000_000_000 } };
      return (await asked(service, key, 'POST', '/reports/create/trafficAndConversion', body))
        .reportId!;
    }

    /** Waits until the report is done and downloads it from the service that was asked. */
    async function downloaded(service: Service, key: string, reportId: string): Promise<string> {
      for (;;) {
        const path = `/reports/status/${reportId}`;
        const { status, downloadUrl } = await asked(service, key, 'GET', path);
        assert.notEqual(status, 'errored', service.log());
        if (status === 'done') {
          const response = await fetch(`${service.address}${new URL(downloadUrl!).pathname}`);
          assert.equal(response.status, 200);
          return response.text();
        }
        await delay(pollMilliseconds);
      }
    }

    async function until(holds: () => boolean): Promise<void> {
      while (!holds()) await delay(pollMilliseconds);
    }

    function fileOf(fromDate: number): string {
      return `number,text\r\n${Array.from({ length: rows }, (_, number) => `${number},row ${number} of ${fromDate}\r\n`).join('')}`;
    }

    const traced = () => readFileSync(trace, 'utf8').split('\n').slice(0, -1);
    const stored = () => readdirSync(join(folder, 'reports'));
    const isWriting = () => traced().length > 0 && stored().some((name) => name.endsWith('.part'));

    deepTest(
      'a process that is killed while it writes a report leaves it to the next, which makes one whole file',
      async () => {
        const first = await serve({ pause: aWhile });
        const key = await prepare(first);
        const reportId = await create(first, key, 1);
        await until(isWriting);
        await first.kill();
        assert.ok(stored().every((name) => name.endsWith('.part')));
        const second = await serve();
        assert.equal(
          (await asked(second, key, 'GET', `/reports/status/${reportId}`)).status !== 'started',
          true,
        );
        assert.equal(await downloaded(second, key, reportId), fileOf(1));
        assert.deepEqual(traced(), ['begin 1', 'begin 1', 'end 1']);
        assert.deepEqual(stored(), [`${reportId}.csv`]);
      },
    );

    deepTest(
      'a process that is stopped gives its report back at once, and the next one makes it',
      async () => {
        const first = await serve({ pause: aWhile });
        const key = await prepare(first);
        const reportId = await create(first, key, 1);
        await until(isWriting);
        await first.stop();
        assert.deepEqual(stored(), []);
        const second = await serve();
        assert.equal(await downloaded(second, key, reportId), fileOf(1));
        assert.deepEqual(traced(), ['begin 1', 'begin 1', 'end 1']);
      },
    );

    if (pair === 'served') {
      deepTest(
        'several processes share the reports: each is made once, three at a time, and read from every process',
        async () => {
          const bucket: Bucket = await openBucketServer();
          try {
            const more = {
              REPORT_STORE: 's3://reports/vitrine',
              REPORT_STORE_ENDPOINT: bucket.address.endpoint,
              AWS_ACCESS_KEY_ID: bucket.address.accessKeyId,
              AWS_SECRET_ACCESS_KEY: bucket.address.secretAccessKey,
            };
            const all: Service[] = [];
            while (all.length < 3) all.push(await serve({ more, pause: 50 }));
            const key = await prepare(all[0]!);
            const ids: string[] = [];
            for (let number = 1; number <= 10; number++)
              ids.push(await create(all[number % 3]!, key, number));
            for (const [place, id] of ids.entries()) {
              const file = await downloaded(all[(place + 1) % 3]!, key, id);
              assert.equal(file, fileOf(place + 1));
            }
            const begun = traced().filter((line) => line.startsWith('begin'));
            assert.deepEqual(
              begun.sort(),
              Array.from({ length: 10 }, (_, number) => `begin ${number + 1}`).sort(),
            );
            let most = 0;
            let under = 0;
            for (const line of traced()) {
              under += line.startsWith('begin') ? 1 : -1;
              most = Math.max(most, under);
            }
            assert.ok(most <= 3, String(most));
          } finally {
            await bucket.close();
          }
        },
      );
    }
  });
}
