/** The form that creates a report. */

import { useState } from 'preact/hooks';
import type { ReportType } from '../../contract/reports.ts';
import { ask, requestOf } from '../client.ts';
import { copied, useSaid } from '../copying.tsx';
import { curlOf } from '../files.ts';
import { FormError, Select } from '../forms.tsx';
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Change } from '../view/address.ts';
import { inRange } from '../view/format.ts';
import { type Store, storeOptions, useStores } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { zone as readersZone, zoneOptions } from '../words.ts';
import {
  chosenOf,
  formats,
  hasReport,
  inputOf,
  isOn,
  kinds,
  noStore,
  operationOf,
  types,
} from './kinds.ts';

/** The options that another type drops from the address. */
const optionsForgotten: Change = {
  interval: undefined,
  view: undefined,
  includeTax: undefined,
  includeNoSales: undefined,
  includeNoInventory: undefined,
};

type NewReportProps = {
  readonly view: View;
  readonly type: ReportType;
  /** Called once a report is created. */
  readonly onCreated: () => void;
};

/** Chooses a type of report, a store and options, all in the address, and creates the report. */
export function NewReport({ view, type, onCreated }: NewReportProps) {
  const { change } = view.address;
  const kind = kinds[type];
  const { stores: all } = useStores();
  const suited = all.filter((store) => hasReport(store, kind));
  const store = suited.find((one) => view.stores.includes(one)) ?? suited[0];
  return (
    <Panel title="New report" className="new-report">
      <div class="body">
        <Select
          label="Report"
          value={type}
          options={types.map((id) => ({ id, name: kinds[id].name }))}
          onValue={(report) => change({ ...optionsForgotten, report })}
        />
        <p class="hint">{kind.about}</p>
        {store === undefined ? (
          <p class="notice">{kind.of && noStore[kind.of]} Choose another report.</p>
        ) : (
          <>
            <Select
              label="Store"
              value={store.channelId}
              options={storeOptions(suited)}
              onValue={(id) => change({ store: id })}
            />
            <Options view={view} type={type} store={store} />
            <Create view={view} type={type} store={store} onCreated={onCreated} />
          </>
        )}
      </div>
    </Panel>
  );
}

type OfStore = Pick<NewReportProps, 'view' | 'type'> & { readonly store: Store };

/** The zone whose days the report counts: that of the address, else that of the store. */
const zoneOf = ({ view, store }: OfStore): string =>
  view.address.params.has('zone') ? view.zone : store.timezone;

function Options(props: OfStore) {
  const { view, type, store } = props;
  const { dates, choices = [], switches = [] } = kinds[type];
  const { params, change } = view.address;
  const zone = zoneOf(props);
  const isCompared = dates === 'comparison' && view.comparison !== 'none';
  return (
    <>
      {dates !== 'none' && (
        <Select
          label="Days of"
          value={zone}
          options={zoneOptions([store.timezone, zone, readersZone, 'UTC'])}
          onValue={(id) => change({ zone: id === store.timezone ? undefined : id })}
        />
      )}
      {[...choices, formats].map((choice) => (
        <Select
          key={choice.field}
          label={choice.name}
          value={chosenOf(params, choice)}
          options={choice.values}
          onValue={(id) => change({ [choice.field]: id === choice.values[0]!.id ? undefined : id })}
        />
      ))}
      {switches.map((one) => (
        <label key={one.field} class="check">
          <input
            type="checkbox"
            checked={isOn(params, one)}
            onChange={({ currentTarget: { checked } }) =>
              change({ [one.field]: checked === one.byDefault ? undefined : String(checked) })
            }
          />
          {one.name}
        </label>
      ))}
      <p class="hint">
        <Icon name="calendar" />
        <span>
          {dates === 'none' ? 'As of today.' : inRange(view.range)}
          {isCompared && ` against ${inRange(view.prior)}`}
        </span>
      </p>
    </>
  );
}

function Create(props: OfStore & Pick<NewReportProps, 'onCreated'>) {
  const { view, type, store, onCreated } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [said, say] = useSaid();
  const input = inputOf(type, store, zoneOf(props), view);
  async function create(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await ask(operationOf(type), input);
      say('Started');
      onCreated();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  }
  const curl = () => curlOf(requestOf(operationOf(type), input));
  return (
    <>
      <FormError text={problem} />
      <div class="actions">
        <button type="button" class="control primary" aria-disabled={isBusy} onClick={create}>
          Create report
        </button>
        <button
          type="button"
          class="icon-button"
          title="Copy as curl"
          aria-label="Copy as curl: New report"
          onClick={async () => say((await copied(curl())) ? 'Copied' : 'Not allowed here')}
        >
          <Icon name="terminal" />
        </button>
        <span role="status" class="said">
          {said}
        </span>
      </div>
    </>
  );
}
