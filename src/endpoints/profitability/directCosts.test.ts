/**
 * Unit costs that clients save: a job for each request, costs that replace earlier ones of their
 * SKU and date, failures and retries, and what is refused. In deep runs several processes share the
 * jobs.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, onOnePair, pairs, type Tenant } from '../../../test/harness.ts';
import { held, importRows } from '../../../test/imports.ts';
import { deepTest, level } from '../../../test/level.ts';
import {
  addRecords,
  changeRecords,
  channelNumberOf,
  recordOf,
  recordsOf,
} from '../../../test/records.ts';
import {
  askAs,
  type Customer,
  makeCustomer,
  type Service,
  type SharedStores,
  startService,
  storesFor,
} from '../../../test/service.ts';
import { rowsOf, textBeside } from '../../../test/table.ts';
import { administratorOf } from '../../../test/world.ts';
import { StoreUnavailable } from '../../engine/errors.ts';
import { channelLock } from '../../engine/registry.ts';
import type { Warehouse } from '../../engine/warehouse.ts';
import { unitCostsJob } from '../../import/unitCostsJob.ts';
import type { TakenJob } from '../../jobs/queue.ts';
import { unitCostsKind } from '../../jobs/unitCosts.ts';
import { openRegistry, openWarehouse } from '../../main.ts';
import { directCostsMax } from './contract.ts';

const secondsOfDay = 86_400;
/** 2025-07-19T14:00:00Z. */
const fromDate = 1_752_933_600;
/** 2025-07-19, in days since 1970-01-01. */
const day = 20_288;
const unknown = { status: 'error', error: 'there is no such job' };
const notConnected = 'channelId and merchantId do not match a connected store';
const pollMilliseconds = 20;

type Cost = {
  sellerSku: string;
  cogs: number;
  cogsCurrency: string;
  shippingCost?: number;
  shippingCostCurrency?: string;
};
const usd = (sellerSku: string, cogs: number): Cost => ({ sellerSku, cogs, cogsCurrency: 'USD' });

/**
 * Runs before the server opens an import in its warehouse. A test replaces it to delay or fail
 * the import.
 */
let receive: () => Promise<void> = async () => {};

onOnePair(
  'unit costs',
  (world) => {
    let acme: Tenant;

    before(async () => {
      const rates = rowsOf('date, currency, perEuro\n2025-01-02, USD, 1.03\n2025-01-02, PLN, 4.27');
      await importRows(world(), 'exchangeRates', undefined, rates);
    });

    beforeEach(async () => {
      receive = async () => {};
      acme = await world().tenant();
    });

    const namesOf = ({ channelId, merchantId }: Tenant) => ({ channelId, merchantId });

    const post = (body: object, { tenant = acme, headers = {} } = {}): Promise<Answer> => {
      const request = { ...namesOf(tenant), fromDate, ...body };
      return world().ask(tenant.key, 'POST', '/profitability/directCosts', request, headers);
    };

    const statusOf = (jobId: string, tenant = acme): Promise<Answer> => {
      const query = new URLSearchParams({ ...namesOf(tenant), jobId });
      return world().ask(tenant.key, 'GET', `/profitability/directCostsJobStatus?${query}`);
    };

    async function save(directCosts: readonly Cost[], more: object = {}, tenant = acme) {
      const { status, body } = await post({ directCosts, ...more }, { tenant });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body), ['jobId']);
      return body.jobId as string;
    }

    /** Requests the status until the job is over. */
    async function end(jobId: string, tenant = acme): Promise<string> {
      for (;;) {
        const { status, body } = await statusOf(jobId, tenant);
        assert.equal(status, 200, JSON.stringify(body));
        if (body.jobStatus !== 'IN_PROGRESS') return body.jobStatus;
        await delay(pollMilliseconds);
      }
    }

    const completed = async (jobId: string, tenant = acme) =>
      assert.equal(await end(jobId, tenant), 'COMPLETED');

    const columns =
      'sku, effective_from, cogs, cogs_currency, shipping_cost, shipping_cost_currency';
    const costs = (tenant = acme) => held(world(), tenant, 'unit_cost', columns);
    /** The costs of the channel are these, in dollars and without any for shipping. */
    const costsAre = async (
      ...expected: (readonly [sku: string, from: number, cogs: bigint])[]
    ) => {
      const rows = expected.map((row) => [...row, 'USD', 0n, 'USD']);
      assert.deepEqual(await costs(), rows);
    };

    /** Holds up the import of the next job. Returns when it has begun, and how to let it go on. */
    function holdUp() {
      const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
      const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
      receive = () => {
        begun();
        return isOpen;
      };
      return { isBegun, open };
    }

    function refused({ status, body }: Answer, error: string, hint?: string): void {
      assert.deepEqual([status, body], [400, { status: 'error', error }], hint);
    }

    test('200: a job is in progress until its costs have landed, and completed from then on', async () => {
      const { open } = holdUp();
      const jobId = await save([usd('A', 1.5)]);
      assert.match(jobId, /^[0-9a-f-]{36}$/);
      assert.deepEqual((await statusOf(jobId)).body, { jobStatus: 'IN_PROGRESS' });
      await costsAre();
      open();
      await completed(jobId);
      await costsAre(['A', day, 1_500_000n]);
      assert.deepEqual((await statusOf(jobId)).body, { jobStatus: 'COMPLETED' });
    });

    test('200: costs have all their decimal places, and currencies are taken in any letter case', async () => {
      const given = rowsOf(textBeside(import.meta.url, 'directCosts.costs.csv')) as Cost[];
      await completed(await save(given));
      assert.deepEqual(await costs(), [
        [' ünïcode, "D" ', day, 100_000n, 'USD', 0n, 'USD'],
        ['A', day, 12_345_678n, 'EUR', 1n, 'PLN'],
        ['B', day, 999_999_999_999_999n, 'USD', 1_000_000_000_000_000n, 'USD'],
        ['C', day, 0n, 'PLN', 4_100_000n, 'PLN'],
      ]);
    });

    test('200: the same SKU and date are replaced as a whole, other dates and SKUs stay', async () => {
      await completed(await save([{ ...usd('A', 1), shippingCost: 2 }, usd('B', 3)]));
      await completed(await save([usd('A', 4)], { fromDate: fromDate + secondsOfDay }));
      await completed(await save([usd('A', 5)]));
      await costsAre(['A', day, 5_000_000n], ['A', day + 1, 4_000_000n], ['B', day, 3_000_000n]);
    });

    test('200: costs hold from the UTC date of fromDate on, whatever the zone of the channel', async () => {
      // 2199-12-31 is day 84,005.
      const cases: [instant: number, day: number][] = [
        [day * secondsOfDay, day],
        [(day + 1) * secondsOfDay - 1, day],
        [(day + 1) * secondsOfDay, day + 1],
        [0, 0],
        [7_258_118_399, 84_005],
      ];
      const jobIds: string[] = [];
      for (const [place, [instant]] of cases.entries())
        jobIds.push(await save([usd(`SKU ${place}`, 1)], { fromDate: instant }));
      for (const jobId of jobIds) await completed(jobId);
      const of = (place: number, day: number) => [`SKU ${place}`, day, 1_000_000n] as const;
      await costsAre(...cases.map(([, day], place) => of(place, day)));
    });

    test('200: jobs of a channel are done in the order in which they were requested', async () => {
      const rounds = level === 'deep' ? 8 : 4;
      const jobIds: string[] = [];
      for (let round = 1; round <= rounds; round++)
        jobIds.push(await save([usd('A', round), usd(`only ${round}`, round)]));
      for (const jobId of jobIds) await completed(jobId);
      const found = await costs();
      assert.equal(found.length, rounds + 1);
      assert.deepEqual(found[0], ['A', day, BigInt(rounds) * 1_000_000n, 'USD', 0n, 'USD']);
      const channelNumber = await channelNumberOf(world(), acme.channelId);
      const imports = await recordsOf(world(), 'import', { channelNumber });
      const outcomes = imports.map(({ state, rowsAccepted }) => `${state} ${rowsAccepted}`);
      assert.deepEqual(outcomes, Array(rounds).fill('done 2'));
    });

    if (level === 'deep')
      test('200: as many rows as one call may bring are taken', async () => {
        const rows = Array.from({ length: directCostsMax }, (_, number) =>
          usd(`SKU ${number}`, number / 100),
        );
        await completed(await save(rows));
        const found = await costs();
        assert.equal(found.length, directCostsMax);
        // 0.00 + 0.01 + ... + 99.99, in millionths.
        const sum = found.reduce((sum, row) => sum + (row[2] as bigint), 0n);
        assert.equal(sum, 499_950_000_000n);
      });

    test('200: a warehouse that is away for a while delays a job and does not make it fail', async () => {
      let refusals = 2;
      receive = async () => {
        if (refusals-- > 0) throw new StoreUnavailable('warehouse', new Error('gone'));
      };
      await completed(await save([usd('A', 1)]));
      assert.equal(refusals, -1);
    });

    test('FAILED: a job that cannot be done is given up, leaves nothing, and does not hold up the next one', async () => {
      // The five attempts at the first job.
      let failures = 5;
      receive = async () => {
        if (failures-- > 0) throw new Error('something inside');
      };
      const jobId = await save([usd('A', 1)]);
      const next = await save([usd('B', 2)]);
      assert.equal(await end(jobId), 'FAILED');
      await completed(next);
      assert.equal(failures, -1);
      assert.deepEqual((await statusOf(jobId)).body, { jobStatus: 'FAILED' });
      await costsAre(['B', day, 2_000_000n]);
    });

    test('a worker that has lost its job meanwhile lands nothing, so that older costs never take the place of younger ones', async () => {
      const { registry, importer } = world();
      const payload = rowsOf(`
          sku, effectiveFrom, cogs, cogsCurrency, shippingCost, shippingCostCurrency
          A, 2025-07-19, 1, USD, 0, USD`);
      const channelNumber = await channelNumberOf(world(), acme.channelId);
      const [taken] = rowsOf(`
          sequence, jobId, kind, attempts, createdAt, startedAt, worker, userId
          1, x, ${unitCostsKind}, 1, 0, 0, w, null`);
      let isLocked: boolean | undefined;
      const hold = async () => {
        // The lock is held, so another holder has to wait.
        const locked = registry.withLock(channelLock(channelNumber), async () => 'free');
        isLocked = (await Promise.race([locked, delay(100, 'locked')])) === 'locked';
        return false;
      };
      const { organisationId } = acme;
      const job = { ...(taken as TakenJob), channelNumber, organisationId, payload };
      const run = unitCostsJob(registry, importer).run(job, hold, new AbortController().signal);
      await assert.rejects(run, /another process is running the same import/);
      assert.equal(isLocked, true);
      await costsAre();
    });

    /** Rows of SKUs of their own, each with its number. */
    const many = (length: number, costOf: (number: number) => Partial<Cost> = () => ({})) =>
      Array.from({ length }, (_, number) => ({ ...usd(`${number}`, 1), ...costOf(number) }));
    const inCodes = (length: number) => many(length, (number) => ({ cogsCurrency: code(number) }));
    const unrated = (field: string, currency: string) =>
      `${field} must be a currency with exchange rates: there is none of ${currency}`;
    /** The first of many rows whose currencies have no rates are named. */
    const unconvertible = inCodes(20)
      .map(({ cogsCurrency }, place) => unrated(`directCosts[${place}].cogsCurrency`, cogsCurrency))
      .concat('directCosts has more entries that fail')
      .join(', ');

    test('400: too many rows, and currencies without rates', async () => {
      for (const [directCosts, error] of [
        [many(directCostsMax + 1), 'directCosts must have at most 10000 entries'],
        [[{ ...usd('A', 1), cogsCurrency: 'GBP' }], unrated('directCosts[0].cogsCurrency', 'GBP')],
        [
          [{ ...usd('A', 1), shippingCostCurrency: 'chf' }],
          unrated('directCosts[0].shippingCostCurrency', 'CHF'),
        ],
        // The request names as many currencies as it may.
        [inCodes(200), unconvertible],
        [inCodes(201), `directCosts must name at most 200 different currencies, ${unconvertible}`],
      ] as const)
        refused(await post({ directCosts }), error, error);
    });

    test('400: what is wrong with thousands of rows is said of the first ones', async () => {
      const rest = level === 'deep' ? directCostsMax : 30;
      for (const [length, cost, text] of [
        [directCostsMax, { cogs: 0.1234567 }, '[19].cogs must have at most 6 decimal places'],
        [rest, { sellerSku: 'A' }, '[20].sellerSku repeats that of directCosts[0]'],
        [rest, { cogs: -1 }, '[19].cogs must be at least 0'],
      ] as const) {
        const { status, body } = await post({ directCosts: many(length, () => cost) });
        assert.equal(status, 400);
        const end = `directCosts${text}, directCosts has more entries that fail`;
        assert.ok(body.error.endsWith(end), body.error.slice(-200));
        assert.ok(body.error.length < 5_000);
      }
    });

    test('200: the currency of the channel itself needs no rate', async () => {
      const swiss = await world().tenant({ channel: { currency: 'CHF' } });
      await completed(await save([{ ...usd('A', 1), cogsCurrency: 'chf' }], {}, swiss), swiss);
      assert.deepEqual(await costs(swiss), [['A', day, 1_000_000n, 'CHF', 0n, 'CHF']]);
    });

    test('404: a job is that of its channel, of its organisation and of its kind', async () => {
      const jobId = await save([usd('A', 1)]);
      const otherId = await world().channel(acme.organisationId, randomUUID());
      const { status, body: none } = await statusOf(jobId, { ...acme, channelId: otherId });
      assert.deepEqual([status, none], [404, unknown]);
      await completed(jobId);
      // A job belongs to the organisation.
      const { key } = await administratorOf(world(), acme.organisationId);
      const { body } = await statusOf(jobId, { ...acme, key });
      assert.deepEqual(body, { jobStatus: 'COMPLETED' });
      // The same in another kind's words.
      await changeRecords(world(), 'job', { jobId }, { kind: 'another' });
      assert.deepEqual((await statusOf(jobId)).status, 404);
    });

    test('429: fifty updates of an organisation wait, one more is refused, another organisation is served', async () => {
      const { isBegun, open } = holdUp();
      const running = await save([usd('A', 1)]);
      await isBegun;
      const { records } = world().registry;
      const waiting = await save([usd('A', 2)]);
      const { sequence: _, ...copied } = await recordOf(world(), 'job', { jobId: waiting });
      const more = Array.from({ length: 48 }, () => ({ ...copied, jobId: randomUUID() }));
      await addRecords(world(), 'job', ...more);
      await save([usd('A', 2)]);
      const { status, body, headers } = await post({ directCosts: [usd('A', 3)] });
      assert.deepEqual(
        [status, body.error, headers['retry-after']],
        [429, 'your organisation has 50 updates of unit costs waiting: try again in 30 s', '30'],
      );
      const other = await world().tenant();
      await save([usd('A', 1)], {}, other);
      // Fifty imports would take long, and show nothing more.
      await records
        .deleteFrom('job')
        .where('organisationId', '=', acme.organisationId)
        .where('state', '=', 'waiting')
        .execute();
      open();
      await completed(running);
      await completed(await save([usd('A', 3)]));
      await costsAre(['A', day, 3_000_000n]);
    });

    test('a channel that is deleted takes its jobs along', async () => {
      const { isBegun, open } = holdUp();
      const jobId = await save([usd('A', 1)]);
      await isBegun;
      await world().operate('DELETE', `/operator/channels/${acme.channelId}`);
      open();
      refused(await statusOf(jobId), notConnected);
      // The organisation's next job is done nevertheless.
      const other = await world().tenant();
      await completed(await save([usd('B', 1)], {}, other), other);
    });
  },
  {
    between: (warehouse) =>
      new Proxy(warehouse, {
        get(target, name) {
          if (name !== ('begin' satisfies keyof Warehouse))
            return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
          return async (landing: Parameters<typeof warehouse.begin>[0]) => {
            await receive();
            return target.begin(landing);
          };
        },
      }),
  },
);

/** A code of three letters: AAA, AAB and so on. */
function code(number: number): string {
  return [676, 26, 1]
    .map((size) => String.fromCharCode(65 + (Math.floor(number / size) % 26)))
    .join('');
}

async function completedOn(service: Service, of: Customer, jobId: string): Promise<void> {
  const { channelId, merchantId } = of;
  const query = new URLSearchParams({ channelId, merchantId, jobId });
  for (;;) {
    const path = `/profitability/directCostsJobStatus?${query}`;
    const { jobStatus } = await askAs(service, of, 'GET', path);
    if (jobStatus === 'COMPLETED') return;
    assert.equal(jobStatus, 'IN_PROGRESS');
    await delay(pollMilliseconds);
  }
}

/**
 * Rounds of costs for several channels: each round changes the cost of one SKU, and adds a SKU of
 * its own.
 */
async function saveRounds(
  services: readonly Service[],
  customers: readonly Customer[],
  rounds: number,
): Promise<[Customer, string][]> {
  const jobs: [Customer, string][] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const [place, of] of customers.entries()) {
      const service = services[(round + place) % services.length]!;
      const directCosts = [usd('A', round), usd(`only ${round}`, round)];
      const { key: _, ...channel } = of;
      const body = { ...channel, fromDate, directCosts };
      const { jobId } = await askAs(service, of, 'POST', '/profitability/directCosts', body);
      jobs.push([of, jobId!]);
    }
  }
  return jobs;
}

/**
 * Looks into the stores of services that have ended: they must have the costs of all rounds and,
 * for the shared SKU, of the last one.
 */
async function look(
  dataFolder: string,
  environment: SharedStores,
  customers: readonly Customer[],
  rounds: number,
) {
  const { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl } = environment;
  const registry = await openRegistry({ databaseUrl, dataFolder });
  const warehouse = await openWarehouse({ clickhouseUrl, dataFolder });
  try {
    for (const one of customers) {
      const only = Array.from({ length: rounds }, (_, round) => [`only ${round + 1}`, round + 1]);
      const expected = [['A', rounds], ...only].map(([sku, cogs]) => [
        sku,
        BigInt(cogs!) * 1_000_000n,
      ]);
      assert.deepEqual(
        await held({ registry, warehouse }, one, 'unit_cost', 'sku, cogs'),
        expected,
      );
    }
    const jobs = await recordsOf({ registry }, 'job', {});
    const landed = await recordsOf({ registry }, 'import', { dataset: 'unitCosts', state: 'done' });
    return { jobs, landed: landed.map(({ importId }) => importId) };
  } finally {
    await warehouse.close();
    await registry.close();
  }
}

describe('jobs of several processes', () => {
  deepTest('two services on one PostgreSQL share the jobs, and do each of them once', async () => {
    const { environment, drop } = await storesFor('served');
    const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'vitrine-jobs-')));
    const services: Service[] = [];
    try {
      for (const folder of folders) services.push(await startService(folder, environment));
      const customers = await Promise.all(
        ['one', 'two', 'three'].map((name) => makeCustomer(services[0]!, name)),
      );
      const jobs = await saveRounds(services, customers, 6);
      // Each status is requested from the service that did not receive the job.
      for (const [number, [of, jobId]] of jobs.entries())
        await completedOn(services[number % 2]!, of, jobId);
      for (const service of services) await service.stop();
      const found = await look(folders[0]!, environment, customers, 6);
      assert.equal(found.jobs.length, 18);
      assert.ok(found.jobs.every(({ state, attempts }) => state === 'done' && attempts === 1));
      assert.equal(new Set(found.jobs.map(({ worker }) => worker)).size, 2);
      // One import for each job, and no other.
      assert.deepEqual(
        found.jobs.map(({ result }) => JSON.parse(result!).importId).sort((a, b) => a - b),
        found.landed.toSorted((a, b) => a - b),
      );
    } finally {
      for (const service of services) await service.kill();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await drop();
    }
  });

  for (const pair of pairs) {
    deepTest(
      `a service that is killed in the middle of its jobs leaves them to the next one, which finishes them all (${pair})`,
      async () => {
        const { environment, drop } = await storesFor(pair);
        const folder = mkdtempSync(join(tmpdir(), 'vitrine-jobs-'));
        let service = await startService(folder, environment);
        try {
          const customers = [
            await makeCustomer(service, 'one'),
            await makeCustomer(service, 'two'),
          ];
          const jobs = await saveRounds([service], customers, 6);
          await completedOn(service, ...jobs[0]!);
          await service.kill();
          const interrupted = await openStates(folder, environment);
          assert.ok(interrupted.includes('running'), String(interrupted));
          service = await startService(folder, environment);
          for (const [of, jobId] of jobs) await completedOn(service, of, jobId);
          await service.stop();
          const found = await look(folder, environment, customers, 6);
          assert.equal(found.jobs.length, 12);
          assert.ok(found.jobs.every(({ state }) => state === 'done'));
          assert.ok(found.jobs.some(({ attempts }) => attempts === 2));
        } finally {
          await service.kill();
          rmSync(folder, { recursive: true, force: true });
          await drop();
        }
      },
    );
  }
});

async function openStates(dataFolder: string, environment: SharedStores): Promise<string[]> {
  const registry = await openRegistry({ databaseUrl: environment.DATABASE_URL, dataFolder });
  try {
    return (await recordsOf({ registry }, 'job', {})).map(({ state }) => state);
  } finally {
    await registry.close();
  }
}
