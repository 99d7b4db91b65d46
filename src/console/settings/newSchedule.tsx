/** The form that creates a schedule. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SchedulePeriod } from '../../contract/schedules.ts';
import { ask } from '../client.ts';
import { Field, FormError, Select, SubmitButton } from '../forms.tsx';
import { Panel } from '../parts/panel.tsx';
import { hasReport, kinds, noStore } from '../reports/kinds.ts';
import { useForm } from '../submit.ts';
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

type FieldName = 'name' | 'cron' | 'emails';

/** The values of the form. */
type Values = {
  readonly name: string;
  readonly what: Runnable;
  readonly channelId: string | undefined;
  readonly currency: string | undefined;
  readonly period: SchedulePeriod;
  readonly rhythm: Rhythm;
  readonly hour: string;
  readonly cron: string;
  readonly zone: string;
  readonly emails: string;
};

const empty: Values = {
  name: '',
  what: allStores,
  channelId: undefined,
  currency: undefined,
  period: 'lastWeek',
  rhythm: 'weekly',
  hour: '7',
  cron: '0 7 * * 1',
  zone: readersZone,
  emails: '',
};

const periods = Object.entries(periodNames).map(([id, name]) => ({ id, name }));
const addressesIn = (text: string) => text.split(/[\s,;]+/).filter((one) => one !== '');

/** Creates a schedule. `onCreated` is called afterwards. */
export function NewSchedule({ onCreated }: { readonly onCreated: () => void }) {
  const [values, setValues] = useState(empty);
  const change = (changed: Partial<Values>) => setValues({ ...values, ...changed });
  const { stores } = useStores();
  const { what, name, period, rhythm, hour, cron, zone, emails } = values;
  const suited = what === allStores ? stores : stores.filter((one) => hasReport(one, kinds[what]));
  const store = suited.find(({ channelId }) => channelId === values.channelId) ?? suited[0];
  const currency = values.currency ?? currencyOf(stores);
  const { errors, isBusy, refOf, submit } = useForm<FieldName>({
    check: () => ({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    async send() {
      await ask('createSchedule', {
        ...{ name, timezone: zone, emails: addressesIn(emails) },
        cron: rhythm === 'cron' ? cron : cronOf(rhythm, hour),
        ...operationOfChoice({ what, store, currency }),
        ...(hasPeriod(what) && { period }),
      });
      setValues(empty);
      onCreated();
    },
    fieldOf: ({ message }) =>
      (['name', 'cron', 'emails'] as const).find((field) => message.startsWith(field)),
  });
  const text = (field: FieldName, label: string, hint?: string) => (
    <Field
      type="text"
      autocomplete="off"
      {...{ label, name: field, value: values[field], error: errors[field] }}
      {...(hint !== undefined && { hint })}
      onValue={(value) => change({ [field]: value })}
      inputRef={refOf(field)}
    />
  );
  return (
    <Panel title="New schedule">
      <form class="body form fields" onSubmit={submit} noValidate>
        <FormError text={errors.form} />
        {text('name', 'Name', 'What it is for.')}
        <What values={values} {...{ change, suited, store, currency }} />
        {store !== undefined && (
          <>
            {hasPeriod(what) && (
              <Select
                label="Period"
                hint="Counted from the day of the run."
                value={period}
                options={periods}
                onValue={(id) => change({ period: id as SchedulePeriod })}
              />
            )}
            <When values={values} {...{ change, stores }}>
              {text('cron', 'Cron expression', 'Minute, hour, day, month, day of the week.')}
            </When>
            {text(
              'emails',
              'Send to',
              'E-mail addresses, separated by commas. Optional. Strangers are asked to confirm.',
            )}
            <div class="actions">
              <SubmitButton isBusy={isBusy}>Create schedule</SubmitButton>
            </div>
          </>
        )}
      </form>
    </Panel>
  );
}

type WhatProps = {
  readonly values: Values;
  readonly change: (changed: Partial<Values>) => void;
  readonly suited: readonly Store[];
  readonly store: Store | undefined;
  readonly currency: string;
};

type WhenProps = Pick<WhatProps, 'values' | 'change'> & {
  readonly stores: readonly Store[];
  /** The field of the cron expression. */
  readonly children: ComponentChildren;
};

/** The times, by a common rhythm or by a cron expression. */
function When({ values: { rhythm, hour, zone }, change, stores, children }: WhenProps) {
  const zones = [zone, readersZone, ...stores.map(({ timezone }) => timezone), 'UTC'];
  return (
    <>
      <Select
        label="When"
        value={rhythm}
        options={rhythms}
        onValue={(id) => change({ rhythm: id as Rhythm })}
      />
      {rhythm === 'cron' ? (
        children
      ) : (
        <Select label="At" value={hour} options={hours} onValue={(id) => change({ hour: id })} />
      )}
      <Select
        label="Time zone"
        value={zone}
        options={zoneOptions(zones)}
        onValue={(id) => change({ zone: id })}
      />
    </>
  );
}

/** The report, and its store or its currency. */
function What({ values: { what }, change, suited, store, currency }: WhatProps) {
  const of = what === allStores ? undefined : kinds[what].of;
  const currencies = new Set([currency, ...suited.map((one) => one.currency)]);
  return (
    <>
      <Select
        label="Report"
        value={what}
        options={runnables}
        onValue={(id) => change({ what: id as Runnable })}
      />
      {store === undefined ? (
        <p class="notice">{of ? noStore[of] : 'There are no stores yet.'}</p>
      ) : what === allStores ? (
        <Select
          label="Currency"
          value={currency}
          options={[...currencies].map((id) => ({ id, name: id }))}
          onValue={(id) => change({ currency: id })}
        />
      ) : (
        <Select
          label="Store"
          value={store.channelId}
          options={storeOptions(suited)}
          onValue={(id) => change({ channelId: id })}
        />
      )}
    </>
  );
}
