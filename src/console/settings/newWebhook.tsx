/** The form that creates a webhook. */

import type { ComponentChildren } from 'preact';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import { ask } from '../client.ts';
import { checks, text } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Panel } from '../parts/panel.tsx';

type Event = Exclude<WebhookEvent, 'webhook.ping'>;

const wrongAddress = 'Enter an address that begins with https://.';
const nameOf = (event: Event, name: string) => (
  <span>
    {name} <code class="muted">{event}</code>
  </span>
);
const names: Readonly<Record<Event, ComponentChildren>> = {
  'report.finished': nameOf('report.finished', 'A report is finished'),
  'report.failed': nameOf('report.failed', 'A report failed'),
  'import.finished': nameOf('import.finished', 'An import is finished'),
  'import.refused': nameOf('import.refused', 'An import was refused'),
  'data.overdue': nameOf('data.overdue', 'Data is overdue'),
  'target.at_risk': nameOf('target.at_risk', 'A sales target is at risk'),
  'schedule.finished': nameOf('schedule.finished', 'A run of a schedule is finished'),
  'schedule.failed': nameOf('schedule.failed', 'A run of a schedule failed'),
  'webhook.disabled': nameOf('webhook.disabled', 'Another webhook was disabled'),
};
const events = Object.keys(names) as Event[];

type NewWebhookProps = {
  /** Called with the secret of the new webhook. */
  readonly onCreated: (secret: string) => void;
};

/** Creates a webhook. */
export function NewWebhook({ onCreated }: NewWebhookProps) {
  return (
    <Panel title="New webhook">
      <Form
        submit="Create webhook"
        fields={{
          url: text('Address', {
            hint: 'An https address that the internet can reach.',
            missing: wrongAddress,
            check: (url) => (URL.canParse(url) ? undefined : wrongAddress),
          }),
          description: text('Description'),
          events: checks(names, events, (boxes) => (
            <fieldset key="events" class="field">
              <legend>Events</legend>
              <div class="events">{boxes}</div>
            </fieldset>
          )),
        }}
        send={async ({ url, description, events: chosen }) => {
          if (chosen.length === 0) throw new Error('Choose one event at least.');
          const input = { url, description, events: [...chosen] };
          onCreated((await ask('createWebhook', input)).secret);
        }}
      />
    </Panel>
  );
}
