/** Jobs that go on after the service has died: CSV reports and unit costs. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { askAs, type Customer, makeCustomer, type Service } from '../test/service.ts';
import { importRows } from './importRows.ts';
import { type Damage, type Load, noDamage } from './load.ts';

const pollMilliseconds = 20;
/** Jobs that a tenant has in flight. */
const jobsPerBatch = 4;
const date = '2025-03-01';
const dayStart = Date.parse(`${date}T00:00Z`) / 1000;
const dayEnd = dayStart + 86_399;
const reportRows = 8_000;
const skus = Array.from({ length: 50 }, (_, number) => `SKU-${number}`);
const pollFinishMilliseconds = 250;
/** A job whose process dies a fifth time fails, and says so: none may meet that many kills. */
const killsMax = 4;

/** A job that was acknowledged, and the request that made it. */
type Job = {
  readonly number: number;
  readonly id: string;
  /** Sends the request again, with the same key, and returns the id that is answered. */
  readonly repeat: (service: Service) => Promise<string>;
  isOver: boolean;
};
/**
 * A tenant with its last batch of jobs, the number of kills that these have met, and the numbers of
 * the last job sent and done.
 */
type Worked = {
  readonly tenant: Customer;
  jobs: Job[];
  kills: number;
  sent: number;
  sure: number;
};
type State = 'running' | 'done' | 'failed';

/** The differences between reports and unit costs. */
type Kind = {
  readonly name: string;
  readonly furnish: (service: Service, tenant: Customer) => Promise<void>;
  /** Sends the job of a number with a key of its own, and returns its id. */
  readonly send: (
    service: Service,
    tenant: Customer,
    number: number,
    headers: Record<string, string>,
  ) => Promise<string>;
  readonly stateOf: (service: Service, tenant: Customer, id: string) => Promise<State>;
  /** Looks at the effects of a tenant's jobs that have just ended. */
  readonly look: (service: Service, worked: Worked, ended: readonly Job[]) => Promise<void>;
};

/** Whether all jobs of a tenant have ended. */
const isIdle = ({ jobs }: Worked) => jobs.every(({ isOver }) => isOver);

/** A load of batches of jobs. A tenant gets its next batch once its last one is over. */
class JobLoad implements Load {
  readonly name: string;
  readonly damage: Damage;
  acknowledged = 0;
  met = 0;
  readonly #kind: Kind;
  readonly #tenants: Worked[] = [];
  #number = 0;

  constructor(kind: Kind, damage: Damage) {
    this.name = kind.name;
    this.#kind = kind;
    this.damage = damage;
  }

  async run(service: Service, isKilled: AbortSignal): Promise<void> {
    try {
      while (!isKilled.aborted) {
        const worked = this.#tenants.find(isIdle);
        if (worked === undefined) {
          await wait(pollMilliseconds);
          for (const busy of this.#tenants) await this.#look(service, busy);
          continue;
        }
        await this.#batch(service, worked);
        while (!isKilled.aborted && !isIdle(worked)) {
          await this.#look(service, worked);
          await wait(pollMilliseconds);
        }
        if (!isIdle(worked)) this.met++;
      }
    } catch (error) {
      if (!isKilled.aborted) throw error;
      this.met++;
    }
  }

  async check(service: Service): Promise<void> {
    for (const worked of this.#tenants) {
      await this.#look(service, worked);
      await this.#repeatLast(service, worked);
      if (!isIdle(worked)) worked.kills++;
      if (worked.kills >= killsMax) await this.#finish(service, worked);
    }
    if (!this.#tenants.some(isIdle)) await this.addTenant(service);
  }

  async finish(service: Service): Promise<void> {
    for (const worked of this.#tenants) await this.#finish(service, worked);
  }

  async #finish(service: Service, worked: Worked): Promise<void> {
    while (!isIdle(worked)) {
      await this.#look(service, worked);
      await wait(pollFinishMilliseconds);
    }
  }

  async addTenant(service: Service): Promise<void> {
    const channelId = `${this.name.replaceAll(' ', '-')}-${this.#tenants.length}`;
    const tenant = await makeCustomer(service, channelId);
    await this.#kind.furnish(service, tenant);
    this.#tenants.push({ tenant, jobs: [], kills: 0, sent: 0, sure: 0 });
  }

  async #batch(service: Service, worked: Worked): Promise<void> {
    worked.jobs = [];
    worked.kills = 0;
    for (let count = 0; count < jobsPerBatch; count++) {
      const sent = ++this.#number;
      worked.sent = sent;
      const headers = { 'idempotency-key': randomUUID() };
      const repeat = (reached: Service) => this.#kind.send(reached, worked.tenant, sent, headers);
      const id = await repeat(service);
      this.acknowledged++;
      worked.jobs.push({ number: sent, id, repeat, isOver: false });
    }
  }

  /** A request that is repeated with its key must not create a second job. */
  async #repeatLast(service: Service, { jobs }: Worked): Promise<void> {
    const last = jobs.at(-1);
    if (last !== undefined && (await last.repeat(service)) !== last.id) this.damage.doubled++;
  }

  async #look(service: Service, worked: Worked): Promise<void> {
    const ended: Job[] = [];
    try {
      for (const job of worked.jobs.filter(({ isOver }) => !isOver)) {
        const state = await this.#kind.stateOf(service, worked.tenant, job.id);
        if (state === 'running') continue;
        job.isOver = true;
        if (state === 'done') ended.push(job);
        else this.damage.lost++;
      }
      await this.#kind.look(service, worked, ended);
    } catch (error) {
      // A kill came in between: check them again.
      for (const job of ended) job.isOver = false;
      throw error;
    }
  }
}

async function loadOf(first: Service, kind: Kind, damage: Damage): Promise<Load> {
  const load = new JobLoad(kind, damage);
  await load.addTenant(first);
  return load;
}

/**
 * Reports of the same facts: each file must have the bytes of the first one, which was made
 * undisturbed.
 */
export async function reportLoad(first: Service): Promise<Load> {
  const damage = noDamage();
  const stateOf = async (service: Service, tenant: Customer, id: string): Promise<State> => {
    const { status } = await askAs(service, tenant, 'GET', `/reports/status/${id}`);
    return status === 'done' ? 'done' : status === 'errored' ? 'failed' : 'running';
  };
  const download = async (service: Service, tenant: Customer, id: string): Promise<string> => {
    const { downloadUrl } = await askAs(service, tenant, 'GET', `/reports/status/${id}`);
    const { pathname, search } = new URL(downloadUrl);
    const file = await fetch(service.address + pathname + search);
    // Without its stores the service has the file, but cannot report it.
    if (file.status === 503) throw new Error(`GET ${pathname}: 503 ${await file.text()}`);
    return file.ok ? file.text() : '';
  };
  const kind: Kind = {
    name: 'reports',
    furnish: (service, { channelId }) => importRows(service, 'traffic', channelId, trafficRows),
    async send(service, tenant, number, headers) {
      const { channelId, merchantId } = tenant;
      // Each begins at a different second of the day, so that none shares a file.
      const fromDate = dayStart + (number % 86_400);
      const reportOptions = { fromDate, toDate: dayEnd, timezone: 'UTC', view: 'skus' };
      const path = '/reports/create/trafficAndConversion';
      const body = { channelId, merchantId, reportOptions };
      return (await askAs(service, tenant, 'POST', path, body, headers)).reportId;
    },
    stateOf,
    async look(service, { tenant }, ended) {
      for (const { id } of ended) {
        const text = await download(service, tenant, id);
        if (text === '') damage.lost++;
        else if (text.length > expected.length) damage.doubled++;
        else if (text !== expected) damage.torn++;
      }
    },
  };
  const model = await makeCustomer(first, 'model');
  await kind.furnish(first, model);
  const id = await kind.send(first, model, 0, {});
  while ((await stateOf(first, model, id)) !== 'done') await wait(pollMilliseconds);
  const expected = await download(first, model, id);
  if (expected.split('\r\n').length !== reportRows + 2) throw new Error('the report is not whole');
  return loadOf(first, kind, damage);
}

const trafficRows = Array.from({ length: reportRows }, (_, number) => ({
  date,
  sku: `SKU-${number}`,
  productId: `P${number}`,
  pageViews: reportRows - number,
  sessions: 5,
  orderedUnits: 1,
  orderedRevenue: number,
}));

/** Unit costs: all SKUs must cost the same, and no less than the last job that was completed. */
export async function unitCostLoad(first: Service): Promise<Load> {
  const damage = noDamage();
  const kind: Kind = {
    name: 'unit-cost jobs',
    furnish: (service, { channelId }) =>
      importRows(service, 'financeEvents', channelId, salesOfAllSkus),
    async send(service, tenant, number, headers) {
      const { channelId, merchantId } = tenant;
      const directCosts = skus.map((sellerSku) => ({
        sellerSku,
        cogs: number,
        cogsCurrency: 'USD',
      }));
      const body = { channelId, merchantId, fromDate: dayStart, directCosts };
      const path = '/profitability/directCosts';
      return (await askAs(service, tenant, 'POST', path, body, headers)).jobId;
    },
    async stateOf(service, tenant, jobId) {
      const { channelId, merchantId } = tenant;
      const query = new URLSearchParams({ channelId, merchantId, jobId });
      const path = `/profitability/directCostsJobStatus?${query}`;
      const { jobStatus } = await askAs(service, tenant, 'GET', path);
      return jobStatus === 'COMPLETED' ? 'done' : jobStatus === 'FAILED' ? 'failed' : 'running';
    },
    async look(service, worked, ended) {
      worked.sure = Math.max(worked.sure, ...ended.map((job) => job.number));
      const costs = await costsOf(service, worked.tenant);
      const [cost] = costs;
      if (costs.length !== skus.length || new Set(costs).size !== 1) damage.torn++;
      else if (cost! > worked.sent) damage.doubled++;
      else if (cost! < worked.sure) damage.lost++;
    },
  };
  return loadOf(first, kind, damage);
}

const salesOfAllSkus = skus.map((sku) => ({
  eventId: sku,
  postedAt: dayStart + 3_600,
  sku,
  line: 'sales',
  amount: 10,
  quantity: 1,
}));

async function costsOf(service: Service, tenant: Customer): Promise<number[]> {
  const { channelId, merchantId } = tenant;
  const reportOptions = { fromDate: dayStart, toDate: dayEnd, pageSize: skus.length };
  const body = { channelId, merchantId, reportOptions };
  const path = '/profitability/productProfitAndLoss';
  const { productEvents } = await askAs(service, tenant, 'POST', path, body);
  return productEvents.map(({ cogs }: { cogs: number }) => cogs);
}
