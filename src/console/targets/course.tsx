/** The course of a store's month: what was reached against the target, added up day by day. */
import { TimeSeries } from '../charts/timeSeries.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { addDays } from '../view/days.ts';
import { amount, inMonth, inShortDay, inWeekday, percent } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import { counted } from '../words.ts';
import { type Goal, type GoalName, gapOf, type Month, paceOf, projectedOf } from './figures.ts';
import { type DailyGoal, goalOfDays, type useDailyGoal } from './questions.ts';

const chartHeight = 350;

/** The words of a target. */
export const goalWords = {
  budget: { actual: 'Sales', target: 'Budget' },
  forecast: { actual: 'Sales', target: 'Forecast' },
  ads: { actual: 'Ad spend', target: 'Ad budget' },
} as const satisfies Record<GoalName, object>;

type CourseProps = {
  readonly store: Store;
  readonly month: Month;
  readonly name: GoalName;
  readonly query: ReturnType<typeof useDailyGoal>;
};

/** The chart, with its figures beside it. */
export function Course({ store, month, name, query }: CourseProps) {
  const words = goalWords[name];
  const title = `${words.actual} of ${store.shortName}, added up`;
  if (query.problem !== undefined)
    return (
      <Panel title={title}>
        <Failed problem={query.problem} name="the targets of the store" retry={query.retry} />
      </Panel>
    );
  const days = query.value;
  const known = days && goalOfDays(days);
  const goal = known && { ...known, projected: projectedOf(known, month) };
  if (goal !== undefined && goal.target === undefined)
    return (
      <Panel title={title}>
        <Empty icon="target" title={`No ${words.target.toLowerCase()} for ${inMonth(month.first)}`}>
          <p>
            Rows of the dataset <code>targets</code> bring it. The guide on{' '}
            <a href="/guides/importing">importing</a> shows how.
          </p>
        </Empty>
      </Panel>
    );
  return (
    <div class="columns">
      <TimeSeries
        title={title}
        of="Day"
        points={days && goal ? pointsOf(days, goal, month, words.target) : []}
        unit="amount"
        currency={store.currency}
        hasPrior
        height={chartHeight}
        request={query.request}
        isLoading={query.isLoading}
        isReady={query.value !== undefined}
        names={{
          own: month.past === month.days ? words.actual : 'Projected',
          prior: words.target,
          change: 'Difference',
        }}
      />
      <Panel title={`${store.shortName}, ${inMonth(month.first)}`} isLoading={query.isLoading}>
        {goal && <Facts goal={goal} month={month} name={name} currency={store.currency} />}
        <p class="body muted small">{rule(words)}</p>
      </Panel>
    </div>
  );
}

type Words = { readonly actual: string; readonly target: string };

/** Says how the end of the month is projected. */
function rule(words: Words): string {
  const [actual, target] = [words.actual.toLowerCase(), words.target.toLowerCase()];
  return (
    `Projected: ${actual} so far × ${target} of the month ÷ ${target} so far, so that each day ` +
    `counts as much as in the ${target}. Pace: ${actual} so far ÷ ${target} so far.` +
    (actual === 'sales' ? ' Sales are without tax.' : '')
  );
}

/** Sums from the first of the month to each day; days without data are projected. */
function pointsOf({ targets, actuals }: DailyGoal, goal: Goal, month: Month, targetName: string) {
  let [target, actual] = [0, 0];
  return targets.map((ofDay, place) => {
    const day = addDays(month.first, place);
    target += ofDay ?? 0;
    actual += actuals[place] ?? 0;
    const isPast = place < actuals.length;
    const asFar = { actual: goal.actual, toDate: goal.toDate, target };
    const value = isPast
      ? actual
      : projectedOf(asFar, { ...month, days: Math.max(place + 1, month.past + 1) });
    return {
      key: day,
      label: inShortDay(day),
      name: isPast ? inWeekday(day) : `${inWeekday(day)}, projected`,
      priorName: targetName,
      value,
      prior: target,
      isPartial: !isPast,
    };
  });
}

type FactsProps = {
  readonly goal: Goal;
  readonly month: Month;
  readonly name: GoalName;
  readonly currency: string;
};

function Facts({ goal, month, name, currency }: FactsProps) {
  const { actual, target } = goalWords[name];
  const { past, days, to, last } = month;
  const missing = (goal.target ?? 0) - (goal.actual ?? 0);
  const money = (value: number | undefined) => amount(value, currency);
  const isOver = past === days;
  const facts: readonly (readonly [string, string])[] = [
    [`${actual} to ${inShortDay(to)}`, money(goal.actual)],
    [`${target} to ${inShortDay(to)}`, money(goal.toDate)],
    ['Pace', percent(paceOf(goal))],
    ...(isOver
      ? []
      : ([
          [`Projected to ${inShortDay(last)}`, money(goal.projected)],
          [`${target} of the month`, money(goal.target)],
        ] as const)),
    ['Gap', money(gapOf(goal))],
    ...(!isOver && past > 0 && missing > 0
      ? ([
          [`Left for ${counted(days - past, 'day')}`, money(missing)],
          ['Left per day', money(missing / (days - past))],
          ['Per day so far', money((goal.actual ?? 0) / past)],
        ] as const)
      : []),
  ];
  return (
    <dl class="goal-facts">
      {facts.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
