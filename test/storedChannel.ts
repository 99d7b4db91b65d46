/** Channels of a world that are written to and asked like channels in memory. */
import type { Answer, ChannelSettings, Tenant, World } from './harness.ts';
import { held, importDocument, importRows, postImport } from './imports.ts';

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
  post(
    dataset: string,
    body: string | Buffer,
    type = 'application/x-ndjson',
    query = '',
  ): Promise<Answer> {
    const path = `/operator/imports/${dataset}?channelId=${this.tenant.channelId}${query}`;
    return postImport(this.world, path, body, type);
  }

  /** Imports rows of a dataset and expects every one of them to be taken. */
  importRows(dataset: string, rows: readonly object[]): Promise<Answer> {
    return importRows(this.world, dataset, this.tenant.channelId, rows);
  }

  /** Rows of a table, each as the list of its values, in their order; amounts in millionths. */
  held(table: string, columns: string): Promise<unknown[][]> {
    return held(this.world, this.tenant, table, columns);
  }
}
