/** Where the money goes: spend against ACOS, a mark for each row with spend. */
import { useMemo, useState } from 'preact/hooks';
import { countryAlpha2 } from '../../contract/countries.ts';
import { shortened } from '../charts/labels.ts';
import type { Mark, ScatterProps } from '../charts/scatterMarks.ts';
import { later } from '../parts/later.tsx';
import { Body, Empty, Skeleton } from '../parts/panel.tsx';
import { Popover } from '../parts/popover.tsx';
import { DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAddress } from '../view/address.ts';
import { amount, count, percent } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { inAddress } from './filters.ts';
import { type AdRow, adTypes, type Part, parts, ratiosOf } from './parts.ts';
import type { useRows } from './rows.ts';
import type { Scope } from './scope.ts';

const height = 392;
const Scatter = later<ScatterProps>(
  () => import('../charts/scatter.tsx').then((module) => module.Scatter),
  () => <Skeleton height={height} lines={1} />,
);
/** The most marks that are drawn, those with the most spend. */
const marksMax = 200;
const title = 'Where the money goes';

/** The ACOS that others are measured by. */
export type Target = { readonly acos: number; readonly name: string; readonly isChosen: boolean };

type WhereProps = {
  readonly view: View;
  readonly scope: Scope;
  readonly part: Part;
  readonly query: ReturnType<typeof useRows>;
  readonly passing: readonly AdRow[];
  readonly target: Target | undefined;
  /** Opens what lies below a row. */
  readonly open: (row: AdRow) => void;
};

/** The panel. */
export function Where({ view, scope, part, query, passing, target, open }: WhereProps) {
  const { change } = useAddress();
  const [isTable, setTable] = useState(false);
  const spending = useMemo(() => passing.filter(({ sums }) => sums.spend > 0), [passing]);
  const marks = useMemo(() => marksOf(spending, scope), [spending, scope]);
  const spend = spending.reduce((sum, { sums }) => sum + sums.spend, 0);
  const { one, name } = parts.find(({ id }) => id === part)!;
  const types = adTypes.filter(({ id }) => spending.some(({ adType }) => adType === id));
  return (
    <section class="panel chart" aria-label={title} aria-busy={query.isLoading}>
      <header>
        <h2>{title}</h2>
        <div class="legend">
          {types.map((type) => (
            <span key={type.id}>
              <Legend shape={type.mark} />
              {type.name}
            </span>
          ))}
        </div>
        <div class="tools">
          <TargetPicker target={target} />
          <Toolbar
            name={title}
            request={query.request}
            rows={() => csvOf(marks)}
            table={{ isShown: isTable, toggle: () => setTable(!isTable) }}
          />
        </div>
      </header>
      <div class="body">
        <Body query={query} name={name.toLowerCase()} lines={1} height={height}>
          {() =>
            marks.length === 0 ? (
              <Empty icon="chart" title="No spend">
                <p>No {one} that matches had spend in this period.</p>
              </Empty>
            ) : isTable ? (
              <MarksTable marks={marks} currency={view.currency} name={title} of={one} />
            ) : (
              <Scatter
                name={title}
                marks={marks}
                currency={view.currency}
                line={target}
                muchSpend={spend / spending.length}
                open={(key) => open(spending.find((row) => row.key === key)!)}
                choose={({ spend: [low, high], acos }) =>
                  change({
                    spend: inAddress({ low: rounded(low), high: rounded(high) }),
                    acos: inAddress({
                      low: rounded(acos[0]),
                      high: acos[1] && rounded(acos[1]),
                    }),
                    page: undefined,
                  })
                }
              />
            )
          }
        </Body>
        {marks.length > 0 && <Explained marks={marks} one={one} total={spending.length} />}
      </div>
    </section>
  );
}

const rounded = (value: number) => Number(value.toPrecision(3));

function Explained({
  marks,
  one,
  total,
}: {
  readonly marks: readonly Mark[];
  readonly one: string;
  readonly total: number;
}) {
  const barren = marks.filter(({ acos }) => acos === undefined).length;
  const many = `${one}s`;
  return (
    <p class="explained">
      Each mark is {one.startsWith('ad') ? 'an' : 'a'} {one}; its area is its ad sales.{' '}
      {total > marks.length
        ? `The ${count(marks.length)} with the most spend of ${counted(total, one, many)}.`
        : `${counted(total, one, many)} with spend.`}
      {barren > 0 && ` Hollow marks at the top: ${count(barren)} without ad sales.`}
      {' Tinted: more spend than the average of these, and ACOS above the line.'}
    </p>
  );
}

function marksOf(rows: readonly AdRow[], { stores = [] }: Scope): readonly Mark[] {
  const places = new Map(
    stores.map(({ channelId, countryCode }) => [channelId, countryAlpha2(countryCode)]),
  );
  const largest = rows
    .toSorted((one, other) => other.sums.spend - one.sums.spend)
    .slice(0, marksMax);
  const timesOf = new Map<string, number>();
  for (const { name } of largest) timesOf.set(labelOf(name), (timesOf.get(labelOf(name)) ?? 0) + 1);
  return largest.map((row) => {
    const [label, place] = [labelOf(row.name), places.get(row.channelId) ?? ''];
    return {
      key: row.key,
      name: row.name,
      place,
      label: timesOf.get(label)! > 1 && place !== '' ? `${label}, ${place}` : label,
      shape: adTypes.find(({ id }) => id === row.adType)?.mark ?? 'circle',
      spend: row.sums.spend,
      sales: row.sums.sales,
      acos: ratiosOf(row.sums).acos,
    };
  });
}

/** The name without the type that the shape says already, cut to fit. */
const labelOf = (name: string) => shortened(name.replace(/^S[PBD]\s*[|:–-]\s*/, ''), 22);

function Legend({ shape }: { readonly shape: Mark['shape'] }) {
  return (
    <svg class={`shape ${shape}`} viewBox="0 0 12 12" aria-hidden="true">
      {shape === 'circle' && <circle cx="6" cy="6" r="4.5" />}
      {shape === 'square' && <rect x="2" y="2" width="8" height="8" rx="1" />}
      {shape === 'triangle' && <path d="M6 .8 10.7 9.400H1.300Z" />}
      {shape === 'diamond' && <path d="M6 .4 11.600 6 6 11.600 .4 6Z" />}
    </svg>
  );
}

function TargetPicker({ target }: { readonly target: Target | undefined }) {
  const { change } = useAddress();
  return (
    <Popover
      title="Target ACOS"
      className="control small"
      label={target?.isChosen ? target.name : 'Target'}
      name={target?.isChosen ? `${target.name}, change` : 'Set a target ACOS'}
    >
      {(close) => (
        <form
          class="filter-form"
          onSubmit={(event) => {
            event.preventDefault();
            const text = new FormData(event.currentTarget as HTMLFormElement).get('target');
            close();
            change({ target: String(text ?? '') });
          }}
        >
          <label>
            <span>Target ACOS, %</span>
            <input
              type="number"
              name="target"
              min="1"
              max="1000"
              step="any"
              defaultValue={target?.isChosen ? target.acos : undefined}
            />
          </label>
          <p class="muted">Without one, the line is the ACOS of these stores together.</p>
          <div class="foot">
            <button type="submit" class="control primary">
              Apply
            </button>
          </div>
        </form>
      )}
    </Popover>
  );
}

type MarksTableProps = {
  readonly marks: readonly Mark[];
  readonly currency: string;
  readonly name: string;
  readonly of: string;
};

function MarksTable({ marks, currency, name, of }: MarksTableProps) {
  return (
    <div class="long">
      <DataTable
        name={name}
        rows={marks}
        keyOf={({ key }) => key}
        columns={[
          { id: 'mark', name: `${of[0]!.toUpperCase()}${of.slice(1)}`, cell: (mark) => mark.name },
          { id: 'place', name: 'Country', cell: ({ place }) => place },
          {
            id: 'spend',
            name: 'Spend',
            isNumber: true,
            cell: ({ spend }) => amount(spend, currency),
          },
          { id: 'acos', name: 'ACOS', isNumber: true, cell: ({ acos }) => percent(acos) },
          {
            id: 'sales',
            name: 'Ad sales',
            isNumber: true,
            cell: ({ sales }) => amount(sales, currency),
          },
        ]}
      />
    </div>
  );
}

const csvOf = (marks: readonly Mark[]) => [
  ['Name', 'Country', 'Spend', 'ACOS', 'Ad sales'],
  ...marks.map(({ name, place, spend, acos, sales }) => [name, place, spend, acos, sales]),
];
