/** The deliveries of a webhook, and their replay. */

import { type Answer, ask } from '../client.ts';
import { ActionButton } from '../parts/actionButton.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { List, moment, plain } from '../parts/list.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Column, pageOf } from '../parts/table.tsx';
import { useLookAgain, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { counted, inMoment } from '../words.ts';

type Webhook = Answer<'listWebhooks'>['webhooks'][number];
type Delivery = Answer<'listWebhookDeliveries'>['deliveries'][number];
type State = Delivery['state'];

const pageSize = 25;
/** An attempt is usually over by then. */
const attemptMilliseconds = 2_000;
const lookAgainMillisecondsMax = 60_000;
const states = [
  { id: 'all', name: 'All' },
  { id: 'waiting', name: 'Waiting' },
  { id: 'delivered', name: 'Delivered' },
  { id: 'failed', name: 'Failed' },
  { id: 'dropped', name: 'Dropped' },
] as const;
const marks: Readonly<Record<State, { icon: IconName; tone: string; name: string }>> = {
  waiting: { icon: 'clock', tone: '', name: 'Waiting' },
  delivered: { icon: 'check', tone: 'good', name: 'Delivered' },
  failed: { icon: 'alert', tone: 'bad', name: 'Failed' },
  dropped: { icon: 'close', tone: '', name: 'Dropped' },
};

/** The table of deliveries, the newest first. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { webhookId, url } = webhook;
  const { params, hrefOf } = useAddress();
  const page = pageOf(params);
  const chosen = states.find(({ id }) => id === params.get('delivery'))?.id ?? 'all';
  const query = useQuery('listWebhookDeliveries', {
    webhookId,
    pageIndex: page - 1,
    pageSize,
    ...(chosen !== 'all' && { state: chosen }),
  });
  useLookAgain(query, query.value && waitOf(query.value.deliveries));
  const canReplay = webhook.state === 'enabled';
  return (
    <List
      title="Deliveries"
      of="deliveries"
      id="deliveryId"
      size={pageSize}
      query={query}
      columns={columnsOf(webhookId, canReplay, query.retry)}
      tools={
        <Segments
          name="Deliveries shown"
          options={states}
          chosen={chosen}
          hrefOf={(id) => hrefOf({ delivery: id === 'all' ? undefined : id, page: undefined })}
        />
      }
      lead={<p class="body muted">Of {url}, in the last 30 days.</p>}
      empty={{
        icon: 'link',
        title: 'No deliveries',
        text: 'They appear here when something happens, or after a test.',
      }}
    />
  );
}

/** The milliseconds until the next attempt is over; undefined where none is to come. */
function waitOf(deliveries: readonly Delivery[]): number | undefined {
  const next = deliveries.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt * 1_000]));
  if (next.length === 0) return undefined;
  const wait = Math.min(...next) - Date.now() + attemptMilliseconds;
  return Math.min(Math.max(wait, attemptMilliseconds), lookAgainMillisecondsMax);
}

function columnsOf(
  webhookId: string,
  canReplay: boolean,
  replayed: () => void,
): readonly Column<Delivery>[] {
  return [
    {
      id: 'event',
      name: 'Event',
      cell: ({ event, messageId }) => <code title={messageId}>{event}</code>,
    },
    {
      id: 'outcome',
      name: 'Outcome',
      cell: ({ state, error, attempts, nextAt }) => (
        <>
          <span class={`badge ${marks[state].tone}`}>
            <Icon name={marks[state].icon} />
            {marks[state].name}
          </span>
          <div class="reason">
            {counted(attempts, 'attempt')}
            {error !== null && `: ${error}`}
            {nextAt !== null && `; the next at ${inMoment(nextAt)}`}
          </div>
        </>
      ),
    },
    plain('channelId', 'Store'),
    moment('createdAt', 'Happened'),
    {
      id: 'body',
      name: 'Body',
      cell: ({ body }) => (
        <details>
          <summary>Show</summary>
          <pre>
            <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
          </pre>
        </details>
      ),
    },
    {
      id: 'replay',
      name: 'Replay',
      cell: (delivery) =>
        canReplay && delivery.state !== 'waiting' ? (
          <ActionButton
            icon="refresh"
            words="Replay"
            name={`Replay ${delivery.event}`}
            act={async () => {
              const { deliveryId } = delivery;
              await ask('replayWebhookDelivery', { webhookId, deliveryId });
              replayed();
              return 'Sent again.';
            }}
          />
        ) : null,
    },
  ];
}
