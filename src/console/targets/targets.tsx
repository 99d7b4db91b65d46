/** Whether the month ends at its targets: push, or revise? */
import { ViewPage } from '../frame/viewPage.tsx';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { type Tile, Tiles } from '../parts/tiles.tsx';
import { amount, inMonth, inShortDay } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { Course } from './course.tsx';
import {
  type Goal,
  type GoalName,
  gapOf,
  goalNames,
  type Month,
  monthOf,
  type StoreGoals,
  sumOfGoals,
} from './figures.ts';
import { useDailyGoal, useStoreGoals } from './questions.ts';
import { StoresTable } from './storesTable.tsx';

/** The view of targets. */
export function Targets() {
  return (
    <ViewPage title="Targets" filters={{ comparison: false }} dates={datesOf}>
      {(view) => <Content view={view} month={monthOf(view)} />}
    </ViewPage>
  );
}

function datesOf(view: View): string {
  const month = monthOf(view);
  const name = inMonth(month.first);
  if (month.past === 0) return `${name} has not begun.`;
  return month.past === month.days
    ? `${name}, the whole month.`
    : `${name}, to ${inShortDay(month.to)}: ${month.past} of ${counted(month.days, 'day')}.`;
}

function Content({ view, month }: { readonly view: View; readonly month: Month }) {
  const { params } = view.address;
  const query = useStoreGoals(view, month);
  const rows = query.value?.rows ?? [];
  const name = goalNames.find((id) => id === params.get('metric')) ?? goalNames[0];
  const store = shownStore(view, rows, name);
  const days = useDailyGoal(view, month, store, name);
  if (query.value === undefined)
    return (
      <Panel title={inMonth(month.first)}>
        <Body query={query} name="the targets" lines={8} height={420}>
          {() => null}
        </Body>
      </Panel>
    );
  const { currency } = query.value;
  const isWithout = ({ budget, forecast, ads }: StoreGoals) =>
    [budget, forecast, ads].every(({ target }) => target === undefined);
  if (rows.every(isWithout)) return <NoTargets month={month} />;
  return (
    <>
      <Missing rows={rows} name={name} />
      <Tiles
        tiles={goalNames.map((one) => tileOf(one, sumOfGoals(rows, one), month, currency))}
        currency={currency}
        chosen={name}
        hasComparison
        isLoading={query.isLoading}
      />
      {store && <Course store={store} month={month} name={name} query={days} />}
      <StoresTable view={view} rows={rows} currency={currency} query={query} />
    </>
  );
}

const tileNames: Readonly<Record<GoalName, string>> = {
  budget: 'Sales against budget',
  forecast: 'Sales against forecast',
  ads: 'Ad spend against budget',
};

function tileOf(name: GoalName, goal: Goal, month: Month, currency: string): Tile {
  const isOver = month.past === month.days;
  const isTooMuch = (gapOf(goal) ?? 0) > 0;
  return {
    id: name,
    name: tileNames[name],
    unit: 'amount',
    value: goal.projected,
    prior: goal.target,
    meaning: name === 'ads' ? (isTooMuch ? 'bad' : 'neither') : 'good',
    suffix: isOver ? 'reached' : 'projected',
    against: `${name === 'forecast' ? 'forecast' : 'budget'} ${amount(goal.target, currency)}`,
  };
}

/** The store of the address, or the one furthest behind. */
function shownStore(
  { address }: View,
  rows: readonly StoreGoals[],
  name: GoalName,
): Store | undefined {
  const named = rows.find(({ store }) => store.channelId === address.params.get('of'));
  if (named !== undefined) return named.store;
  const gap = (row: StoreGoals) => gapOf(row[name]) ?? Number.POSITIVE_INFINITY;
  const sign = name === 'ads' ? -1 : 1;
  const targeted = rows.filter((row) => row[name].target !== undefined);
  const [first] = [...targeted].sort((one, other) => sign * (gap(one) - gap(other)));
  return (first ?? rows[0])?.store;
}

type MissingProps = {
  readonly rows: readonly StoreGoals[];
  readonly name: GoalName;
};

/** Names the stores that the totals cannot hold. */
function Missing({ rows, name }: MissingProps) {
  const targets = { budget: 'a sales budget', forecast: 'a sales forecast', ads: 'an ad budget' }[
    name
  ];
  const without = rows.filter((row) => row[name].target === undefined);
  const names = without.map(({ store }) => store.shortName).join(', ');
  if (without.length === 0) return null;
  return (
    <Note tools={<a href="/guides/importing">Import targets</a>}>
      Without {targets} for this month, and so not in its totals: {names}.
    </Note>
  );
}

function NoTargets({ month }: { readonly month: Month }) {
  return (
    <section class="panel">
      <Empty icon="target" title={`No targets for ${inMonth(month.first)}`}>
        <p>
          Rows of the dataset <code>targets</code> bring budgets and forecasts, by the month or by
          the day. The guide on <a href="/guides/importing">importing</a> shows how.
        </p>
      </Empty>
    </section>
  );
}
