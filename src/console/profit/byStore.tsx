/** The margin of each store, the lowest first. */

import { countryAlpha2 } from '../../contract/countries.ts';
import { Change } from '../parts/change.tsx';
import { Share } from '../parts/marks.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { amount, percent } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { marginOf, netProfitOf, type StoreProfit } from './figures.ts';
import type { useStoreProfits } from './questions.ts';

/** The margin, in percent, of a full bar. */
const marginMax = 50;

type ByStoreProps = {
  readonly view: View;
  readonly query: ReturnType<typeof useStoreProfits>;
  /** The number of stores of the view, including those that were not read. */
  readonly count: number;
};

/** The panel. */
export function ByStore({ view, query, count }: ByStoreProps) {
  const { comparison, address } = view;
  const currency = query.value?.currency ?? view.currency;
  const rows = [...(query.value?.stores ?? [])].sort(
    (one, other) => (margin(one) ?? Infinity) - (margin(other) ?? Infinity),
  );
  const sheet = () => [
    ['Store', `Net profit in ${currency}`, 'Margin in percent', 'Margin before in percent'],
    ...rows.map((row) => [
      row.store.displayName,
      row.figures && Math.round(netProfitOf(row.figures) * 100) / 100,
      margin(row),
      priorMargin(row),
    ]),
  ];
  const columns: readonly Column<StoreProfit>[] = [
    {
      id: 'store',
      name: 'Store',
      cell: ({ store }) => (
        <a class="name" href={address.hrefOf({ store: store.channelId, page: undefined })}>
          <span class="country">{countryAlpha2(store.countryCode)}</span>
          <span>{store.shortName}</span>
        </a>
      ),
    },
    {
      id: 'margin',
      name: 'Margin',
      isNumber: true,
      cell: (row) => (
        <span title={row.problem ?? netWords(row, currency)}>
          {percent(margin(row))}
          <Share part={(margin(row) ?? 0) / marginMax} />
        </span>
      ),
    },
    {
      id: 'change',
      name: 'Change',
      isNumber: true,
      isShown: comparison !== 'none',
      cell: (row) => <Change value={margin(row)} prior={priorMargin(row)} unit="percent" />,
    },
  ];
  return (
    <Panel
      title="Margin by store"
      className="margins"
      isLoading={query.isLoading}
      tools={<Toolbar name="Margin by store" rows={sheet} request={query.request} />}
    >
      <Body query={query} name="the margins of the stores" lines={rows.length || 4} height={160}>
        {() => (
          <>
            <DataTable
              name="Margin by store"
              rows={rows}
              keyOf={({ store }) => store.channelId}
              columns={columns}
            />
            <Rest shown={rows.length} count={count} />
          </>
        )}
      </Body>
    </Panel>
  );
}

function Rest({ shown, count }: { readonly shown: number; readonly count: number }) {
  if (shown === 0 || shown >= count) return null;
  return (
    <footer>
      <span>
        The first {shown} of {count} stores. Choose others above.
      </span>
    </footer>
  );
}

const margin = ({ figures }: StoreProfit) => figures && marginOf(figures);
const priorMargin = ({ prior }: StoreProfit) => prior && marginOf(prior);

const netWords = ({ figures }: StoreProfit, currency: string) =>
  figures && `Net profit ${amount(netProfitOf(figures), currency)}`;
