/** From sales to net profit: the profit and loss as a table that is drawn as a waterfall. */

import type { ApiRequest } from '../client.ts';
import { Change } from '../parts/change.tsx';
import { Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAddress } from '../view/address.ts';
import { amount, none, percent } from '../view/format.ts';
import { exact } from '../view/profits.ts';
import { effectsOf, type Figures, type Line, shareOf } from './figures.ts';

type Entry = {
  readonly id: string;
  readonly name: string;
  readonly lines: readonly Line[];
  /** Whether it sums up all lines above. */
  readonly isSum?: boolean;
  /** Whether it takes away from the sales as a rule. */
  readonly isCost?: boolean;
};

const cost = (id: string, name: string, lines: readonly Line[]): Entry => ({
  id,
  name,
  lines,
  isCost: true,
});
const sales: Entry = { id: 'sales', name: 'Sales', lines: ['sales'] };
const netProfit: Entry = { id: 'profit', name: 'Net profit', lines: [], isSum: true };
const fees = [
  cost('selling', 'Selling fees', ['sellingFees']),
  cost('shipping', 'Fulfilment and shipping', ['shippingFees']),
];
const advertising = cost('advertising', 'Advertising', ['advertisingSpend']);
const costOfGoods = cost('costs', 'Cost of goods', ['cogs']);
const promotions = cost('promotions', 'Promotions', ['promotions']);
const other = cost('other', 'Other expenses', ['otherExpenses']);

const forms: Readonly<Record<'summary' | 'all', readonly Entry[]>> = {
  summary: [
    sales,
    cost('refunds', 'Refunds and returns', ['refunds', 'refundsAndReturnsOverheads']),
    promotions,
    { id: 'income', name: 'Other income', lines: ['reimbursements', 'otherIncome'] },
    ...fees,
    advertising,
    costOfGoods,
    other,
    netProfit,
  ],
  all: [
    sales,
    cost('refunds', 'Refunds', ['refunds']),
    promotions,
    { id: 'reimbursements', name: 'Reimbursements', lines: ['reimbursements'] },
    { id: 'income', name: 'Other income', lines: ['otherIncome'] },
    { id: 'revenue', name: 'Revenue', lines: [], isSum: true },
    ...fees,
    cost('returns', 'Cost of returns', ['refundsAndReturnsOverheads']),
    advertising,
    costOfGoods,
    other,
    netProfit,
  ],
};

/** A row with its place in the waterfall. */
type Step = Entry & {
  readonly value: number;
  readonly prior: number | undefined;
  readonly from: number;
  readonly to: number;
};

/** The rows of a statement, each beginning where the one above ends. */
function stepsOf(
  entries: readonly Entry[],
  figures: Figures,
  before: Figures | undefined,
): readonly Step[] {
  let [running, priorRunning] = [0, 0];
  return entries.map((entry) => {
    const effect = effectsOf(figures, entry.lines);
    const priorEffect = before === undefined ? 0 : effectsOf(before, entry.lines);
    const from = entry.isSum ? 0 : running;
    running = exact(running + effect);
    priorRunning = exact(priorRunning + priorEffect);
    const prior = entry.isSum ? priorRunning : priorEffect;
    return {
      ...entry,
      from,
      to: running,
      value: entry.isSum ? running : effect,
      prior: before === undefined ? undefined : prior,
    };
  });
}

type StatementProps = {
  readonly figures: Figures;
  readonly prior: Figures | undefined;
  readonly currency: string;
  readonly hasPrior: boolean;
  readonly request: readonly ApiRequest[];
  readonly isLoading: boolean;
};

/** The panel. */
export function Statement(props: StatementProps) {
  const { figures, prior, currency, hasPrior, request, isLoading } = props;
  const { params, hrefOf } = useAddress();
  const form = params.get('lines') === 'all' ? 'all' : 'summary';
  const steps = stepsOf(forms[form], figures, prior);
  const rows = () => [
    ['Line', currency, 'Of sales in percent', ...(hasPrior ? [`Before in ${currency}`] : [])],
    ...steps.map(({ name, value, prior }) => [
      name,
      rounded(value),
      rounded(shareOf(value, figures.sales)),
      ...(hasPrior ? [rounded(prior)] : []),
    ]),
  ];
  return (
    <Panel
      title="From sales to net profit"
      isLoading={isLoading}
      tools={
        <>
          <Segments
            name="Lines"
            options={[
              { id: 'summary', name: 'Summary' },
              { id: 'all', name: 'All lines' },
            ]}
            chosen={form}
            hrefOf={(id) => hrefOf({ lines: id === 'all' ? id : undefined })}
          />
          <Toolbar name="Profit and loss" request={request} rows={rows} />
        </>
      }
    >
      <StatementTable
        steps={steps}
        figures={figures}
        prior={prior}
        currency={currency}
        hasPrior={hasPrior}
      />
    </Panel>
  );
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Math.round(value * 100) / 100;

type TableProps = Pick<StatementProps, 'figures' | 'prior' | 'currency' | 'hasPrior'> & {
  readonly steps: readonly Step[];
};

function StatementTable({ steps, figures, prior, currency, hasPrior }: TableProps) {
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const scale = (value: number) => (high === low ? 0 : ((value - low) / (high - low)) * 100);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller" tabIndex={0} aria-label="Profit and loss, table">
      <table class="data statement">
        <caption class="visually-hidden">Profit and loss in {currency}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Line</span>
            </th>
            <td class="steps" />
            <th scope="col" class="number">
              {currency}
            </th>
            <th scope="col" class="number">
              Of sales
            </th>
            {hasPrior && (
              <th scope="col" class="number">
                Change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, place) => (
            <tr
              key={step.id}
              class={step.isSum || place === 0 ? 'sum' : undefined}
              data-line={step.id}
            >
              <th scope="row">{step.name}</th>
              <td class="steps">
                <Drawing
                  step={step}
                  isFirst={place === 0}
                  isLast={place === steps.length - 1}
                  scale={scale}
                />
              </td>
              <td class="number">{amount(step.value, currency)}</td>
              <td class="number muted">{percent(shareOf(step.value, figures.sales))}</td>
              {hasPrior && (
                <td class="number">
                  <StepChange step={step} sales={figures.sales} priorSales={prior?.sales} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type DrawingProps = {
  readonly step: Step;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly scale: (value: number) => number;
};

/** The bar of a row; lines join it to the rows above and below. */
function Drawing({ step, isFirst, isLast, scale }: DrawingProps) {
  const { from, to, isSum } = step;
  const [left, right] = [scale(Math.min(from, to)), scale(Math.max(from, to))];
  const tone = isSum || isFirst ? (to < 0 ? 'cost' : 'sum') : to < from ? 'cost' : 'income';
  const start = isSum ? to : from;
  return (
    <svg viewBox="0 0 100 42" preserveAspectRatio="none" aria-hidden="true">
      {!isFirst && <path class="join" d={`M${scale(start)} -1V11`} />}
      {!isLast && <path class="join" d={`M${scale(to)} 31V43`} />}
      <rect class={tone} x={left} y="11" width={Math.max(right - left, 0.3)} height="20" />
    </svg>
  );
}

type StepChangeProps = {
  readonly step: Step;
  readonly sales: number;
  readonly priorSales: number | undefined;
};

/** The change of a sum in percent, and of another line's share of the sales in points. */
function StepChange({ step, sales, priorSales }: StepChangeProps) {
  const { value, prior, isSum, isCost = false } = step;
  if (prior === undefined || priorSales === undefined) return <span class="muted">{none}</span>;
  if (isSum || step.id === 'sales') return <Change value={value} prior={prior} unit="amount" />;
  const sign = isCost ? -1 : 1;
  return (
    <Change
      value={shareOf(sign * value, sales)}
      prior={shareOf(sign * prior, priorSales)}
      unit="percent"
      meaning={isCost ? 'bad' : 'good'}
    />
  );
}
