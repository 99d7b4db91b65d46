/**
 * Requests every answer of the public interface and every CSV report from the demonstration, and
 * finds the fields that never vary. Each of them needs a reason.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { TSchema } from 'typebox';
import type { Demonstration } from '../demonstration/demonstration.ts';
import { type Plan, plans } from '../demonstration/plans.ts';
import { isoDate, localDay, startOfDay } from '../src/calendar/period.ts';
import { type ReportType, reportTypes } from '../src/contract/reports.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { reportContracts } from '../src/endpoints/reports/create/contract.ts';
import { reports } from '../src/endpoints/reports/create/reports.ts';
import { until, type World } from './harness.ts';
import { assertSameCells, readParquet } from './parquet.ts';
import { type Csv, fileOf, fileOfReport, named, readArchive, readCsv } from './reports.ts';

type Operation = keyof typeof publicContracts;
/** A field of an answer, or a column of a report. */
type Field = string;

/** Where fields need not vary. */
type Exception = {
  readonly of: readonly string[];
  /** Names or ends of fields; all fields of the answer when not given. */
  readonly fields: readonly Field[] | undefined;
  /** Channels that it holds for; all when not given. */
  readonly channels: readonly string[] | undefined;
  /** Whether the fields still differ from channel to channel. */
  readonly differsByChannel: boolean;
};

const advertisingLists = ['listCampaigns', 'listAdGroups', 'listKeywords', 'listProducts'] as const;

/** The datasets whose last dates the list of channels has. */
const dated = Object.keys(
  (publicContracts.listChannels.answer.items.properties.freshness as { properties: object })
    .properties,
);

/** The fields that do not vary, each group with its reason. */
const exceptions = exceptionsOf(
  readFileSync(new URL('demonstrationFields.txt', import.meta.url), 'utf8')
    .replaceAll('REPORTS', Object.keys(reportContracts).join(' '))
    .replaceAll('DATASETS', dated.map((dataset) => `freshness.${dataset}`).join(' ')),
);

function exceptionsOf(text: string): readonly Exception[] {
  const pattern = /^ +(?<of>[\w ]+?)(?:: (?<fields>[\w. ]+?))?(?: @ (?<channels>.+))?$/gm;
  const lines = text.matchAll(pattern);
  return [...lines].map(({ groups }) => ({
    of: groups!.of!.split(' '),
    fields: groups!.fields?.split(' '),
    channels: groups!.channels === 'each' ? undefined : groups!.channels?.split(' '),
    differsByChannel: groups!.channels === 'each',
  }));
}

/** The distinct values of each field, as JSON. */
type Values = Map<Field, Set<string>>;

/** Values by operation or report, then by channel; "" for answers about no single channel. */
type Found = Map<Operation | ReportType, Map<string, Values>>;

/** Every field that never varies and has no reason, and every reason that nothing needs. */
export async function unexplainedFields(world: World, demonstration: Demonstration) {
  const found = await new Walk(world, demonstration).all();
  const used = new Set<Exception>();
  const failures: string[] = [];
  for (const [of, byChannel] of found) {
    const everywhere = merged([...byChannel.values()]);
    for (const [channelId, values] of byChannel) {
      for (const [field, seen] of values) {
        if (seen.size > 1) continue;
        const exception = exceptions.find(
          (one) =>
            one.of.includes(of) &&
            (one.fields?.some((name) => field === name || field.endsWith(`.${name}`)) ?? true) &&
            (one.channels?.includes(channelId) ?? true),
        );
        if (exception && (!exception.differsByChannel || everywhere.get(field)!.size > 1))
          used.add(exception);
        else failures.push(`${of} ${channelId} ${field}: ${[...seen].join() || 'no value'}`);
      }
    }
  }
  const unused = exceptions.filter((one) => !used.has(one));
  return [...failures, ...unused.map((one) => `not needed: ${one.of} ${one.fields ?? ''}`)];
}

function merged(all: readonly Values[]): Values {
  const sum: Values = new Map();
  for (const values of all)
    for (const [field, seen] of values)
      sum.set(field, new Set([...(sum.get(field) ?? []), ...seen]));
  return sum;
}

/** Requests everything and records the values. */
class Walk {
  readonly #world: World;
  readonly #key: string;
  readonly #now: number;
  readonly #found: Found = new Map();
  /** The types of reports whose formats have been compared. */
  readonly #compared = new Set<ReportType>();

  constructor(world: World, { key, madeAt }: Demonstration) {
    this.#world = world;
    this.#key = key;
    this.#now = Math.floor(madeAt / 1000);
  }

  async all(): Promise<Found> {
    await this.#organisation();
    for (const plan of plans) await this.#channel(plan);
    for (const [operation, { answer }] of Object.entries(publicContracts))
      if ((answer as { type?: string }).type !== 'void')
        assert.ok(this.#found.has(operation as Operation), `${operation} is never called`);
    for (const reportType of reportTypes)
      assert.ok(this.#found.has(reportType) && this.#compared.has(reportType), reportType);
    return this.#found;
  }

  async #organisation(): Promise<void> {
    await this.#ask('listChannels', '', { include: ['details', 'freshness'] });
    await this.#overview();
    await this.#ask('listTags', '', { pageSize: 25 });
    await this.#ask('convertTag', '', { tag: 'nowhere' });
    await this.#groups();
    await this.#webhooks();
    await this.#schedules();
  }

  async #schedules(): Promise<void> {
    await this.#ask('listSchedules', '', {});
    const scheduleId = 'northwind-monday';
    await this.#ask('listScheduleRuns', '', { scheduleId });
    await this.#ask('runSchedule', '', { scheduleId });
    const called = { operation: 'viewSalesByChannel', parameters: {} };
    const times = { name: 'Fields', cron: '0 7 * * *', timezone: 'UTC', period: 'yesterday' };
    const own = await this.#ask('createSchedule', '', { ...times, ...called });
    await this.#ask('changeSchedule', '', { scheduleId: own.scheduleId, state: 'paused' });
  }

  async #webhooks(): Promise<void> {
    await this.#ask('listWebhooks', '', {});
    const webhookId = 'northwind-alerts';
    const { deliveries } = await this.#ask('listWebhookDeliveries', '', { webhookId });
    const { deliveryId } = deliveries[0];
    await this.#ask('replayWebhookDelivery', '', { webhookId, deliveryId });
    await this.#ask('testWebhook', '', { webhookId });
    const url = 'https://hooks.northwind.example/fields';
    const own = await this.#ask('createWebhook', '', { url, events: ['webhook.disabled'] });
    await this.#ask('changeWebhook', '', { webhookId: own.webhookId, description: 'A field' });
    await this.#ask('rotateWebhookSecret', '', { webhookId: own.webhookId });
  }

  /** The views of all channels: whole, and a page of channels in some countries. */
  async #overview(): Promise<void> {
    const period = this.#period(plans[0]!, 30);
    const filter = { countries: ['US', 'GB', 'DE', 'JP'] };
    const advertising = { reportOptions: period, currentCurrency: 'EUR' };
    for (const page of [
      { pageIndex: 0, pageSize: 4 },
      { pageIndex: 1, pageSize: 1, filter },
    ])
      await this.#ask('viewAdvertisingByChannels', '', { ...advertising, ...page });
    const sales = { ...period, interval: 'week' };
    const euros = { currentCurrency: 'EUR', pageSize: 100 };
    for (const page of [euros, { currentCurrency: 'USD', pageSize: 2, filter }])
      await this.#ask('viewSalesByChannel', '', { ...sales, ...page });
  }

  async #groups(): Promise<void> {
    const [{ channelId, merchantId }] = plans as [Plan];
    const channel = { channelId, merchantId };
    const { groups } = await this.#ask('listCustomGroups', '', channel);
    await this.#ask('listCustomGroups', '', channelOf(plans[1]!));
    for (const { groupId } of groups) {
      const { group } = await this.#ask('readCustomGroup', '', { id: groupId, ...channel });
      const { groupName, products, brands } = group;
      const entries = products.length > 0 ? { products } : { brands };
      await this.#ask('saveCustomGroup', '', { ...channel, groupId, groupName, ...entries });
    }
  }

  async #channel(plan: Plan): Promise<void> {
    const { channelId, kind, marketplace, adShare } = plan;
    const channel = channelOf(plan);
    const reportOptions = { ...this.#period(plan, 45), interval: 'd' };
    await this.#ask('changeChannelTags', '', { ...channel, removeTags: ['absent'] });
    await this.#ask('readChannelTags', '', channel);
    await this.#targets(plan);
    await this.#lineage(plan);
    if (marketplace === 'primarymkt') await this.#searches(plan);
    if (adShare > 0) {
      await this.#advertising(plan);
      await this.#advertisingReports(plan);
    }
    await this.#products(plan);
    if (kind === 'vendor') {
      await this.#ask('viewVendorSalesByPeriod', channelId, { ...channel, reportOptions });
      await this.#reports(plan);
      return;
    }
    await this.#ask('viewSalesByPeriod', channelId, { ...channel, reportOptions });
    await this.#profit(plan);
    await this.#reports(plan);
    if (marketplace === 'primarymkt') await this.#orders(plan);
  }

  async #lineage(plan: Plan): Promise<void> {
    const { toDate, timezone } = this.#period(plan, 1);
    const day = localDay(timezone, toDate);
    const datasets = ['traffic', 'orderLines', 'campaignDays', 'vendorSales', 'targets'];
    for (const [index, dataset] of datasets.entries()) {
      const requested = {
        dataset,
        date: isoDate(day - index),
        currency: index === 0 ? 'EUR' : 'GBP',
      };
      await this.#ask('readLineage', plan.channelId, { ...channelOf(plan), ...requested });
    }
  }

  async #targets(plan: Plan): Promise<void> {
    const { fromDate, toDate, timezone } = this.#period(plan, 60);
    const requested = { ...channelOf(plan), toDate, timezone, interval: 'week' };
    for (const from of [fromDate, fromDate + 86_400])
      await this.#ask('readTargets', plan.channelId, { ...requested, fromDate: from });
  }

  async #searches(plan: Plan): Promise<void> {
    const { channelId, currency } = plan;
    const requested = { ...channelOf(plan), currency, sortKey: 'impressions', sortOrder: 'desc' };
    for (const [back, pageIndex, pageSize] of [
      [0, 0, 25],
      [31, 1, 5],
    ] as const) {
      const page = { ...this.#period(plan, 30, back), pageIndex, pageSize };
      await this.#ask('listSearchQueryPerformance', channelId, { ...requested, ...page });
    }
  }

  async #advertising(plan: Plan): Promise<void> {
    const { channelId, currency } = plan;
    for (const [pageIndex, pageSize, days] of [
      [0, 50, 60],
      [1, 3, 30],
    ] as const) {
      const { fromDate, toDate } = this.#period(plan, days);
      const query = { channelId, fromDate, toDate, currency, pageIndex, pageSize };
      for (const list of advertisingLists) await this.#ask(list, channelId, query);
    }
  }

  async #products(plan: Plan): Promise<void> {
    for (const back of [-1, 20])
      await this.#ask('viewSalesByProduct', plan.channelId, {
        ...channelOf(plan),
        ...this.#period(plan, 30, back),
        pageSize: 100,
        includeNoSales: true,
      });
  }

  async #profit(plan: Plan): Promise<void> {
    if (plan === plans[0])
      for (const days of [100, 45]) {
        const requested = { ...channelOf(plan), ...this.#period(plan, days) };
        const { codes } = await this.#ask('listUnknownCodes', plan.channelId, requested);
        // The first is named already; naming another line and the same again changes nothing.
        const { source, code, line } = codes.find((one: { line: string | null }) => one.line);
        for (const other of ['otherExpenses', line])
          await this.#ask('saveCode', '', { ...channelOf(plan), source, code, line: other });
      }
    const reportOptions = { ...this.#period(plan, 150), interval: 'w' };
    await this.#ask('viewProfitByPeriod', plan.channelId, { ...channelOf(plan), reportOptions });
    for (const back of [0, 150]) {
      const { fromDate, toDate, timezone } = this.#period(plan, 150, back);
      const requested = { ...channelOf(plan), reportOptions: { fromDate, toDate, timezone } };
      await this.#ask('readStoreProfitAndLoss', plan.channelId, requested);
      const pageSize = back === 0 ? 50 : 10;
      await this.#ask('readProductProfitAndLoss', plan.channelId, {
        ...channelOf(plan),
        reportOptions: { fromDate, toDate, pageSize },
      });
    }
    const { jobId } = await this.#ask('saveDirectCosts', '', {
      ...channelOf(plan),
      fromDate: Date.UTC(2090, 0) / 1000,
      directCosts: [{ sellerSku: 'NW-BOTTLE-STEEL', cogs: 9, cogsCurrency: plan.currency }],
    });
    await until(async () => {
      const job = { ...channelOf(plan), jobId };
      return (await this.#ask('readDirectCostsJobStatus', '', job)).jobStatus === 'COMPLETED';
    });
  }

  async #orders(plan: Plan): Promise<void> {
    // Some kinds of orders are rare, so the largest channel is read for longer.
    const days = plan === plans[0] ? 90 : 15;
    const { fromDate, toDate } = this.#period(plan, days);
    let key: string | undefined;
    do {
      const requested = { ...channelOf(plan), fromDate, toDate, pageSize: 100 };
      ({ key } = (
        await this.#ask('listOrders', '', key === undefined ? requested : { ...requested, key })
      ).meta);
    } while (key !== undefined);
  }

  async #reports(plan: Plan): Promise<void> {
    const { channelId } = plan;
    const months = this.#period(plan, 300);
    for (const [reportType, reportOptions] of [
      ['customerLifetimeValue', { ...months, interval: 'M' }],
      ['trafficAndConversion', { ...this.#period(plan, 30), view: 'skus' }],
      ['inventoryReplenishment', undefined],
      ['cancellationsAndRefunds', this.#period(plan, 90)],
      ['repeatPurchase', this.#period(plan, 90)],
      ['orderedRevenue', this.#period(plan, 90)],
      ['shippedRevenue', this.#period(plan, 90)],
      ['salesByProduct', { ...this.#period(plan, 30, -1), includeNoSales: true }],
    ] as const) {
      if ((reports[reportType].channelKind ?? plan.kind) !== plan.kind) continue;
      const requested = { ...channelOf(plan), ...(reportOptions && { reportOptions }) };
      const create = `create${reportType[0]!.toUpperCase()}${reportType.slice(1)}Report`;
      const csv = readCsv(await this.#report(create as Operation, requested));
      this.#noteCells(reportType, channelId, csv);
      await this.#compareFormats(plan, reportType, csv, reportOptions);
    }
    if (plan.kind === 'seller') await this.#profitReport(plan);
    await this.#ask('listReports', '', {});
  }

  async #profitReport(plan: Plan): Promise<void> {
    const other = plans.find(({ channelId }) => channelId !== plan.channelId)!.channelId;
    const reportOptions = { ...this.#period(plan, 150), channelIds: [other] };
    const requested = { ...channelOf(plan), reportOptions };
    const report = readCsv(await this.#report('createChannelProfitAndLossReport', requested));
    this.#noteCells('channelProfitAndLoss', plan.channelId, report);
    await this.#compareFormats(plan, 'channelProfitAndLoss', report, reportOptions);
  }

  async #advertisingReports(plan: Plan): Promise<void> {
    const reportOptions = this.#period(plan, 60);
    const requested = { ...channelOf(plan), reportOptions };
    const products = readCsv(await this.#report('createMarketingByProductReport', requested));
    this.#noteCells('marketingByProduct', plan.channelId, products);
    await this.#compareFormats(plan, 'marketingByProduct', products, reportOptions);
    const files = readArchive(await this.#report('createCampaignsReport', requested));
    for (const [name, csv] of Object.entries(files))
      this.#noteCells('campaigns', plan.channelId, csv, `${name}.`);
    if (this.#compared.has('campaigns')) return;
    this.#compared.add('campaigns');
    const tenant = { key: this.#key, ...channelOf(plan) };
    const packed = await fileOf(this.#world, tenant, 'campaigns', reportOptions, 'parquet');
    const tables = unzipSync(packed);
    const names = Object.keys(files).map((name) => name.replace('.csv', '.parquet'));
    assert.deepEqual(Object.keys(tables), names);
    for (const [name, csv] of Object.entries(files))
      assertSameCells(await readParquet(tables[name.replace('.csv', '.parquet')]!), csv);
  }

  /** Creates a report, and returns its file once it is done. */
  async #report(create: Operation, requested: Record<string, unknown>): Promise<Buffer> {
    const { reportId } = await this.#ask(create, '', requested);
    await this.#ask('readReportStatus', '', { reportId });
    const file = await fileOfReport(this.#world, this.#key, reportId);
    await this.#ask('readReportStatus', '', { reportId });
    return file;
  }

  /** Compares the cells of a report with its Parquet file, once for each type. */
  async #compareFormats(plan: Plan, type: ReportType, csv: Csv, options?: object): Promise<void> {
    if (this.#compared.has(type)) return;
    this.#compared.add(type);
    const tenant = { key: this.#key, ...channelOf(plan) };
    const file = await fileOf(this.#world, tenant, type, options, 'parquet');
    assertSameCells(await readParquet(file), csv);
  }

  #noteCells(reportType: ReportType, channelId: string, csv: Csv, prefix = ''): void {
    const values = this.#valuesOf(reportType, channelId);
    for (const column of csv.columns) {
      const field = `${prefix}${column}`;
      values.set(field, values.get(field) ?? new Set());
    }
    for (const row of named(csv))
      for (const [column, cell] of Object.entries(row)) values.get(`${prefix}${column}`)!.add(cell);
  }

  /** Days up to yesterday, or to an earlier day, with the same days a year before. */
  #period({ timezone }: Plan, days: number, back = 0) {
    const end = localDay(timezone, this.#now) - back;
    const [fromDate, toDate] = [startOfDay(timezone, end - days)!, startOfDay(timezone, end)! - 1];
    const year = 364 * 86_400;
    const prior = { priorFromDate: fromDate - year, priorToDate: toDate - year };
    return { fromDate, toDate, ...prior, timezone };
  }

  /** Calls an operation and records the values of its answer. */
  async #ask(operation: Operation, channelId: string, input: Record<string, unknown>) {
    const { method, path, query, answer } = publicContracts[operation] as {
      method: 'GET' | 'POST' | 'PATCH';
      path: string;
      query?: { properties: object };
      answer: TSchema;
    };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name]));
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(input))
      if (query && name in query.properties) parameters.append(name, String(value));
    const { status, body } = await this.#world.ask(
      this.#key,
      method,
      `${address}?${parameters}`,
      method === 'GET' ? undefined : input,
    );
    assert.equal(status, 200, `${operation} ${channelId}: ${JSON.stringify(body)}`);
    collect(answer, body, '', this.#valuesOf(operation, channelId));
    return body;
  }

  #valuesOf(of: Operation | ReportType, channelId: string): Values {
    const byChannel = this.#found.get(of) ?? new Map<string, Values>();
    this.#found.set(of, byChannel);
    const values = byChannel.get(channelId) ?? new Map();
    byChannel.set(channelId, values);
    return values;
  }
}

function channelOf({ channelId, merchantId }: Plan) {
  return { channelId, merchantId };
}

/** Adds the values of every field that the schema names, at its path. */
function collect(schema: TSchema, value: unknown, path: string, values: Values): void {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  if (properties) {
    for (const [name, of] of Object.entries(properties)) {
      const inner = (value as Record<string, unknown> | undefined)?.[name];
      collect(of, inner, path === '' ? name : `${path}.${name}`, values);
    }
  } else if (items) {
    const list = (value as readonly unknown[] | undefined) ?? [];
    if (list.length === 0) collect(items, undefined, `${path}[]`, values);
    for (const one of list) collect(items, one, `${path}[]`, values);
  } else {
    const seen = values.get(path) ?? new Set();
    values.set(path, seen);
    if (value !== undefined) seen.add(JSON.stringify(value));
  }
}
