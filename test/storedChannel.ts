/** Channels of a world that are written and read like channels in memory. */
import type { Answer, ChannelSettings, Tenant, World } from './harness.ts';
import { held, importDocument, importRows, postImport } from './imports.ts';
import { askView } from './world.ts';

/** The settings of an American vendor. */
export const vendorSettings = {
  kind: 'vendor',
  timezone: 'UTC',
  currency: 'USD',
  merchantId: 'V7ABC @ ATVPDKIKX0DER',
} as const;

/** A channel of a tenant of its own, with its facts in the stores of a world. */
export class StoredChannel {
  readonly world: World;
  readonly tenant: Tenant;

  private constructor(world: World, tenant: Tenant) {
    this.world = world;
    this.tenant = tenant;
  }

  /** Makes a tenant whose channel has these settings. */
  static async open(world: World, settings: Partial<ChannelSettings> = {}): Promise<StoredChannel> {
    return new StoredChannel(world, await world.tenant({ channel: settings }));
  }

  /** Imports a document as it was downloaded. */
  import(document: string | Buffer, query = ''): Promise<Answer> {
    return importDocument(this.world, this.tenant.channelId, document, query);
  }

  /** Imports the rows of a dataset that a text has. */
  post(dataset: string, body: string | Buffer, type = 'application/x-ndjson', query = '') {
    const path = `/operator/imports/${dataset}?channelId=${this.tenant.channelId}${query}`;
    return postImport(this.world, path, body, type);
  }

  /** Imports rows of a dataset and expects every one of them to be taken. */
  importRows(dataset: string, rows: readonly object[], query = ''): Promise<Answer> {
    return importRows(this.world, dataset, this.tenant.channelId, rows, query);
  }

  /** Rows of a table, each as the list of its values, in their order; amounts in millionths. */
  held(table: string, columns: string): Promise<unknown[][]> {
    return held(this.world, this.tenant, table, columns);
  }

  /** The days of salesByPeriod from one instant of UTC until before another. */
  async view(
    from: string,
    to: string,
    timezone = 'UTC',
    more: object = {},
  ): Promise<readonly Readonly<Record<string, string | number>>[]> {
    const { key, channelId, merchantId } = this.tenant;
    const [fromDate, toDate] = [Date.parse(`${from}Z`) / 1000, Date.parse(`${to}Z`) / 1000 - 1];
    const reportOptions = { fromDate, toDate, timezone };
    const body = { channelId, merchantId, reportOptions, ...more };
    return (await askView(this.world, key, 'salesByPeriod', body)).formattedChartData;
  }

  /** Sales, page views and advertising spend, day by day. */
  async figures(from: string, to: string): Promise<(string | number | undefined)[][]> {
    const days = await this.view(`${from}T00:00`, `${to}T00:00`);
    return days.map((day) => [day.sales, day.pageViews, day.adSpend]);
  }

  /** How far the facts of each dataset reach, and how many rows they have. */
  async freshness(): Promise<unknown[][]> {
    const path = `/operator/freshness?channelId=${this.tenant.channelId}`;
    const { datasets } = await this.world.operate('GET', path);
    const names = ['dataset', 'from', 'to', 'rows'];
    return datasets.map((one: Record<string, unknown>) => names.map((name) => one[name]));
  }

  /** The imports that the operator sees of the channel, the latest first. */
  async imports() {
    const path = `/operator/imports?channelId=${this.tenant.channelId}`;
    return (await this.world.operate('GET', path)).imports;
  }
}
