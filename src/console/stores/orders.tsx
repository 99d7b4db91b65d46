/** The orders of a store, day by day, or the order with a number. */

import { type Answer, ask, type Input } from '../client.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { Body, Empty, Panel, Skeleton } from '../parts/panel.tsx';
import { type Column, DataTable, TableSearch, useColumns } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useQuery } from '../queries.ts';
import { Operator } from '../settings/operator.tsx';
import { addDays, type Day, isDay, secondsOf } from '../view/days.ts';
import { count, inMoment, inWeekday, none, price } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

type OrdersProps = { readonly view: View; readonly store: Store };
type Order = Answer<'listOrders'>['data'][number];

/** The orders of a store, where its kind and the plan have them. */
export function Orders({ view, store }: OrdersProps) {
  const access = useQuery('readAccess', {});
  if (store.kind === 'vendor' || store.marketplace !== 'primarymkt')
    return (
      <div class="panel">
        <Empty icon="store" title="No orders of this store">
          <p>
            {store.kind === 'vendor'
              ? 'The marketplace itself sells what a vendor supplies, so a vendor has no orders of customers.'
              : 'Single orders can be read of sellers of the primary marketplace only. The sales of this store count its orders.'}
          </p>
        </Empty>
      </div>
    );
  // Where the plan cannot be read, the request for orders shows it.
  if (access.isLoading && access.value === undefined)
    return (
      <div class="panel">
        <Skeleton lines={6} height={400} />
      </div>
    );
  if (access.value?.orders === false) return <NotInPlan access={access.value} />;
  return <OrderList view={view} store={store} />;
}

function NotInPlan({ access }: { readonly access: Answer<'readAccess'> }) {
  return (
    <div class="panel">
      <Empty icon="key" title="Orders are part of the Enterprise plan">
        <p>
          {access.organisation} has the Standard plan. To change it, ask{' '}
          <Operator contact={access.contact} />.
        </p>
      </Empty>
    </div>
  );
}

function OrderList({ view, store }: OrdersProps) {
  const { params } = view.address;
  const orderId = params.get('q')?.trim();
  const day = dayOf(params, view);
  const after = keyOf(params, day);
  const own = { channelId: store.channelId, merchantId: store.merchantId };
  const input = orderId ? { ...own, orderId } : { ...own, ...secondsOf(day, day, view.zone) };
  const query = useQuery('listOrders', {
    ...input,
    ...(!orderId && after !== undefined && { key: after }),
  } as Input<'listOrders'>);
  const columns = columnsOf(view.zone);
  const { shown, menu } = useColumns(columns);
  return (
    <Panel
      title={orderId ? 'Order' : 'Orders'}
      isLoading={query.isLoading}
      tools={
        <>
          {!orderId && <DayStepper view={view} day={day} />}
          <TableSearch name="Order number" />
          {menu}
          <Toolbar
            name={`Orders of ${day}`}
            request={query.request}
            rows={async () => rowsOf(await allOrders(input as Input<'listOrders'>))}
          />
        </>
      }
    >
      <Body query={query} name="the orders" lines={10} height={440}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <NoOrders orderId={orderId} day={day} />
          ) : (
            <>
              <DataTable
                name={orderId ? `Order ${orderId}` : `Orders of ${inWeekday(day)}`}
                columns={columns}
                shown={shown}
                rows={data}
                keyOf={({ PlatformOrderId }) => PlatformOrderId}
              />
              {!orderId && (
                <Steps
                  view={view}
                  shown={data.length}
                  isFirst={after === undefined}
                  next={meta.key && `${day}:${meta.key}`}
                />
              )}
            </>
          )
        }
      </Body>
    </Panel>
  );
}

function NoOrders({ orderId, day }: { readonly orderId: string | undefined; readonly day: Day }) {
  return orderId ? (
    <Empty icon="search" title="No such order">
      <p>This store has no order with the number {orderId}. It must be complete.</p>
    </Empty>
  ) : (
    <Empty title={`No orders on ${inWeekday(day)}`}>
      <p>
        Choose another day, or see how <a href="/guides/importing">order reports are imported</a>.
      </p>
    </Empty>
  );
}

/** The day of the address, within the period; its last day by default. */
function dayOf(params: URLSearchParams, { range }: View): Day {
  const day = params.get('day');
  return day !== null && isDay(day) && day >= range.first && day <= range.last ? day : range.last;
}

/** The key of a later page in the address, where it is one of this day. */
function keyOf(params: URLSearchParams, day: Day): string | undefined {
  const after = params.get('after');
  return after?.startsWith(`${day}:`) ? after.slice(day.length + 1) : undefined;
}

function DayStepper({ view, day }: { readonly view: View; readonly day: Day }) {
  const { first, last } = view.range;
  const hrefOf = (to: Day) =>
    view.address.hrefOf({ day: to === last ? undefined : to, after: undefined });
  return (
    <nav class="stepper" aria-label="Day">
      <Step
        icon="back"
        name="Day before"
        href={day > first ? hrefOf(addDays(day, -1)) : undefined}
      />
      <span>{inWeekday(day)}</span>
      <Step
        icon="forward"
        name="Day after"
        href={day < last ? hrefOf(addDays(day, 1)) : undefined}
      />
    </nav>
  );
}

type StepProps = {
  readonly icon: IconName;
  readonly name: string;
  readonly href: string | undefined;
};

function Step({ icon, name, href }: StepProps) {
  if (href === undefined)
    return (
      <span class="icon-button off" aria-hidden="true">
        <Icon name={icon} />
      </span>
    );
  return (
    <a class="icon-button" href={href} aria-label={name} title={name}>
      <Icon name={icon} />
    </a>
  );
}

type StepsProps = {
  readonly view: View;
  readonly shown: number;
  readonly isFirst: boolean;
  readonly next: string | undefined;
};

/** The way through the orders of a day: they can be read forwards only. */
function Steps({ view, shown, isFirst, next }: StepsProps) {
  const { hrefOf } = view.address;
  return (
    <footer>
      <span>
        {isFirst && next === undefined
          ? `All ${count(shown)} of the day`
          : `${count(shown)} orders, by the time they were placed`}
      </span>
      <nav class="pages" aria-label="Pages">
        {!isFirst && <a href={hrefOf({ after: undefined })}>First page</a>}
        {next !== undefined && <a href={hrefOf({ after: next })}>Next page</a>}
      </nav>
    </footer>
  );
}

const statuses: Readonly<Record<string, { icon: IconName; tone: string; name: string }>> = {
  Shipped: { icon: 'check', tone: 'good', name: 'Shipped' },
  PartiallyShipped: { icon: 'clock', tone: 'warn', name: 'Partly shipped' },
  Unshipped: { icon: 'clock', tone: 'warn', name: 'Unshipped' },
  Pending: { icon: 'clock', tone: '', name: 'Pending' },
  PendingAvailability: { icon: 'clock', tone: '', name: 'Preordered' },
  InvoiceUnconfirmed: { icon: 'warning', tone: 'warn', name: 'Invoice to confirm' },
  Canceled: { icon: 'close', tone: '', name: 'Cancelled' },
  Unfulfillable: { icon: 'alert', tone: 'bad', name: 'Unfulfillable' },
};

function Status({ order }: { readonly order: Order }) {
  const status = statuses[order.OrderStatus];
  if (status === undefined) return <>{order.OrderStatus}</>;
  return (
    <span class={`badge ${status.tone}`}>
      <Icon name={status.icon} />
      {status.name}
    </span>
  );
}

const shippers: Readonly<Record<string, string>> = { AFN: 'Marketplace', MFN: 'Seller' };

function columnsOf(zone: string): readonly Column<Order>[] {
  const moment = (instant: string) => (instant === '' ? none : inMoment(instant, zone));
  return [
    { id: 'order', name: 'Order', cell: ({ PlatformOrderId }) => PlatformOrderId },
    { id: 'placed', name: 'Placed', cell: ({ PurchaseDate }) => moment(PurchaseDate) },
    { id: 'status', name: 'Status', cell: (order) => <Status order={order} /> },
    { id: 'items', name: 'Items', isNumber: true, cell: (order) => count(itemsOf(order)) },
    {
      id: 'shipped',
      name: 'Shipped',
      isNumber: true,
      cell: ({ NumberOfItemsShipped }) => count(NumberOfItemsShipped),
    },
    {
      id: 'by',
      name: 'Shipped by',
      cell: ({ FulfillmentChannel }) => shippers[FulfillmentChannel] ?? none,
    },
    {
      id: 'until',
      name: 'Ship by',
      cell: (order) => (isOpen(order) ? moment(order.LatestShipDate) : none),
    },
    { id: 'to', name: 'Ship to', cell: (order) => placeOf(order) || none },
    {
      id: 'total',
      name: 'Total',
      isNumber: true,
      cell: ({ OrderTotal: { Amount, CurrencyCode } }) =>
        CurrencyCode === '' ? none : price(Amount, CurrencyCode),
    },
    {
      id: 'updated',
      name: 'Updated',
      isShown: false,
      cell: ({ LastUpdateDate }) => moment(LastUpdateDate),
    },
    {
      id: 'buyer',
      name: 'Buyer',
      isShown: false,
      cell: ({ BuyerInfo: { BuyerEmail } }) => BuyerEmail || none,
    },
  ];
}

const itemsOf = ({ NumberOfItemsShipped, NumberOfItemsUnshipped }: Order) =>
  NumberOfItemsShipped + NumberOfItemsUnshipped;

const isOpen = ({ OrderStatus }: Order) =>
  OrderStatus === 'Unshipped' || OrderStatus === 'PartiallyShipped';

const placeOf = ({ ShippingAddress: { City, StateOrRegion, CountryCode } }: Order) =>
  [City, StateOrRegion, CountryCode].filter((part) => part !== '').join(', ');

/** All orders of a question, from its first page on. */
async function allOrders(input: Input<'listOrders'>): Promise<readonly Order[]> {
  const orders: Order[] = [];
  let key: string | undefined;
  do {
    const page = { ...input, ...(key && { key }) } as Input<'listOrders'>;
    const { data, meta } = await ask('listOrders', page);
    orders.push(...data);
    key = meta.key ?? undefined;
  } while (key);
  return orders;
}

/** The orders as CSV, without what identifies buyers. */
function rowsOf(orders: readonly Order[]) {
  return [
    ['Order', 'Placed', 'Status', 'Items', 'Shipped', 'Shipped by', 'Total', 'Currency'],
    ...orders.map((order) => [
      order.PlatformOrderId,
      order.PurchaseDate,
      order.OrderStatus,
      itemsOf(order),
      order.NumberOfItemsShipped,
      order.FulfillmentChannel,
      order.OrderTotal.Amount,
      order.OrderTotal.CurrencyCode,
    ]),
  ];
}
