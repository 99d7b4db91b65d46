/** Imports that replace one another while the service dies. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { askAs, type Customer, makeCustomer, type Service } from '../test/service.ts';
import { type Load, noDamage } from './load.ts';

type Dataset = 'orderLines' | 'traffic' | 'campaignDays';
type Figures = { readonly sales: number; readonly pageViews: number; readonly adSpend: number };
/** The last generation that was acknowledged, and those sent after it without an answer. */
type Known = { sure: number; unheard: number[] };

const datasets: readonly Dataset[] = ['orderLines', 'traffic', 'campaignDays'];
const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
const linesPerDay = 400;
const from = Date.parse(`${days[0]}T00:00Z`) / 1000;
const to = from + days.length * 86_400 - 1;

/** The rows of a generation: every figure is made from the generation's number. */
function documentOf(dataset: Dataset, generation: number): string {
  const rows = days.flatMap((date): object[] => {
    if (dataset === 'traffic')
      return [
        { date, pageViews: generation },
        { date, sku: 'A', pageViews: generation },
      ];
    if (dataset === 'campaignDays') return [{ date, campaignId: '1', cost: generation }];
    return Array.from({ length: linesPerDay }, (_, line) => ({
      orderId: `${date}-${line}`,
      lineId: '1',
      purchasedAt: Date.parse(`${date}T00:00Z`) / 1000 + line * 200,
      sku: 'A',
      quantity: 1,
      itemPrice: generation,
    }));
  });
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

async function view(
  service: Service,
  tenant: Customer,
  timezone: string,
  sellerSkus: string[],
): Promise<Figures[]> {
  const { channelId, merchantId } = tenant;
  const reportOptions = { fromDate: from, toDate: to, timezone };
  const body = { channelId, merchantId, reportOptions, sellerSkus };
  const answer = await askAs(service, tenant, 'POST', '/reports/view/salesByPeriod', body);
  return answer.formattedChartData.map((row: Record<string, string | number>) => ({
    sales: Number(row.sales),
    pageViews: Number(row.pageViews),
    adSpend: Number(row.adSpend),
  }));
}

/** The number of figures that are not of one generation on all days. */
function mixtures(rows: readonly Figures[]): number {
  const names = ['sales', 'pageViews', 'adSpend'] as const;
  return names.filter((name) => new Set(rows.map((row) => row[name])).size > 1).length;
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Imports of three datasets beside one another, with a reader who must never see part of one. With
 * the data folder of an embedded pair, the leftovers of dead imports are counted, too.
 */
class ImportLoad implements Load {
  readonly name = 'imports';
  readonly damage = noDamage();
  acknowledged = 0;
  met = 0;
  readonly #tenant: Customer;
  readonly #folder: string | undefined;
  readonly #known = Object.fromEntries(
    datasets.map((dataset) => [dataset, { sure: 0, unheard: [] as number[] }]),
  ) as Record<Dataset, Known>;
  #generation = 0;

  constructor(tenant: Customer, folder: string | undefined) {
    this.#tenant = tenant;
    this.#folder = folder;
  }

  async run(running: Service, isKilled: AbortSignal): Promise<void> {
    const importing = datasets.map((dataset) => this.#importOn(running, dataset, isKilled));
    const [met] = await Promise.all([Promise.all(importing), this.#read(running, isKilled)]);
    if (met.some(Boolean)) this.met++;
  }

  /** Imports one generation after the other; returns whether the kill met one. */
  async #importOn(running: Service, dataset: Dataset, isKilled: AbortSignal) {
    const path = `/operator/imports/${dataset}?channelId=${this.#tenant.channelId}`;
    const headers = { 'content-type': 'application/x-ndjson' };
    while (!isKilled.aborted) {
      const sent = ++this.#generation;
      this.#known[dataset].unheard.push(sent);
      try {
        await running.operate('POST', path, documentOf(dataset, sent), headers);
        this.#known[dataset] = { sure: sent, unheard: [] };
        this.acknowledged++;
      } catch (error) {
        if (!isKilled.aborted) throw error;
        return true;
      }
    }
    return false;
  }

  /** Reads while imports run. */
  async #read(running: Service, isKilled: AbortSignal): Promise<void> {
    while (!isKilled.aborted) {
      try {
        this.damage.torn += mixtures(await view(running, this.#tenant, 'UTC', []));
      } catch (error) {
        if (!isKilled.aborted) throw error;
      }
    }
  }

  async check(running: Service): Promise<void> {
    const store = await view(running, this.#tenant, 'UTC', []);
    const elsewhere = await view(running, this.#tenant, 'Asia/Tokyo', []);
    const lines = await view(running, this.#tenant, 'UTC', ['A']);
    const columnOf = (rows: readonly Figures[], name: keyof Figures) =>
      rows.map((row) => row[name]);
    const sum = (rows: readonly Figures[]) => columnOf(rows, 'sales').reduce((a, b) => a + b, 0);
    const isTorn = [
      // The rollup of days, the rollup of quarters of an hour and the lines themselves.
      sum(store) !== sum(elsewhere),
      !isSame(columnOf(store, 'sales'), columnOf(lines, 'sales')),
      // The traffic of the whole store and of its one product came in one document.
      !isSame(columnOf(store, 'pageViews'), columnOf(lines, 'pageViews')),
      store.length !== days.length,
    ];
    this.damage.torn += isTorn.filter(Boolean).length + mixtures(store);
    this.#judge('orderLines', store[0]!.sales / linesPerDay);
    this.#judge('traffic', store[0]!.pageViews);
    this.#judge('campaignDays', store[0]!.adSpend);
    if (this.#folder !== undefined)
      this.damage.left += await leftIn(running, this.#folder, this.#tenant.channelId);
  }

  finish = this.check;

  /** Expects the last acknowledged generation, or a later one whose answer was lost. */
  #judge(dataset: Dataset, stored: number): void {
    const { sure, unheard } = this.#known[dataset];
    if (stored === sure) return;
    if (unheard.includes(stored))
      this.#known[dataset] = { sure: stored, unheard: unheard.filter((later) => later > stored) };
    else if (!Number.isInteger(stored)) this.damage.torn++;
    else if (stored > this.#generation) this.damage.doubled++;
    else this.damage.lost++;
  }
}

/** The load of imports, with the data folder of an embedded pair. */
export async function importLoad(service: Service, folder: string | undefined): Promise<Load> {
  const tenant = await makeCustomer(service, 'killed', { hasAdvertisingConnected: true });
  return new ImportLoad(tenant, folder);
}

/** The running imports and the staged files of a channel without imports in progress. */
async function leftIn(service: Service, folder: string, channelId: string): Promise<number> {
  const { imports } = await service.operate('GET', `/operator/imports?channelId=${channelId}`);
  const staged = readdirSync(join(folder, 'staging'));
  return imports.reduce(
    (count: number, { importId, state }: { importId: number; state: string }) => {
      const files = staged.filter((name) => name.startsWith(`import-${importId}-`));
      return count + files.length + Number(state === 'running');
    },
    0,
  );
}
