/** A whole installation on stores of its own, started and stopped as its operator does. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import type { Contract } from '../src/contract/endpoint.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { reportContracts } from '../src/endpoints/reports/create/contract.ts';
import * as scheduleContracts from '../src/endpoints/schedules/contract.ts';
import * as webhookContracts from '../src/endpoints/webhooks/contract.ts';
import { openRegistry, openWarehouse, type Running, start } from '../src/main.ts';
import { runVitrine } from './commandLine.ts';
import { hardlyLimited, type Pair } from './harness.ts';
import { lines } from './imports.ts';
import { acquireStores } from './servers/pool.ts';
import { temporaryRoot } from './servers/process.ts';

const secret = 'secret-of-the-tests-0123456789abcdefghij';
const token = 'operator-token-of-the-tests-0123456789abc';
const channel = { channelId: 'acme-us', merchantId: 'A1ACME @ ATVPDKIKX0DER' };
const vendor = { channelId: 'acme-vendor', merchantId: 'ACME @ ATVPDKIKX0DER' };

/** The documents of a seller and of a vendor, with the dataset of those that need one. */
const documents: readonly (readonly [channelId: string, file: string, dataset?: string])[] = [
  [channel.channelId, 'sales-and-traffic.json'],
  [channel.channelId, 'all-orders.txt'],
  [channel.channelId, 'orders.jsonl'],
  [channel.channelId, 'sp-campaign-list.json'],
  [channel.channelId, 'sp-campaigns.json'],
  [channel.channelId, 'sp-ad-groups.json'],
  [channel.channelId, 'sp-advertised-products.json'],
  [channel.channelId, 'settlement.txt'],
  [channel.channelId, 'inventory-planning.txt'],
  [channel.channelId, 'search-query-performance.json'],
  [channel.channelId, 'targets.csv'],
  [channel.channelId, 'unit-costs.csv', 'unitCosts'],
  [vendor.channelId, 'vendor-sales.json'],
  [vendor.channelId, 'vendor-traffic.json'],
];

/** Operations that change something, or answer about something of the moment. */
const notCompared: readonly string[] = [
  ...['changeChannelTags', 'saveCustomGroup', 'changeCustomGroup', 'deleteCustomGroup'],
  ...['saveCode', 'saveDirectCosts', 'readDirectCostsJobStatus', 'readReportStatus'],
  ...Object.keys(reportContracts),
  ...Object.keys(webhookContracts).filter((operation) => operation !== 'listWebhooks'),
  ...Object.keys(scheduleContracts).filter((operation) => operation !== 'listSchedules'),
];

/** An installation with the documents of the samples, if it is filled. */
export class Installation {
  readonly pair: Pair;
  readonly environment: Readonly<Record<string, string>>;
  readonly #remove: () => Promise<void>;
  #running: Running | undefined;
  #key = '';
  #groupId = 0;

  private constructor(
    pair: Pair,
    environment: Readonly<Record<string, string>>,
    remove: () => Promise<void>,
  ) {
    this.pair = pair;
    this.environment = environment;
    this.#remove = remove;
  }

  /** Makes an empty one, which is not started. */
  static async make(pair: Pair): Promise<Installation> {
    const folder = await mkdtemp(join(await temporaryRoot(), 'vitrine-installation-'));
    const removeFolder = () => rm(folder, { recursive: true, force: true });
    const environment = {
      VITRINE_DATA: folder,
      VITRINE_PORT: '0',
      VITRINE_RATES: 'off',
      VITRINE_SECRET: secret,
      VITRINE_OPERATOR_TOKEN: token,
      VITRINE_SILENCE_MILLISECONDS: '60000',
    };
    if (pair === 'embedded') return new Installation(pair, environment, removeFolder);
    const stores = await acquireStores(async ({ clickhouseUrl, postgresUrl }) => {
      const config = { clickhouseUrl, databaseUrl: postgresUrl, dataFolder: folder };
      for (const open of [openRegistry, openWarehouse]) {
        const store = await open(config);
        await store.migrate();
        await store.close();
      }
    });
    const { clickhouseUrl: CLICKHOUSE_URL, postgresUrl: DATABASE_URL } = stores;
    return new Installation(pair, { ...environment, CLICKHOUSE_URL, DATABASE_URL }, async () => {
      await removeFolder();
      await stores.release();
    });
  }

  /** A path in its data folder. */
  path(name: string): string {
    return join(this.environment.VITRINE_DATA!, name);
  }

  get running(): Running {
    return this.#running!;
  }

  async start(): Promise<void> {
    this.#running = await start(readConfig(this.environment), { log: { level: 'silent' } });
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** Ends it and removes all that it holds. */
  async remove(): Promise<void> {
    await this.stop();
    await this.#remove();
  }

  /** Runs a command in its environment, and for its running service. */
  vitrine(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const service = this.#running && { VITRINE_PUBLIC_URL: this.#running.address };
    return runVitrine(words, { environment: { ...this.environment, ...service, ...variables } });
  }

  /** Runs a command and expects its success; returns its output. */
  async succeed(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const { code, out, error } = await this.vitrine(words, variables);
    assert.equal(code, 0, `vitrine ${words.join(' ')}: ${error}`);
    return { out: out.trim(), error };
  }

  /** Sends it any request, with the operator token or with a key. */
  async ask(method: string, path: string, body?: unknown, key?: string): Promise<string> {
    const isRows = path.startsWith('/operator/imports') || path.startsWith('/operator/documents');
    const response = await fetch(path.startsWith('http') ? path : this.running.address + path, {
      method,
      headers: {
        ...(key === undefined ? { authorization: `Bearer ${token}` } : { 'x-api-key': key }),
        ...(body !== undefined && {
          'content-type': isRows ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${path}: ${text}`);
    return text;
  }

  /** Sends a request to the operator's interface, and leaves the answer unread. */
  open(method: string, path: string, signal: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${token}` };
    return fetch(this.running.address + path, { method, headers, signal });
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
  async operate(method: string, path: string, body?: unknown): Promise<any> {
    return JSON.parse(await this.ask(method, path, body));
  }

  /** Makes a seller and a vendor with the samples, and a busy channel of another organisation. */
  async fill(): Promise<void> {
    const acme = { name: 'Acme' };
    const { organisationId } = await this.operate('POST', '/operator/organisations', acme);
    const owner = { organisationId, email: 'owner@acme.example', role: 'owner' };
    const { userId } = await this.operate('POST', '/operator/users', owner);
    const { key } = await this.operate('POST', '/operator/keys', { userId, limits: hardlyLimited });
    this.#key = key;
    const other = await this.operate('POST', '/operator/organisations', { name: 'Busy' });
    const busy = { ...channel, channelId: 'busy' };
    await this.#connect(organisationId, channel, 'seller');
    await this.#connect(organisationId, vendor, 'vendor');
    await this.#connect(other.organisationId, busy, 'seller');
    for (const [channelId, file, dataset] of documents) {
      const body = await readFile(new URL(`../samples/${file}`, import.meta.url));
      if (dataset === undefined)
        await this.ask('POST', `/operator/documents?channelId=${channelId}`, body);
      else await this.importRows(dataset, channelId, body.toString(), 'text/csv');
    }
    const rate = { currency: 'USD', perEuro: 1.25 };
    const rates = ['2026-10-30', '2026-11-02'].map((date) => ({ date, ...rate }));
    await this.importRows('exchangeRates', undefined, lines(rates));
    const group = { ...channel, groupName: 'Mugs', products: [{ sellerSku: 'ACME-MUG' }] };
    const saved = JSON.parse(await this.ask('POST', '/customGroups', group, key));
    this.#groupId = saved.groupId;
  }

  #connect(organisationId: string, { channelId, merchantId }: typeof channel, kind: string) {
    const place = { countryCode: 'US', currency: 'USD', timezone: 'America/Los_Angeles' };
    const store = { displayName: channelId, merchantId, marketplace: 'primarymkt', kind };
    const settings = { organisationId, ...store, ...place, hasAdvertisingConnected: true };
    return this.operate('PUT', `/operator/channels/${channelId}`, settings);
  }

  /** Imports rows of a dataset. */
  async importRows(
    dataset: string,
    channelId: string | undefined,
    rows: string,
    type = 'application/x-ndjson',
  ): Promise<void> {
    const query = channelId === undefined ? '' : `?channelId=${channelId}`;
    const response = await fetch(`${this.running.address}/operator/imports/${dataset}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: rows,
    });
    assert.equal(response.status, 200, await response.text());
  }

  /** Imports an order line into the busy channel. */
  async importBusy(orderId: string): Promise<void> {
    const times = { purchasedAt: '2026-11-03T10:00:00Z', updatedAt: '2026-11-03T10:00:00Z' };
    const line = { orderId, lineId: '1', sku: 'A', quantity: 1, itemPrice: 10, ...times };
    await this.importRows('orderLines', 'busy', JSON.stringify(line));
  }

  /** Requests a report of each kind of file: CSV, Parquet and an archive. */
  async report(): Promise<readonly ReportFile[]> {
    const { createCustomerLifetimeValueReport: lifetime, createCampaignsReport: campaigns } =
      publicContracts;
    const requests = [
      [lifetime, 'csv'],
      [lifetime, 'parquet'],
      [campaigns, 'csv'],
    ] as const;
    const files: ReportFile[] = [];
    for (const [{ path, example }, format] of requests) {
      const request = { ...ofAcme(example), format };
      const { reportId } = JSON.parse(await this.ask('POST', path, request, this.#key));
      files.push({ reportId, content: await this.fileOf(reportId) });
    }
    return files;
  }

  /** The content of the file of a report once it is done, a character for each byte. */
  async fileOf(reportId: string): Promise<string> {
    for (;;) {
      const answer = await this.ask('GET', `/reports/status/${reportId}`, undefined, this.#key);
      const { status, downloadUrl } = JSON.parse(answer);
      assert.notEqual(status, 'errored');
      if (status === 'done') return await this.#download(downloadUrl);
      await delay(20);
    }
  }

  /** Runs a schedule, whose file is retained, too. */
  async runSchedule(): Promise<string> {
    const { path, example } = scheduleContracts.createSchedule;
    const schedule = { ...example, cron: '0 7 1 1 *' };
    const { scheduleId } = JSON.parse(await this.ask('POST', path, schedule, this.#key));
    await this.ask('POST', `/schedules/${scheduleId}/run`, {}, this.#key);
    return scheduleId;
  }

  /** The content of the file of the only run of a schedule. */
  async fileOfRun(scheduleId: string): Promise<string> {
    for (;;) {
      const path = `/schedules/${scheduleId}/runs`;
      const [run] = JSON.parse(await this.ask('GET', path, undefined, this.#key)).runs;
      assert.notEqual(run.state, 'failed', run.error);
      if (run.state === 'done') return await this.#download(run.downloadUrl);
      await delay(20);
    }
  }

  async #download(downloadUrl: string): Promise<string> {
    const { pathname, search } = new URL(downloadUrl);
    const headers = { 'x-api-key': this.#key };
    const response = await fetch(this.running.address + pathname + search, { headers });
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer()).toString('latin1');
  }

  /** Uses the key of the installation that this one was copied from. */
  copiedFrom(source: Installation): void {
    this.#key = source.#key;
    this.#groupId = source.#groupId;
  }

  get key(): string {
    return this.#key;
  }

  /** The answers of every operation of the public interface that only reads, as they are sent. */
  async answers(): Promise<ReadonlyMap<string, string>> {
    const answers = new Map<string, string>();
    for (const contract of Object.values<Contract>(publicContracts)) {
      const { operation, method, path, example } = contract;
      if (notCompared.includes(operation)) continue;
      const input = ofAcme(example!);
      if (path.startsWith('/customGroups/')) input.id = this.#groupId;
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name]));
      const query = Object.entries(input)
        .filter(([name]) => name in (contract.query?.properties ?? {}))
        .map(([name, value]): [string, string] => [name, String(value)]);
      const url = `${address}?${new URLSearchParams(query)}`;
      const body = method === 'GET' ? undefined : input;
      answers.set(operation, await this.ask(method, url, body, this.#key));
    }
    return answers;
  }
}

/** A report, and the bytes of its file as characters. */
export type ReportFile = { readonly reportId: string; readonly content: string };

/** The example of an operation, about the channels and month of the samples. */
function ofAcme(example: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = JSON.stringify(example)
    .replaceAll('"northwind-us","northwind-uk"', '"northwind-us"')
    .replaceAll('northwind-us', channel.channelId)
    .replaceAll('A2NORTHWIND01 @ ATVPDKIKX0DER', channel.merchantId)
    .replaceAll('northwind-vendor-us', vendor.channelId)
    .replaceAll('NWOUT @ ATVPDKIKX0DER', vendor.merchantId)
    .replaceAll('1793516399', '1796111999')
    .replaceAll('"pageSize":1}', '"pageSize":50}')
    .replaceAll('"pageSize":1,', '"pageSize":50,');
  const { filter: _, ...input } = JSON.parse(text);
  return input;
}
