import type { ComponentChildren } from 'preact';
import { DaysChart } from '../charts/days.tsx';
import { OperationsChart } from '../charts/operations.tsx';
import { type Counts, outcomes, Swatch } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { RefreshButton, Show, useLoaded } from '../loaded.tsx';
import { counted, inDay, inNumbers } from '../words.ts';

type UsageAnswer = Answer<'readUsage'>;

/** Usage of the keys: totals, and charts by day and by endpoint, each with a table. */
export function Usage({ perDay }: { perDay: number | undefined }) {
  const loaded = useLoaded('readUsage');
  return (
    <section aria-labelledby="usage-title" aria-busy={loaded.isLoading}>
      <div class="section-head">
        <h2 id="usage-title">Usage</h2>
        <RefreshButton loaded={loaded} name="usage" />
      </div>
      <Show loaded={loaded} name="usage">
        {(usage) =>
          usage.total.requests === 0 ? (
            <NoUsage hasKey={perDay !== undefined} />
          ) : (
            <UsageShown usage={usage} perDay={perDay} />
          )
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

function UsageShown({
  usage: { total, days, operations, usedToday },
  perDay,
}: {
  usage: UsageAnswer;
  perDay: number | undefined;
}) {
  return (
    <>
      <p>
        The last {days.length} days including today, in UTC.{' '}
        {perDay !== undefined && (
          <>
            <strong>{inNumbers(usedToday)}</strong> of {counted(perDay, 'request')} used today.
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
};

/** The numbers of a chart as a table. */
function Table<Row extends Counts>({ name, of, rows, headOf, keyOf }: TableProps<Row>) {
  return (
    <details>
      <summary>Show as a table</summary>
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
              <th scope="col" class="number">
                Requests
              </th>
              {outcomes.map(({ name, label }) => (
                <th key={name} scope="col" class="number">
                  {label}
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
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
