/**
 * The servers of a ClickHouse cluster. All facts of a channel lie on one of them, its home, and
 * every change of the channel is made there. The home is not recorded anywhere: it is the server
 * that has a version of the channel. A channel without versions gets a home by its number.
 */

import type { Clock } from '../clock.ts';
import type { Cancellation } from '../reading.ts';
import { allSettled, Client, type ClientLimits } from './client.ts';
import type { ServerAddress } from './connections.ts';
import { emptySnapshot, joined, type StampedSnapshot, takeSnapshot } from './snapshot.ts';

/** Channel 0 has the facts that belong to no customer. Any question may read them. */
export const commonChannel = 0;

type ServerChannels = { readonly client: Client; readonly channels: readonly number[] };

/** The servers, in the order of `CLICKHOUSE_URL`. */
export class Shards {
  readonly clients: readonly [Client, ...Client[]];
  readonly #homes = new Map<number, Client>();

  private constructor(clients: readonly [Client, ...Client[]]) {
    this.clients = clients;
  }

  /** Connects to every server. Throws StoreUnavailable if one does not answer. */
  static async open(
    servers: readonly ServerAddress[],
    limits: ClientLimits,
    clock: Clock,
  ): Promise<Shards> {
    const opening = servers.map((server) => Client.open(server, limits, clock));
    try {
      return new Shards((await allSettled(opening)) as [Client, ...Client[]]);
    } catch (error) {
      const opened = await Promise.allSettled(opening);
      await Promise.all(opened.map((end) => end.status === 'fulfilled' && end.value.close()));
      throw error;
    }
  }

  /** Whether there are several servers. */
  get isCluster(): boolean {
    return this.clients.length > 1;
  }

  /** Asks every server. Rejects if one does. */
  async onAll<T>(ask: (client: Client) => Promise<T>): Promise<T[]> {
    return await Promise.all(this.clients.map(ask));
  }

  /** The server that changes the facts of a channel. */
  async homeOf(channel: number): Promise<Client> {
    if (this.isCluster && !this.#homes.has(channel)) await this.snapshot([channel]);
    return this.#homes.get(channel) ?? this.clients[channel % this.clients.length]!;
  }

  /** The condition that a server becomes the home of a row's channel, which has no version yet. */
  isHome(client: Client): string {
    const { clients } = this;
    return this.isCluster ? `channel % ${clients.length} = ${clients.indexOf(client)}` : 'true';
  }

  /** The servers that have facts of these channels; empty if nothing is known about them. */
  homesOf(channels: readonly number[]): ReadonlySet<Client> {
    if (!this.isCluster) return new Set(this.clients);
    return new Set(channels.flatMap((channel) => this.#homes.get(channel) ?? []));
  }

  /**
   * Takes a snapshot of the channels and of channel 0. A server that does not answer matters only
   * if it is the home of one of them, or may be. Then throws StoreUnavailable.
   */
  async snapshot(
    channels: readonly number[],
    cancellation?: Cancellation,
  ): Promise<StampedSnapshot> {
    const wanted = [...new Set([commonChannel, ...channels])];
    if (!this.isCluster) return await takeSnapshot(this.clients[0], wanted, cancellation);
    const servers = this.clients
      .map((client) => ({ client, channels: wanted.filter((one) => this.#mayHave(client, one)) }))
      .filter((one) => one.channels.length > 0);
    const ends = await Promise.allSettled(
      servers.map((one) => takeSnapshot(one.client, one.channels, cancellation)),
    );
    const taken = ends.flatMap((end, index) => {
      if (end.status === 'rejected') return [];
      this.#note(servers[index]!, end.value);
      return [end.value];
    });
    for (const [index, end] of ends.entries())
      if (end.status === 'rejected' && this.#isMissed(servers[index]!)) throw end.reason;
    return taken.reduce(joined, emptySnapshot);
  }

  #mayHave(client: Client, channel: number): boolean {
    return (this.#homes.get(channel) ?? client) === client;
  }

  #isMissed({ client, channels }: ServerChannels): boolean {
    return channels.some((channel) => this.#mayHave(client, channel));
  }

  #note({ client }: ServerChannels, { channels }: StampedSnapshot): void {
    for (const channel of channels) {
      if (!this.#mayHave(client, channel))
        throw new Error(
          `The facts of channel ${channel} lie on two servers of CLICKHOUSE_URL: ` +
            'remove the versions of one of them from channel_version',
        );
      this.#homes.set(channel, client);
    }
  }
}
