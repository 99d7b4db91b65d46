/** Watches channels for what no request announces: overdue data and targets at risk. */
import type { Channel } from '../access/channels.ts';
import type { WebhookEvent } from '../contract/webhooks.ts';
import type { Registry } from '../engine/registry.ts';
import { regularly } from '../engine/regularly.ts';
import { Segments } from '../engine/segments/router.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { cached, WorkingSet } from '../engine/workingSet.ts';
import type { Announcer } from '../webhooks/announce.ts';
import type { Condition, Watched } from './condition.ts';
import { findOverdue } from './overdue.ts';
import { findAtRisk } from './targets.ts';

const watchEveryMilliseconds = 15 * 60_000;

/** The dependencies of the watch. */
export type WatchParts = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly announcer: Announcer;
};

/** How the conditions of each event are found. */
const finders = {
  'data.overdue': findOverdue,
  'target.at_risk': findAtRisk,
} as const satisfies {
  readonly [Event in WebhookEvent]?: (watched: Watched) => Promise<Condition[]>;
};

/**
 * Watches every quarter of an hour, on one node at a time. Returns the function that stops it.
 */
export function watchRegularly(
  parts: WatchParts,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const watch = () => parts.registry.withLock('watch', () => watchChannels(parts, Date.now()));
  return regularly(watchEveryMilliseconds, watch, onError);
}

/**
 * Announces each condition once when it begins; it may begin again after it has ended. Looks only
 * at channels of organisations whose webhooks want the event. `now` is in epoch milliseconds.
 */
export async function watchChannels(
  { registry, warehouse, announcer }: WatchParts,
  now: number,
): Promise<void> {
  const reading = cached(warehouse, new WorkingSet(0), new Segments(undefined, 0));
  let hasAnnounced = false;
  for (const [event, find] of Object.entries(finders) as [keyof typeof finders, Finder][]) {
    for (const channel of await channelsFor(registry, event)) {
      const conditions = await find({ channel, warehouse: reading, now });
      const announced = await settle(registry, announcer, { event, channel, conditions, now });
      hasAnnounced ||= announced;
    }
  }
  if (hasAnnounced) announcer.wake();
}

type Finder = (watched: Watched) => Promise<Condition[]>;

/** The channels of organisations that have an enabled webhook for the event. */
async function channelsFor({ records }: Registry, event: WebhookEvent): Promise<Channel[]> {
  const webhooks = await records
    .selectFrom('webhook')
    .select(['organisationId', 'events'])
    .where('state', '=', 'enabled')
    .execute();
  const wanting = webhooks.filter(({ events }) => JSON.parse(events).includes(event));
  if (wanting.length === 0) return [];
  return records
    .selectFrom('channel')
    .selectAll()
    .where(
      'organisationId',
      'in',
      wanting.map(({ organisationId }) => organisationId),
    )
    .orderBy('channelNumber')
    .execute();
}

type Found = {
  readonly event: WebhookEvent;
  readonly channel: Channel;
  readonly conditions: readonly Condition[];
  readonly now: number;
};

/** Announces conditions that are new and removes the alerts of those that have ended. */
function settle(
  { records }: Registry,
  announcer: Announcer,
  { event, channel, conditions, now }: Found,
): Promise<boolean> {
  const { channelNumber } = channel;
  return records.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('channelAlert')
      .select('subject')
      .where((row) => row.and({ channelNumber, event }))
      .execute();
    const before = new Set(known.map(({ subject }) => subject));
    const ended = [...before].filter((one) => !conditions.some(({ subject }) => subject === one));
    if (ended.length > 0)
      await transaction
        .deleteFrom('channelAlert')
        .where((row) => row.and({ channelNumber, event }))
        .where('subject', 'in', ended)
        .execute();
    let hasAnnounced = false;
    for (const { subject, data } of conditions.filter((one) => !before.has(one.subject))) {
      await transaction
        .insertInto('channelAlert')
        .values({ channelNumber, event, subject, createdAt: now })
        .execute();
      const added = await announcer.announce(transaction, { event, channel, data });
      hasAnnounced ||= added.length > 0;
    }
    return hasAnnounced;
  });
}
