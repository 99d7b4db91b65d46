/** Webhooks: the list of them, a new one, and the deliveries of one. */
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Refused } from '../client.ts';
import { CopyButton, useSaid } from '../copying.tsx';
import { askData, type DataAnswer } from '../data.ts';
import { Icon } from '../parts/icons.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { forgetAnswers, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';
import { Deliveries } from './deliveries.tsx';
import { SettingsPage } from './frame.tsx';
import { NewWebhook } from './newWebhook.tsx';

type Webhook = DataAnswer<'listWebhooks'>['webhooks'][number];

/** Webhooks that are listed: more than an organisation may have, unless its operator says so. */
const shownMax = 100;

/** The page of webhooks. */
export function WebhookSettings() {
  const { session } = useAccount();
  return (
    <SettingsPage title="Webhooks">
      {session?.role === 'member' ? (
        <Panel title="Webhooks">
          <Empty icon="link" title="Members do not manage webhooks.">
            <p>Only the owners and administrators of your organisation can create and see them.</p>
          </Empty>
        </Panel>
      ) : (
        <Content />
      )}
    </SettingsPage>
  );
}

function Content() {
  const { params } = useAddress();
  const query = useQuery('listWebhooks', { pageSize: shownMax });
  const [secret, setSecret] = useState<string>();
  /** Grows with every change, so that the deliveries are asked again. */
  const [revision, setRevision] = useState(0);
  const chosen = query.value?.webhooks.find(({ webhookId }) => webhookId === params.get('webhook'));
  const changed = (made?: string) => {
    setSecret(made);
    forgetAnswers();
    setRevision((before) => before + 1);
    query.retry();
  };
  return (
    <>
      <div role="status">{secret !== undefined && <Secret text={secret} />}</div>
      <Panel title="Webhooks" count={query.value?.total} isLoading={query.isLoading}>
        <Body query={query} name="the webhooks" lines={4}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty icon="link" title="No webhooks yet">
                <p>
                  A webhook is an address of yours that hears of finished reports, imports, overdue
                  data and targets at risk. The <a href="/guides/webhooks">guide</a> shows how to
                  verify what it gets.
                </p>
              </Empty>
            ) : (
              <List webhooks={webhooks} changed={changed} />
            )
          }
        </Body>
        <footer>
          A webhook hears of the stores that its user reaches. Times are in your time zone.
        </footer>
      </Panel>
      {chosen && <Deliveries key={revision} webhook={chosen} />}
      <NewWebhook onCreated={changed} />
    </>
  );
}

function Secret({ text }: { readonly text: string }) {
  return (
    <p class="notice">
      Keep this secret; it is not shown again: <code>{text}</code>
      <CopyButton text={text} name="the secret" />
    </p>
  );
}

type ListProps = {
  readonly webhooks: readonly Webhook[];
  /** Called after a change, with a new secret if there is one. */
  readonly changed: (secret?: string) => void;
};

function List({ webhooks, changed }: ListProps) {
  const { hrefOf } = useAddress();
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'address',
      name: 'Address',
      cell: ({ url, description, webhookId }) => (
        <span class="two">
          <a href={hrefOf({ webhook: webhookId, delivery: undefined, page: undefined })}>{url}</a>
          <small>{description}</small>
        </span>
      ),
    },
    { id: 'state', name: 'State', cell: (webhook) => <State webhook={webhook} /> },
    { id: 'events', name: 'Events', cell: ({ events }) => events.join(', ') },
    { id: 'user', name: 'User', cell: ({ createdBy }) => createdBy },
    {
      id: 'actions',
      name: 'Actions',
      cell: (webhook) => <Actions webhook={webhook} changed={changed} />,
    },
  ];
  return (
    <DataTable
      name="Webhooks"
      columns={columns}
      rows={webhooks}
      keyOf={({ webhookId }) => webhookId}
    />
  );
}

function State({ webhook: { state, reason, failingSince } }: { readonly webhook: Webhook }) {
  if (state === 'paused') return <span class="badge">Paused</span>;
  if (state === 'disabled')
    return (
      <>
        <span class="badge bad">
          <Icon name="alert" />
          Disabled
        </span>
        <div class="reason">{reason}</div>
      </>
    );
  if (failingSince !== null)
    return (
      <>
        <span class="badge warn">
          <Icon name="warning" />
          Failing
        </span>
        <div class="reason">Since {inMoment(failingSince)}</div>
      </>
    );
  return (
    <span class="badge good">
      <Icon name="check" />
      Enabled
    </span>
  );
}

type ActionsProps = { readonly webhook: Webhook; readonly changed: ListProps['changed'] };

function Actions({ webhook: { webhookId, url, state }, changed }: ActionsProps) {
  const [said, say] = useSaid();
  const [isDeleting, setDeleting] = useState(false);
  const act = async (work: () => Promise<string | undefined>, words: string) => {
    try {
      changed(await work());
      say(words);
    } catch (error) {
      say((error as Refused).message);
    }
  };
  const isEnabled = state === 'enabled';
  const button = (name: string, onClick: () => unknown) => (
    <button type="button" class="control" aria-label={`${name}: ${url}`} onClick={onClick}>
      {name}
    </button>
  );
  const test = async () => {
    await askData('testWebhook', { webhookId });
    return undefined;
  };
  const change = async () => {
    await askData('changeWebhook', { webhookId, state: isEnabled ? 'paused' : 'enabled' });
    return undefined;
  };
  const rotate = async () => (await askData('rotateWebhookSecret', { webhookId })).answer.secret;
  const remove = async () => {
    await askData('deleteWebhook', { webhookId });
    return undefined;
  };
  return (
    <div class="actions">
      <span role="status" class="said">
        {said}
      </span>
      {isDeleting ? (
        <>
          {button('Delete for good', () => act(remove, 'Deleted.'))}
          {button('Keep', () => setDeleting(false))}
        </>
      ) : (
        <>
          {isEnabled && button('Test', () => act(test, 'Test sent.'))}
          {button(isEnabled ? 'Pause' : 'Enable', () => act(change, 'Changed.'))}
          {button('Rotate secret', () => act(rotate, 'Secret rotated.'))}
          {button('Delete', () => setDeleting(true))}
        </>
      )}
    </div>
  );
}
