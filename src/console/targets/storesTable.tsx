/** The stores, those furthest behind their budget first. */
import { Meter, StoreName } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, DataTable, sortOf, TableSearch, useColumns } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { amount, percent } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { type Goal, type GoalName, gapOf, paceOf, type StoreGoals, sumOfGoals } from './figures.ts';
import type { useStoreGoals } from './questions.ts';

const standard = 'gap';

/** A figure of a store. */
type Figure = {
  readonly id: string;
  readonly name: string;
  readonly unit: 'amount' | 'percent';
  readonly goal: GoalName;
  readonly of: (goal: Goal) => number | undefined;
  readonly isShown?: boolean;
};

const figures: readonly Figure[] = [
  { id: 'pace', name: 'Pace', unit: 'percent', goal: 'budget', of: paceOf },
  { id: 'gap', name: 'Gap', unit: 'amount', goal: 'budget', of: gapOf },
  {
    id: 'sales',
    name: 'Sales so far',
    unit: 'amount',
    goal: 'budget',
    of: ({ actual }) => actual,
  },
  {
    id: 'projected',
    name: 'Projected',
    unit: 'amount',
    goal: 'budget',
    of: ({ projected }) => projected,
  },
  { id: 'budget', name: 'Budget', unit: 'amount', goal: 'budget', of: ({ target }) => target },
  {
    id: 'forecast',
    name: 'Forecast',
    unit: 'amount',
    goal: 'forecast',
    of: ({ target }) => target,
  },
  { id: 'forecastPace', name: 'Forecast pace', unit: 'percent', goal: 'forecast', of: paceOf },
  { id: 'spend', name: 'Ad spend so far', unit: 'amount', goal: 'ads', of: ({ actual }) => actual },
  { id: 'limit', name: 'Ad budget', unit: 'amount', goal: 'ads', of: ({ target }) => target },
  { id: 'adPace', name: 'Ad pace', unit: 'percent', goal: 'ads', of: paceOf },
];
const sortIds = ['store', ...figures.map(({ id }) => id)];

type StoresTableProps = {
  readonly view: View;
  readonly rows: readonly StoreGoals[];
  readonly currency: string;
  readonly query: ReturnType<typeof useStoreGoals>;
};

/** The panel. */
export function StoresTable({ view, rows, currency, query }: StoresTableProps) {
  const { address } = view;
  const columns = columnsOf(view, rows, currency);
  const { shown, menu } = useColumns(columns);
  const found = foundOf(view, rows);
  const heads = figures.map(
    ({ name, unit }) => `${name} in ${unit === 'percent' ? 'percent' : currency}`,
  );
  const sheet = () => [
    ['Store', ...heads],
    ...found.map((row) => [
      row.store.displayName,
      ...figures.map((figure) => rounded(figure.of(row[figure.goal]))),
    ]),
  ];
  return (
    <Panel
      title="Stores"
      count={rows.length}
      isLoading={query.isLoading}
      tools={
        <>
          <TableSearch name="Store" />
          {menu}
          <Toolbar name="Targets of stores" request={query.request} rows={sheet} />
        </>
      }
    >
      {found.length === 0 ? (
        <p class="body muted">
          No store matches. <a href={address.hrefOf({ q: undefined })}>Show all</a>
        </p>
      ) : (
        <DataTable
          name="Targets of stores"
          columns={columns}
          rows={found}
          keyOf={({ store }) => store.channelId}
          sort={sortOf(address.params, standard, sortIds)}
          standard={standard}
          hasTotal={rows.length > 1 && found.length === rows.length}
          shown={shown}
        />
      )}
    </Panel>
  );
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Math.round(value * 100) / 100;

function foundOf({ address: { params } }: View, rows: readonly StoreGoals[]): StoreGoals[] {
  const text = (params.get('q') ?? '').toLowerCase();
  const { by, isDescending } = sortOf(params, standard, sortIds);
  const figure = figures.find(({ id }) => id === by);
  const sign = isDescending ? -1 : 1;
  return rows
    .filter(({ store }) => store.displayName.toLowerCase().includes(text))
    .sort((one, other) => {
      if (figure === undefined)
        return sign * one.store.displayName.localeCompare(other.store.displayName);
      const [first, second] = [one, other].map((row) => figure.of(row[figure.goal]));
      if (first === undefined || second === undefined)
        return Number(first === undefined) - Number(second === undefined);
      return sign * (first - second);
    });
}

function columnsOf(
  { address }: View,
  rows: readonly StoreGoals[],
  currency: string,
): Column<StoreGoals>[] {
  const cell = ({ id, unit, of }: Figure, goal: Goal) => {
    const value = of(goal);
    const text = unit === 'percent' ? percent(value) : amount(value, currency);
    const isLow = id === 'gap' && value !== undefined && value < 0;
    if (id === 'pace' && value !== undefined)
      return (
        <>
          <Meter part={value / 100} />
          <span class="aligned">{text}</span>
        </>
      );
    return isLow ? <span class="low">{text}</span> : text;
  };
  return [
    {
      id: 'store',
      name: 'Store',
      total: 'Total',
      cell: ({ store }) => (
        <StoreName store={store} href={address.hrefOf({ of: store.channelId })} />
      ),
    },
    ...figures.map((figure) => ({
      id: figure.id,
      name: figure.name,
      isNumber: true,
      cell: (row: StoreGoals) => cell(figure, row[figure.goal]),
      total: cell(figure, sumOfGoals(rows, figure.goal)),
    })),
  ];
}
