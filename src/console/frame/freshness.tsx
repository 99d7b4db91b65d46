/** How far the data of the stores reaches. */
import type { ChannelDataset } from '../../contract/importable.ts';
import { Icon } from '../parts/icons.tsx';
import { StoreName } from '../parts/marks.tsx';
import { Popover } from '../parts/popover.tsx';
import { DataTable } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { addDays, type Day, daysFrom } from '../view/days.ts';
import { inDay, inShortDay, none } from '../view/format.ts';
import { pathOfStore, type Store } from '../view/stores.tsx';

/** Datasets that should reach yesterday, as readers call them. */
const dailyDatasets = [
  ['orderLines', 'Orders'],
  ['traffic', 'Traffic'],
  ['campaignDays', 'Advertising'],
  ['vendorSales', 'Vendor sales'],
] as const satisfies readonly (readonly [ChannelDataset, string])[];

/** A dataset of a store that ends before yesterday. */
export type Gap = {
  readonly store: Store;
  readonly dataset: string;
  readonly name: string;
  readonly last: Day;
  /** Days that are missing. */
  readonly days: number;
};

/** The datasets that end before yesterday, the longest gap first. */
export function gapsOf(stores: readonly Store[], today: Day): Gap[] {
  const yesterday = addDays(today, -1);
  return stores
    .flatMap((store) =>
      dailyDatasets.flatMap(([dataset, name]) => {
        const last = store.freshness?.[dataset];
        if (last === undefined || last >= yesterday) return [];
        return [{ store, dataset, name, last, days: daysFrom(last, yesterday) - 1 }];
      }),
    )
    .sort((one, other) => other.days - one.days);
}

type BadgeProps = { readonly stores: readonly Store[]; readonly today: Day };

/** The day to which all data reaches, and how many gaps there are; opens the table of both. */
export function FreshnessBadge({ stores, today }: BadgeProps) {
  const { viewOf } = useAddress();
  const days = stores.flatMap(({ freshness }) =>
    dailyDatasets.flatMap(([dataset]) => freshness?.[dataset] ?? []),
  );
  if (days.length === 0) return null;
  const gaps = gapsOf(stores, today);
  const last = days.sort().at(-1)!;
  const words = `Data to ${inShortDay(last)}`;
  const shown = dailyDatasets.filter(([dataset]) =>
    stores.some(({ freshness }) => freshness?.[dataset] !== undefined),
  );
  return (
    <span class="fresh">
      <Popover
        title="Freshness of the data"
        className={gaps.length > 0 ? 'badge-button warn' : 'badge-button'}
        label={
          <>
            <Icon name={gaps.length > 0 ? 'warning' : 'clock'} />
            {gaps.length === 0
              ? words
              : `${words}, ${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}`}
          </>
        }
      >
        {() => (
          <DataTable
            name="Last day of data"
            rows={stores}
            keyOf={({ channelId }) => channelId}
            columns={[
              {
                id: 'store',
                name: 'Store',
                cell: (store) => <StoreName store={store} href={viewOf(pathOfStore(store))} />,
              },
              ...shown.map(([dataset, name]) => ({
                id: dataset,
                name,
                isNumber: true,
                cell: ({ freshness }: Store) => {
                  const day = freshness?.[dataset];
                  if (day === undefined) return <span class="muted">{none}</span>;
                  const isLate = day < addDays(today, -1);
                  return <span class={isLate ? 'low' : undefined}>{inDay(day)}</span>;
                },
              })),
            ]}
          />
        )}
      </Popover>
    </span>
  );
}
