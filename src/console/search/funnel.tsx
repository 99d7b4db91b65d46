/** The steps of a product's searches, with its share of all products at each. */
import type { ApiRequest } from '../client.ts';
import { Change } from '../parts/change.tsx';
import { Share } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { count, none, percent } from '../view/format.ts';
import { lostOf, type Product, type Step, stepsOf, weakestOf } from './figures.ts';

type FunnelProps = {
  readonly product: Product;
  readonly hasPrior: boolean;
  readonly request: ApiRequest | undefined;
};

/** Ways to improve a step. */
const advice: Readonly<Record<Step['id'], string>> = {
  impressions: 'Bid on these searches.',
  clicks: 'Look at the picture, the title, the price and the rating.',
  cartAdds: 'Look at the product page, its reviews and its price.',
  purchases: 'Look at delivery, stock and the price of others.',
};

/** The panel. */
export function Funnel({ product, hasPrior, request }: FunnelProps) {
  const steps = stepsOf(product.current);
  const prior = stepsOf(product.prior);
  const weakest = weakestOf(steps);
  const most = Math.max(...steps.map(({ share }) => share ?? 0));
  return (
    <Panel
      title={product.title || product.asin}
      tools={
        <Toolbar name={`Searches of ${product.asin}`} request={request} rows={() => csvOf(steps)} />
      }
    >
      <DataTable
        name={`Steps of the searches of ${product.title || product.asin}`}
        rows={steps}
        keyOf={({ id }) => id}
        columns={columnsOf(weakest, most, hasPrior ? prior : undefined)}
      />
      <footer>
        <span>
          {count(product.current.searchQueryVolume)} searches. {count(lostOf(product.current))}{' '}
          purchases went to other products.{' '}
          {weakest
            ? `Furthest behind all products: ${weakest.name.toLowerCase()}. ${advice[weakest.id]}`
            : 'It is ahead of all products at every step: more impressions bring more.'}
        </span>
      </footer>
    </Panel>
  );
}

function columnsOf(
  weakest: Step | undefined,
  most: number,
  prior: readonly Step[] | undefined,
): Column<Step>[] {
  const change: Column<Step>[] =
    prior === undefined
      ? []
      : [
          {
            id: 'change',
            name: 'Change',
            isNumber: true,
            cell: ({ id, own }) => (
              <Change value={own} prior={prior.find((step) => step.id === id)?.own} unit="count" />
            ),
          },
        ];
  return [
    { id: 'step', name: 'Step', cell: ({ name }) => name },
    {
      id: 'share',
      name: 'Share of all products',
      isNumber: true,
      cell: ({ share }) => (
        <>
          {percent(share, 2)}
          <Share part={most > 0 ? (share ?? 0) / most : 0} />
        </>
      ),
    },
    { id: 'own', name: 'Own', isNumber: true, cell: ({ own }) => count(own) },
    ...change,
    { id: 'market', name: 'All products', isNumber: true, cell: ({ market }) => count(market) },
    {
      id: 'rate',
      name: 'Own rate',
      isNumber: true,
      cell: ({ id, rate }) => (
        <span class={id === weakest?.id ? 'low' : undefined}>
          {rate === undefined ? none : percent(rate)}
          {id === weakest?.id && <span class="visually-hidden"> furthest behind</span>}
        </span>
      ),
    },
    {
      id: 'marketRate',
      name: 'Rate of all',
      isNumber: true,
      cell: ({ marketRate }) => percent(marketRate),
    },
  ];
}

const csvOf = (steps: readonly Step[]) => [
  ['Step', 'Share', 'Own', 'All products', 'Own rate', 'Rate of all'],
  ...steps.map(({ name, share, own, market, rate, marketRate }) => [
    name,
    share,
    own,
    market,
    rate,
    marketRate,
  ]),
];
