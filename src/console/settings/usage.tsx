import type { ComponentChildren } from 'preact';
import { DaysChart } from '../charts/days.tsx';
import { OperationsChart } from '../charts/operations.tsx';
import { type Counts, outcomes, Swatch } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { RefreshButton, Show, useLoaded } from '../loaded.tsx';
import { counted, inDay, inNumbers } from '../words.ts';
import { KeyName } from './key.tsx';

type UsageAnswer = Answer<'readUsage'>;

/** Usage of all keys: totals, by key, and charts by day and by endpoint, each with a table. */
export function Usage({ hasKey }: { hasKey: boolean }) {
  const loaded = useLoaded('readUsage');
  return (
    <section aria-labelledby="usage-title" aria-busy={loaded.isLoading}>
      <div class="section-head">
        <h2 id="usage-title">Usage</h2>
        <RefreshButton loaded={loaded} name="usage" />
      </div>
      <Show loaded={loaded} name="usage">
        {(usage) =>
          usage.total.requests === 0 ? <NoUsage hasKey={hasKey} /> : <UsageShown usage={usage} />
        }
      </Show>
    </section>
  );
}

function NoUsage({ hasKey }: { hasKey: boolean }) {
  return (
    <div class="card empty">
      <p>
        <strong>No requests yet.</strong> Once you use a key, this shows how often, for which
        endpoints and with what outcome.{' '}
        {hasKey && (
          <>
            Start with the <a href="#first-request">first request</a>, or with the{' '}
            <a href="/guides">guides</a>.
          </>
        )}
      </p>
    </div>
  );
}

function UsageShown({ usage: { total, days, operations, keys } }: { usage: UsageAnswer }) {
  const [first, second] = keys;
  const only = second === undefined ? first : undefined;
  return (
    <>
      <p>
        The last {days.length} days including today, in UTC
        {only === undefined && ', of all your keys'}.{' '}
        {only !== undefined && only.perDay !== null && (
          <>
            <strong>{inNumbers(only.usedToday)}</strong> of {counted(only.perDay, 'request')} used
            today.
          </>
        )}
      </p>
      <dl class="totals">
        <div>
          <dt>Requests</dt>
          <dd>{inNumbers(total.requests)}</dd>
        </div>
        {outcomes.map(({ name, label, meaning, count }) => (
          <div key={name}>
            <dt>
              <Swatch name={name} /> {label} <span class="muted">{meaning}</span>
            </dt>
            <dd>{inNumbers(count(total))}</dd>
          </div>
        ))}
      </dl>
      {only === undefined && <ByKey keys={keys} />}
      <figure class="card" aria-labelledby="days-title">
        <h3 id="days-title">By day</h3>
        <DaysChart days={days} />
        <Table
          name="Requests by day"
          of="Day"
          rows={[...days].reverse()}
          headOf={({ date }) => <time dateTime={date}>{inDay(date)}</time>}
          keyOf={({ date }) => date}
        />
      </figure>
      <figure class="card" aria-labelledby="operations-title">
        <h3 id="operations-title">By endpoint</h3>
        <OperationsChart operations={operations} />
        <Table
          name="Requests by endpoint"
          of="Endpoint"
          rows={operations}
          headOf={({ call }) => <Call text={call} />}
          keyOf={({ operation }) => operation}
        />
      </figure>
    </>
  );
}

/** The part of each key; limits hold for a key, so today's use stands beside them. */
function ByKey({ keys }: { keys: UsageAnswer['keys'] }) {
  return (
    <figure class="card" aria-labelledby="keys-title">
      <h3 id="keys-title">By key</h3>
      <Figures
        name="Requests by key"
        of="Key"
        rows={keys}
        headOf={({ name, hint }) => <KeyName name={name} hint={hint} />}
        keyOf={({ keyId }) => keyId}
        last={{
          heading: 'Used today',
          cellOf: ({ usedToday, perDay }) =>
            perDay === null ? 'no longer valid' : `${inNumbers(usedToday)} of ${inNumbers(perDay)}`,
        }}
      />
    </figure>
  );
}

/** A call, which may wrap before its slashes. */
function Call({ text }: { text: string }) {
  return <code>{text.split(/(?=\/)/).flatMap((part) => [<wbr key={part} />, part])}</code>;
}

type TableProps<Row extends Counts> = {
  readonly name: string;
  /** The subject of a row, for the header of the first column. */
  readonly of: string;
  readonly rows: readonly Row[];
  readonly headOf: (row: Row) => ComponentChildren;
  readonly keyOf: (row: Row) => string;
  /** One more column, after the counts. */
  readonly last?: { readonly heading: string; readonly cellOf: (row: Row) => string };
};

/** The numbers of a chart as a table. */
function Table<Row extends Counts>(props: TableProps<Row>) {
  return (
    <details>
      <summary>Show as a table</summary>
      <Figures {...props} />
    </details>
  );
}

function Figures<Row extends Counts>({ name, of, rows, headOf, keyOf, last }: TableProps<Row>) {
  return (
    <section
      class="scrolls long"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      aria-label={`${name}, table`}
    >
      <table class="figures">
        <caption class="visually-hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {[
              'Requests',
              ...outcomes.map(({ label }) => label),
              ...(last ? [last.heading] : []),
            ].map((heading) => (
              <th key={heading} scope="col" class="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{headOf(row)}</th>
              <td class="number">{inNumbers(row.requests)}</td>
              {outcomes.map(({ name, count }) => (
                <td key={name} class={count(row) === 0 ? 'number none' : 'number'}>
                  {inNumbers(count(row))}
                </td>
              ))}
              {last && <td class="number">{last.cellOf(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
