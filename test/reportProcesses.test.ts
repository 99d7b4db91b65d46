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
import {
  askAs,
  type Customer,
  makeCustomer,
  type Service,
  type SharedStores,
  startService,
  storesFor,
} from './service.ts';

const slowReports = fileURLToPath(new URL('./slowReports.ts', import.meta.url));
const pollMilliseconds = 20;
const aWhile = 3_600_000;
const rows = 200_000;

for (const pair of pairs) {
  describe(`reports and their processes (${pair})`, () => {
    let folder: string;
    let trace: string;
    let stores: Awaited<ReturnType<typeof storesFor>>;
    let services: Service[];

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vitrine-reports-'));
      trace = join(folder, 'trace');
      writeFileSync(trace, '');
      services = [];
      stores = await storesFor(pair);
    });
    afterEach(async () => {
      await Promise.all(services.map((service) => service.kill()));
      await stores.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function serve({ pause = 0, more = {} as SharedStores } = {}): Promise<Service> {
      const program = [slowReports, trace, String(rows), String(pause)];
      const service = await startService(folder, { ...stores.environment, ...more }, program);
      services.push(service);
      return service;
    }

    async function create(service: Service, owner: Customer, fromDate: number): Promise<string> {
      const { key: _, ...names } = owner;
      const body = { ...names, reportOptions: { fromDate, toDate: 2_000_000_000 } };
      const path = '/reports/create/trafficAndConversion';
      return (await askAs(service, owner, 'POST', path, body)).reportId!;
    }

    /**
     * Waits until the report is done and downloads it from the service that received the request.
     */
    async function downloaded(
      service: Service,
      owner: Customer,
      reportId: string,
    ): Promise<string> {
      for (;;) {
        const path = `/reports/status/${reportId}`;
        const { status, downloadUrl } = await askAs(service, owner, 'GET', path);
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
        const owner = await makeCustomer(first, 'store');
        const reportId = await create(first, owner, 1);
        await until(isWriting);
        await first.kill();
        assert.ok(stored().every((name) => name.endsWith('.part')));
        const second = await serve();
        const { status } = await askAs(second, owner, 'GET', `/reports/status/${reportId}`);
        assert.notEqual(status, 'started');
        assert.equal(await downloaded(second, owner, reportId), fileOf(1));
        assert.deepEqual(traced(), ['begin 1', 'begin 1', 'end 1']);
        // The file and its digest.
        assert.deepEqual(stored().sort(), [`${reportId}.csv`, `${reportId}.csv.sha256`]);
      },
    );

    deepTest('a stopped process gives its report back at once, and the next makes it', async () => {
      const first = await serve({ pause: aWhile });
      const owner = await makeCustomer(first, 'store');
      const reportId = await create(first, owner, 1);
      await until(isWriting);
      await first.stop();
      assert.deepEqual(stored(), []);
      const second = await serve();
      assert.equal(await downloaded(second, owner, reportId), fileOf(1));
      assert.deepEqual(traced(), ['begin 1', 'begin 1', 'end 1']);
    });

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
            const owner = await makeCustomer(all[0]!, 'store');
            const ids: string[] = [];
            for (let number = 1; number <= 10; number++)
              ids.push(await create(all[number % 3]!, owner, number));
            for (const [place, id] of ids.entries()) {
              const file = await downloaded(all[(place + 1) % 3]!, owner, id);
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
