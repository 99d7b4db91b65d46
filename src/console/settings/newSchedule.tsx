/** The form that creates a schedule. */

import type { SchedulePeriod } from '../../contract/schedules.ts';
import { ask } from '../client.ts';
import { choice, text, unseen } from '../parts/fields.tsx';
import { Form, type FormField, type FormFields } from '../parts/form.tsx';
import { Panel } from '../parts/panel.tsx';
import { hasReport, kinds, noStore } from '../reports/kinds.ts';
import { type Store, storeOptions, useStores } from '../view/stores.tsx';
import { currencyOf } from '../view/view.ts';
import { zone as readersZone, zoneOptions } from '../words.ts';
import {
  allStores,
  cronOf,
  hasPeriod,
  hours,
  operationOfChoice,
  periodNames,
  type Rhythm,
  type Runnable,
  rhythms,
  runnables,
} from './scheduled.ts';

/** The values of the form. */
type Values = {
  readonly name: string;
  readonly what: Runnable;
  readonly channelId: string;
  readonly currency: string;
  readonly period: SchedulePeriod;
  readonly rhythm: Rhythm;
  readonly cron: string;
  readonly hour: string;
  readonly zone: string;
  readonly emails: string;
};

const addressesIn = (emails: string) => emails.split(/[\s,;]+/).filter((one) => one !== '');
const named = (ids: readonly string[]) => [...new Set(ids)].map((id) => ({ id, name: id }));

/** Creates a schedule. `onCreated` is called afterwards. */
export function NewSchedule({ onCreated }: { readonly onCreated: () => void }) {
  const { stores } = useStores();
  return (
    <Panel title="New schedule">
      <Form<Values>
        className="body form fields"
        submit="Create schedule"
        fields={(entered) => fieldsOf(entered, stores)}
        send={async ({ name, what, channelId, currency, period, zone, emails, ...times }) => {
          const store = stores.find((one) => one.channelId === channelId);
          if (store === undefined) throw new Error('Choose a report that one of your stores has.');
          await ask('createSchedule', {
            name,
            timezone: zone,
            emails: addressesIn(emails),
            cron: times.rhythm === 'cron' ? times.cron : cronOf(times.rhythm, times.hour),
            ...operationOfChoice({ what, store, currency }),
            ...(hasPeriod(what) && { period }),
          });
          onCreated();
        }}
      />
    </Panel>
  );
}

function fieldsOf(entered: Partial<Values>, stores: readonly Store[]): FormFields<Values> {
  const { what = allStores, rhythm = 'weekly', zone = readersZone } = entered;
  const of = what === allStores ? undefined : kinds[what].of;
  const suited = what === allStores ? stores : stores.filter((one) => hasReport(one, kinds[what]));
  const store = suited.find(({ channelId }) => channelId === entered.channelId) ?? suited[0];
  const currency = currencyOf(stores);
  const zones = [zone, readersZone, ...stores.map(({ timezone }) => timezone), 'UTC'];
  const shown = <Value,>(field: FormField<Value>, is = true): FormField<Value> =>
    store !== undefined && is ? field : unseen(field.first);
  return {
    name: text('Name', { hint: 'What it is for.', missing: 'Enter a name.' }),
    what: choice('Report', runnables, { first: what }),
    channelId:
      store === undefined
        ? {
            first: '',
            show: () => (
              <p key="none" class="notice">
                {of ? noStore[of] : 'There are no stores yet.'}
              </p>
            ),
          }
        : shown(
            choice('Store', storeOptions(suited), { first: store.channelId }),
            what !== allStores,
          ),
    currency: shown(
      choice('Currency', named([currency, ...suited.map((one) => one.currency)]), {
        first: currency,
      }),
      what === allStores,
    ),
    period: shown(
      choice<SchedulePeriod>('Period', periodNames, {
        first: 'lastWeek',
        hint: 'Counted from the day of the run.',
      }),
      hasPeriod(what),
    ),
    rhythm: shown(choice('When', rhythms, { first: 'weekly' })),
    cron: shown(
      text('Cron expression', {
        first: '0 7 * * 1',
        hint: 'Minute, hour, day, month, day of the week.',
      }),
      rhythm === 'cron',
    ),
    hour: shown(choice('At', hours, { first: '7' }), rhythm !== 'cron'),
    zone: shown(choice('Time zone', zoneOptions(zones), { first: readersZone })),
    emails: shown(
      text('Send to', {
        hint: 'E-mail addresses, separated by commas. Optional. Strangers are asked to confirm.',
      }),
    ),
  };
}
