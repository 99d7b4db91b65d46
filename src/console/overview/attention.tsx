/** Problems of the stores: at most five lines, the most money first, each with a figure and a link. */

import { gapsOf } from '../frame/freshness.tsx';
import { Icon } from '../parts/icons.tsx';
import { Panel, Skeleton } from '../parts/panel.tsx';
import { amount, count, numberOf, percent } from '../view/format.ts';
import type { useProfitOf } from '../view/profits.ts';
import { pathOfStore } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { buyBoxMin, type StoreFigures } from './figures.ts';
import type { ProfitRows } from './series.ts';

const linesMax = 5;
const targetMin = 90;

type Line = {
  readonly id: string;
  readonly isBad: boolean;
  readonly title: string;
  readonly text: string;
  readonly link: string;
  readonly href: string;
  /** The money that it is about, in the currency of the view. */
  readonly money: number;
};

type AttentionProps = {
  readonly view: View;
  /** Undefined until they are known. */
  readonly figures: readonly StoreFigures[] | undefined;
  readonly profit: ReturnType<typeof useProfitOf>;
};

/** The panel. */
export function Attention({ view, figures, profit }: AttentionProps) {
  const isKnown = profit.value !== undefined || !profit.isLoading;
  if (figures === undefined || !isKnown)
    return (
      <Panel title="Needs attention" isLoading>
        <Skeleton lines={5} height={240} />
      </Panel>
    );
  const lines = linesOf(view, figures, profit.value?.rows);
  return (
    <Panel title="Needs attention" count={lines.length === 0 ? undefined : lines.length}>
      {lines.length === 0 ? (
        <p class="body muted">
          Nothing needs attention.
          {profit.problem !== undefined && ' Unit costs could not be checked.'}
        </p>
      ) : (
        <ul class="attention">
          {lines.map((line) => (
            <li key={line.id}>
              <Icon name={line.isBad ? 'alert' : 'warning'} tone={line.isBad ? 'bad' : 'warn'} />
              <strong>{line.title}</strong>
              <a href={line.href} aria-label={`${line.link}: ${line.title}`}>
                {line.link}
              </a>
              <p>{line.text}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function linesOf(
  view: View,
  figures: readonly StoreFigures[],
  profit: ProfitRows | undefined,
): Line[] {
  return [
    ...figures.flatMap((one) => storeLines(view, one)),
    ...gapLines(view, figures),
    ...costLines(view, profit),
  ]
    .sort((one, other) => other.money - one.money)
    .slice(0, linesMax);
}

function storeLines(view: View, figures: StoreFigures): Line[] {
  const { store, row, sales, priorSales, buyBox, target } = figures;
  const { address, currency } = view;
  const name = store.shortName;
  const page = address.viewOf(pathOfStore(store));
  const lines: Line[] = [];
  if (buyBox !== undefined && buyBox < buyBoxMin)
    lines.push({
      id: `buyBox ${store.channelId}`,
      isBad: true,
      title: `${name}: buy box ${percent(buyBox, 0)}`,
      text: `${amount(sales, currency)} of sales, before ${amount(priorSales, currency)}`,
      link: 'Store',
      href: page,
      money: Math.max(0, (priorSales ?? 0) - (sales ?? 0)),
    });
  if (target !== undefined && target > 0 && sales !== undefined) {
    const reached = (sales / target) * 100;
    if (reached < targetMin)
      lines.push({
        id: `target ${store.channelId}`,
        isBad: row.healthStatus === 'critical',
        title: `${name} behind target`,
        text: `${percent(reached, 0)} reached, ${amount(target - sales, currency)} short`,
        link: 'Target',
        href: address.viewOf('/console/targets', { store: store.channelId }),
        money: target - sales,
      });
  }
  const missing = numberOf(row.outOfStockPercentage);
  if (missing !== undefined && missing > 0)
    lines.push({
      id: `stock ${store.channelId}`,
      isBad: row.healthStatus === 'critical',
      title: `${name}: ${percent(missing, 0)} out of stock`,
      text: 'Of the products sold within 90 days',
      link: 'Inventory',
      href: address.viewOf('/console/inventory', { store: store.channelId }),
      money: ((sales ?? 0) * missing) / 100,
    });
  return lines;
}

function gapLines(view: View, figures: readonly StoreFigures[]): Line[] {
  const salesOf = new Map(figures.map(({ store, sales }) => [store.channelId, sales ?? 0]));
  const days = (view.dates.toDate - view.dates.fromDate) / 86_400;
  return gapsOf(view.stores, view.today).map((gap) => ({
    id: `gap ${gap.store.channelId} ${gap.dataset}`,
    isBad: false,
    title: `No ${gap.name.toLowerCase()} data for ${counted(gap.days, 'day')}`,
    text: gap.store.shortName,
    link: 'Import',
    href: '/guides/importing',
    money: ((salesOf.get(gap.store.channelId) ?? 0) / days) * gap.days,
  }));
}

function costLines({ address, currency }: View, profit: ProfitRows | undefined): Line[] {
  const without = (profit ?? []).reduce(
    (total, row) => total + (numberOf(row.salesWithoutUnitCosts) ?? 0),
    0,
  );
  const products = Math.max(
    0,
    ...(profit ?? []).map((row) => numberOf(row.productsWithoutUnitCosts) ?? 0),
  );
  if (products === 0) return [];
  return [
    {
      id: 'costs',
      isBad: false,
      title: `${count(products)} ${products === 1 ? 'product has' : 'products have'} no unit cost`,
      text: `${amount(without, currency)} of sales count as pure profit`,
      link: 'Profit',
      href: address.viewOf('/console/profit'),
      money: without,
    },
  ];
}
