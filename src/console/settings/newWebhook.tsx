/** The form that creates a webhook. */

import { useState } from 'preact/hooks';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import { ask } from '../client.ts';
import { Field, FormError, SubmitButton } from '../forms.tsx';
import { Panel } from '../parts/panel.tsx';
import { useForm } from '../submit.ts';

type Event = Exclude<WebhookEvent, 'webhook.ping'>;

const names: Readonly<Record<Event, string>> = {
  'report.finished': 'A report is finished',
  'report.failed': 'A report failed',
  'import.finished': 'An import is finished',
  'import.refused': 'An import was refused',
  'data.overdue': 'Data is overdue',
  'target.at_risk': 'A sales target is at risk',
  'schedule.finished': 'A run of a schedule is finished',
  'schedule.failed': 'A run of a schedule failed',
  'webhook.disabled': 'Another webhook was disabled',
};
const events = Object.keys(names) as Event[];

type NewWebhookProps = {
  /** Called with the secret of the new webhook. */
  readonly onCreated: (secret: string) => void;
};

/** Creates a webhook. */
export function NewWebhook({ onCreated }: NewWebhookProps) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<readonly Event[]>(events);
  const toggle = (event: Event) =>
    setChosen(chosen.includes(event) ? chosen.filter((one) => one !== event) : [...chosen, event]);
  const { errors, isBusy, refOf, submit } = useForm<'url'>({
    check: () => ({
      url: URL.canParse(url.trim()) ? undefined : 'Enter an address that begins with https://.',
    }),
    async send() {
      if (chosen.length === 0) throw new Error('Choose one event at least.');
      const { secret } = await ask('createWebhook', { url, description, events: [...chosen] });
      setUrl('');
      setDescription('');
      onCreated(secret);
    },
    fieldOf: ({ message }) => (message.startsWith('url ') ? 'url' : undefined),
  });
  return (
    <Panel title="New webhook">
      <form class="body form" onSubmit={submit} noValidate>
        <FormError text={errors.form} />
        <Field
          label="Address"
          hint="An https address that the internet can reach."
          type="text"
          name="url"
          autocomplete="off"
          value={url}
          onValue={setUrl}
          error={errors.url}
          inputRef={refOf('url')}
        />
        <Field
          label="Description"
          type="text"
          name="description"
          autocomplete="off"
          value={description}
          onValue={setDescription}
        />
        <fieldset class="field">
          <legend>Events</legend>
          <div class="events">
            {events.map((event) => (
              <label key={event} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(event)}
                  onChange={() => toggle(event)}
                />
                <span>
                  {names[event]} <code class="muted">{event}</code>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="actions">
          <SubmitButton isBusy={isBusy}>Create webhook</SubmitButton>
        </div>
      </form>
    </Panel>
  );
}
