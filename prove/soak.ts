/**
 * Half of the load that the service can take, for a long time: memory and open files must stay
 * flat.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { asServed, median } from '../bench/measure.ts';
import { orderLine, trafficRow } from '../bench/rows.ts';
import { askAs, type Customer, freshService, makeCustomer, type Service } from '../test/service.ts';
import { importRows } from './importRows.ts';
import { load } from './machine.ts';
import { type Extent, type Finding, found, notMeasured } from './promise.ts';

type Sample = { readonly second: number; readonly mebibytes: number; readonly files: number };

const days = 30;
const skus = 200;
const secondsOfDay = 86_400;
const lanes = 8;
const calibrationSeconds = { full: 20, quick: 3 };
const quickSeconds = 20;
const sampleMilliseconds = 1_000;
/** How many requests there are for each import, and for each report. */
const importEvery = 50;
const reportEvery = 200;
/** The limit on growth over the second half, by the slope; above it, memory is not flat. */
const memoryGrowthMax = 0.05;
const fileGrowthMax = 4;
/** For how long memory stays flat. */
export const promisedMinutes = 20;
/** A small pool of DuckDB adds little to the growth by filling. */
const settings = { VITRINE_DUCKDB_MEGABYTES: '128' };

const firstSecond = Date.parse(`${trafficRow(0, 0).date}T00:00Z`) / 1_000;

/** One request of the mixture, by its number. */
async function ask(service: Service, tenant: Customer, number: number): Promise<void> {
  const { channelId, merchantId } = tenant;
  const names = { channelId, merchantId };
  const day = number % days;
  if (number % importEvery === importEvery - 1) {
    const rows = Array.from({ length: skus }, (_, sku) => trafficRow(day, sku));
    return importRows(service, 'traffic', channelId, rows);
  }
  const fromDate = firstSecond + day * secondsOfDay + (number % 3_600);
  const reportOptions = {
    fromDate,
    toDate: firstSecond + days * secondsOfDay + (number % 1_000),
    timezone: 'UTC',
  };
  const body = { ...names, reportOptions };
  if (number % reportEvery === 0) {
    await askAs(service, tenant, 'POST', '/reports/create/trafficAndConversion', body);
    return;
  }
  const views = ['/reports/view/salesByPeriod', '/profitability/storeProfitAndLoss'];
  await askAs(service, tenant, 'POST', views[number % views.length]!, body);
}

function sampleOf({ pid }: Service, second: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
  return { second, mebibytes: kibibytes / 1_024, files: readdirSync(`/proc/${pid}/fd`).length };
}

/** The growth over all samples by the straight line that fits them best. */
function growthOf(samples: readonly Sample[], name: 'mebibytes' | 'files'): number {
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [x, y] = [mean(samples.map((one) => one.second)), mean(samples.map((one) => one[name]))];
  const covariance = mean(samples.map((one) => (one.second - x) * (one[name] - y)));
  const variance = mean(samples.map((one) => (one.second - x) ** 2));
  return (covariance / variance) * (samples.at(-1)!.second - samples[0]!.second);
}

class Soak {
  readonly #service: Service;
  readonly #tenant: Customer;
  #number = 0;
  answered = 0;
  readonly failures: string[] = [];
  readonly samples: Sample[] = [];

  constructor(service: Service, tenant: Customer) {
    this.#service = service;
    this.#tenant = tenant;
  }

  async #ask(): Promise<void> {
    try {
      await ask(this.#service, this.#tenant, ++this.#number);
      this.answered++;
    } catch (error) {
      this.failures.push(String(error).slice(0, 300));
    }
  }

  /** The most requests a second that the service answers. */
  async capacity(seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1_000;
    const lane = async () => {
      while (performance.now() < end) await this.#ask();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const answered = this.answered;
    this.answered = 0;
    return answered / seconds;
  }

  /** Sends requests at a steady rate, whether or not the earlier ones are answered. */
  async run(seconds: number, perSecond: number): Promise<void> {
    const begun = performance.now();
    const requests = new Set<Promise<void>>();
    let sampled = 0;
    for (let sent = 0; ; sent++) {
      const due = begun + (sent / perSecond) * 1_000;
      if (due - begun > seconds * 1_000) break;
      await wait(Math.max(0, due - performance.now()));
      const asking = this.#ask().finally(() => requests.delete(asking));
      requests.add(asking);
      const now = performance.now();
      if (now - sampled < sampleMilliseconds) continue;
      sampled = now;
      this.samples.push(sampleOf(this.#service, (now - begun) / 1_000));
    }
    await Promise.all(requests);
  }
}

/** Runs the service at half load for long. */
export async function measureSoak({ isQuick, minutes, say }: Extent): Promise<Finding> {
  await using service = await freshService(settings, asServed);
  const tenant = await makeCustomer(service, 'soaked');
  for (let day = 0; day < days; day++) {
    const rowsOf = (row: typeof orderLine) =>
      Array.from({ length: skus }, (_, sku) => row(day, sku));
    await importRows(service, 'orderLines', tenant.channelId, rowsOf(orderLine));
    await importRows(service, 'traffic', tenant.channelId, rowsOf(trafficRow));
  }
  const soak = new Soak(service, tenant);
  const capacity = await soak.capacity(calibrationSeconds[isQuick ? 'quick' : 'full']);
  const perSecond = capacity / 2;
  say(`${capacity.toFixed(1)} requests a second at most; ${perSecond.toFixed(1)} from now on`);
  const seconds = isQuick ? quickSeconds : minutes * 60;
  await soak.run(seconds, perSecond);
  const { samples, failures, answered } = soak;
  const half = samples.filter(({ second }) => second > seconds / 2);
  const mebibytes = median(half.map((one) => one.mebibytes));
  const [memory, files] = [growthOf(half, 'mebibytes'), growthOf(half, 'files')];
  const isFlat = memory <= mebibytes * memoryGrowthMax && files <= fileGrowthMax;
  for (const failure of failures.slice(0, 3)) say(failure);
  const figures =
    `${Math.round(seconds / 60)} minutes at ${perSecond.toFixed(1)} requests a second ` +
    `(${answered.toLocaleString('en')} answered, ${failures.length} failed): in the second half ` +
    `memory ${mebibytes.toFixed(0)} MiB, by its slope ${signed(memory)} MiB, open files ` +
    `${median(half.map((one) => one.files))}, by their slope ${signed(files)} (load ${load()})`;
  const isKept = failures.length === 0 && (isQuick || isFlat);
  if (isKept && !isQuick && minutes < promisedMinutes)
    return notMeasured(`shorter than promised: ${figures}`);
  return found(isKept, figures);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}
