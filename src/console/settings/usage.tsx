import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DaysChart } from '../charts/days.tsx';
import { OperationsChart } from '../charts/operations.tsx';
import { type Counts, OutcomeMark, outcomes } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { RefreshButton, type Rows, Toolbar } from '../parts/toolbar.tsx';
import type { Query } from '../queries.ts';
import { percent } from '../view/format.ts';
import { inDay, inNumbers } from '../words.ts';
import { KeyName } from './key.tsx';

type UsageAnswer = Answer<'readUsage'>;

type UsageProps = { readonly loaded: Query<UsageAnswer>; readonly hasKey: boolean };

/** Usage of all keys: totals, by day, by call and by key, each with its table. */
export function Usage({ loaded, hasKey }: UsageProps) {
  const { value } = loaded;
  if (value === undefined || loaded.problem !== undefined || value.total.requests === 0)
    return (
      <Panel title="Usage" isLoading={loaded.isLoading}>
        <Body query={loaded} name="usage">
          {({ total }) => total.requests === 0 && <NoUsage hasKey={hasKey} />}
        </Body>
      </Panel>
    );
  return (
    <>
      <Totals usage={value} />
      <div class="columns">
        <Charted
          name="Requests by day"
          tools={<RefreshButton query={loaded} name="usage" />}
          of="Day"
          rows={[...value.days].reverse()}
          headOf={({ date }) => <time dateTime={date}>{inDay(date)}</time>}
          keyOf={({ date }) => date}
        >
          <DaysChart days={value.days} />
        </Charted>
        <Charted
          name="Requests by call"
          title="By call"
          of="Call"
          rows={value.operations}
          headOf={({ call }) => <code>{call}</code>}
          keyOf={({ call }) => call}
        >
          <OperationsChart operations={value.operations} />
        </Charted>
      </div>
      {value.keys.length > 1 && <ByKey keys={value.keys} />}
    </>
  );
}

function NoUsage({ hasKey }: { readonly hasKey: boolean }) {
  return (
    <Empty icon="chart" title="No requests yet.">
      <p>
        Once you use a key, this shows how often, for which calls and with what outcome.{' '}
        {hasKey && (
          <>
            Start with the <a href="/guides/first-request">first request</a>.
          </>
        )}
      </p>
    </Empty>
  );
}

function Totals({ usage: { total, days } }: { readonly usage: UsageAnswer }) {
  return (
    <dl class="panel tiles outcomes">
      <div class="tile">
        <dt class="label">Requests</dt>
        <dd class="value">{inNumbers(total.requests)}</dd>
        <dd class="change">{days.length} days of UTC</dd>
      </div>
      {outcomes.map(({ name, label, meaning, count }) => (
        <div key={name} class="tile">
          <dt class="label">
            <OutcomeMark name={name} /> {label}
          </dt>
          <dd class="value">{inNumbers(count(total))}</dd>
          <dd class="change">
            {name === 'answered' ? percent((100 * count(total)) / total.requests) : meaning}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The part of each key; limits hold for a key, so today's use stands beside them. */
function ByKey({ keys }: { readonly keys: UsageAnswer['keys'] }) {
  const used: Column<UsageAnswer['keys'][number]> = {
    id: 'used',
    name: 'Used today',
    isNumber: true,
    cell: ({ usedToday, perDay }) =>
      perDay === null ? 'no longer valid' : `${inNumbers(usedToday)} of ${inNumbers(perDay)}`,
  };
  const name = 'Requests by key';
  return (
    <Panel
      title="By key"
      tools={<Toolbar name={name} rows={() => rowsOf('Key', keys, (key) => key.name)} />}
    >
      <DataTable
        name={name}
        columns={[
          ...columnsOf<UsageAnswer['keys'][number]>('Key', (key) => <KeyName {...key} />),
          used,
        ]}
        rows={keys}
        keyOf={({ keyId }) => keyId}
      />
    </Panel>
  );
}

type ChartedProps<Row extends Counts> = {
  readonly name: string;
  /** Its title, where that is not its name. */
  readonly title?: string;
  readonly tools?: ComponentChildren;
  /** The subject of a row, for the head of the first column. */
  readonly of: string;
  readonly rows: readonly Row[];
  readonly headOf: (row: Row) => ComponentChildren;
  readonly keyOf: (row: Row) => string;
  readonly children: ComponentChildren;
};

/** A chart, or its numbers as a table. */
function Charted<Row extends Counts>(props: ChartedProps<Row>) {
  const { name, title = name, tools, of, rows, headOf, keyOf, children } = props;
  const [isTable, setTable] = useState(false);
  return (
    <Panel
      title={title}
      tools={
        <>
          {tools}
          <Toolbar
            name={name}
            rows={() => rowsOf(of, rows, keyOf)}
            table={{ isShown: isTable, toggle: () => setTable(!isTable) }}
          />
        </>
      }
    >
      {isTable ? (
        <div class="long">
          <DataTable name={name} columns={columnsOf(of, headOf)} rows={rows} keyOf={keyOf} />
        </div>
      ) : (
        <div class="body">{children}</div>
      )}
    </Panel>
  );
}

function columnsOf<Row extends Counts>(
  of: string,
  headOf: (row: Row) => ComponentChildren,
): readonly Column<Row>[] {
  const number = (id: string, name: string, count: (row: Row) => number): Column<Row> => ({
    id,
    name,
    isNumber: true,
    cell: (row) => inNumbers(count(row)),
  });
  return [
    { id: 'head', name: of, cell: headOf },
    number('requests', 'Requests', ({ requests }) => requests),
    ...outcomes.map(({ name, label, count }) => number(name, label, count)),
  ];
}

function rowsOf<Row extends Counts>(
  of: string,
  rows: readonly Row[],
  headOf: (row: Row) => string,
): Rows {
  return [
    [of, 'Requests', ...outcomes.map(({ label }) => label)],
    ...rows.map((row) => [headOf(row), row.requests, ...outcomes.map(({ count }) => count(row))]),
  ];
}
