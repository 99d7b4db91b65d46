/** Webhooks: the list of them, a new one, and the deliveries of one. */

import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { CopyButton } from '../copying.tsx';
import { Icon } from '../parts/icons.tsx';
import { List, plain } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { type Address, useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';
import { Deliveries } from './deliveries.tsx';
import { type Action, EnabledBadge, ManagedPage, RowActions, shownMax } from './managed.tsx';
import { NewWebhook } from './newWebhook.tsx';

const guide = <a href="/guides/webhooks">guide</a>;

type Webhook = Answer<'listWebhooks'>['webhooks'][number];

/** The page of webhooks. */
export function WebhookSettings() {
  return (
    <ManagedPage title="Webhooks" icon="link">
      <Content />
    </ManagedPage>
  );
}

function Content() {
  const { params, hrefOf } = useAddress();
  const query = useQuery('listWebhooks', { pageSize: shownMax });
  const [secret, setSecret] = useState<string>();
  const chosen = query.value?.webhooks.find(({ webhookId }) => webhookId === params.get('webhook'));
  const changed = (made?: string) => {
    setSecret(made);
    askAgain();
  };
  return (
    <>
      <div role="status">{secret !== undefined && <Secret text={secret} />}</div>
      <List
        title="Webhooks"
        of="webhooks"
        id="webhookId"
        size={shownMax}
        query={query}
        columns={columnsOf(hrefOf, changed)}
        empty={{
          icon: 'link',
          title: 'No webhooks yet',
          text: (
            <>
              A webhook is an address of yours to which the service sends events, such as finished
              reports, overdue data and targets at risk. The {guide} shows how to verify what it
              gets.
            </>
          ),
        }}
        note="A webhook gets events of the stores that its user can see. Times are in your time zone."
      />
      {chosen && <Deliveries webhook={chosen} />}
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

/** Called after a change, with a new secret if there is one. */
type Changed = (secret?: string) => void;

function columnsOf(hrefOf: Address['hrefOf'], changed: Changed): readonly Column<Webhook>[] {
  return [
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
    plain('createdBy', 'User'),
    {
      id: 'actions',
      name: 'Actions',
      cell: (webhook) => <Actions webhook={webhook} changed={changed} />,
    },
  ];
}

function State({ webhook: { state, reason, failingSince } }: { readonly webhook: Webhook }) {
  if (state !== 'enabled' || failingSince === null)
    return <EnabledBadge state={state} reason={reason} />;
  return (
    <>
      <span class="badge warn">
        <Icon name="warning" />
        Failing
      </span>
      <div class="muted">Since {inMoment(failingSince)}</div>
    </>
  );
}

type ActionsProps = { readonly webhook: Webhook; readonly changed: Changed };

function Actions({ webhook: { webhookId, url, state }, changed }: ActionsProps) {
  const isEnabled = state === 'enabled';
  const after = (work: () => Promise<unknown>) => async () => {
    await work();
    changed();
  };
  const test: Action = {
    name: 'Test',
    act: after(() => ask('testWebhook', { webhookId })),
    done: 'Test sent.',
  };
  const next = isEnabled ? 'paused' : 'enabled';
  const change: Action = {
    name: isEnabled ? 'Pause' : 'Enable',
    act: after(() => ask('changeWebhook', { webhookId, state: next })),
    done: 'Changed.',
  };
  const rotate: Action = {
    name: 'Rotate secret',
    act: async () => changed((await ask('rotateWebhookSecret', { webhookId })).secret),
    done: 'Secret rotated.',
  };
  return (
    <RowActions
      name={url}
      actions={isEnabled ? [test, change, rotate] : [change, rotate]}
      remove={after(() => ask('deleteWebhook', { webhookId }))}
    />
  );
}
