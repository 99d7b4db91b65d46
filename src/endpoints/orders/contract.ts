import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { exampleChannel, exampleMonth } from '../../contract/examples.ts';
import { channelFields, EpochSeconds, OneOf, pageSizeMax, Text } from '../../contract/shapes.ts';

/** The default number of orders of a page. */
const ordersDefault = 50;
/** The longest key: it holds an order number and little else. */
const keyLengthMax = 4_000;

/** The form of a sealed key. */
const keyPattern = '^v1\\.[A-Za-z0-9_-]{38,}$';

/** The refusal of a key that does not belong to the query. */
export const keyWords = 'must be the key that the previous page returned for the same query';

const text = (description: string) =>
  Type.String({ description: `${description}; "" where it is not known.` });
const instant = (description: string) =>
  text(`${description}, ISO 8601 in UTC such as 2024-01-15T09:30:00Z`);
const flag = (description: string) =>
  Type.Boolean({ description: `${description}; false where it is not known.` });
const count = (description: string) =>
  Type.Integer({ description: `${description}; 0 where it is not known.` });
const address = (description: string) =>
  Type.Object(
    {
      StateOrRegion: text('State or region'),
      PostalCode: text('Postal code'),
      City: text('City'),
      CountryCode: text('Country'),
    },
    { description },
  );

const Order = Type.Object(
  {
    SellerId: text('The seller'),
    MarketplaceId: text('The marketplace that the order was placed on'),
    PlatformOrderId: Type.String({ description: "The marketplace's number of the order." }),
    BuyerInfo: Type.Object({
      BuyerEmail: text("The buyer's e-mail address, which is personal data"),
    }),
    FulfillmentChannel: text('Who ships it: AFN the marketplace, MFN the seller'),
    SalesChannel: text('Where it was sold'),
    OrderStatus: Type.String({
      description:
        'Pending, PendingAvailability, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed, Canceled or Unfulfillable.',
    }),
    OrderType: text('Type of the order'),
    ShipServiceLevel: text('Service level of the shipment'),
    ShipmentServiceLevelCategory: text('Category of that service level'),
    PaymentMethod: text('How it was paid'),
    PaymentMethodDetails: text('More about how it was paid'),
    EarliestDeliveryDate: instant('Start of the time in which it is to be delivered'),
    EarliestShipDate: instant('Start of the time in which it is to be shipped'),
    LatestShipDate: instant('End of the time in which it is to be shipped'),
    LatestDeliveryDate: instant('End of the time in which it is to be delivered'),
    PurchaseDate: Type.String({
      description: 'When it was placed, ISO 8601 in UTC such as 2024-01-15T09:30:00Z.',
    }),
    LastUpdateDate: instant('When it was updated last'),
    AutomatedShippingSettings: Type.Object({
      HasAutomatedShippingSettings: Type.String({
        description: 'The text true or false; false where it is not known.',
      }),
      AutomatedShipMethodName: text('Shipping method'),
      AutomatedCarrierName: text('Carrier'),
    }),
    NumberOfItemsShipped: count('Units that are shipped'),
    NumberOfItemsUnshipped: count('Units that are not shipped'),
    IsPremiumOrder: flag('Whether it has premium shipping'),
    IsPrime: flag("Whether it is of the marketplace's members' programme"),
    HasRegulatedItems: flag('Whether it has items that need an approval'),
    IsReplacementOrder: flag('Whether it replaces another order'),
    IsSoldByAB: flag('Whether the marketplace sold it on for the seller'),
    IsISPU: flag('Whether it is picked up in a store'),
    IsAccessPointOrder: flag('Whether it is delivered to an access point'),
    IsBusinessOrder: flag('Whether the buyer is a business'),
    IsGlobalExpressEnabled: flag('Whether it is shipped by global express'),
    DefaultShipFromLocationAddress: address('Where it is shipped from.'),
    ShippingAddress: address('Where it is shipped to.'),
    OrderTotal: Type.Object({
      Amount: Type.Number({ description: 'What the buyer pays; 0 where it is not known.' }),
      CurrencyCode: text('Its currency, ISO 4217'),
    }),
  },
  { component: 'Order' },
);

/** An order as the answer shows it. */
export type Order = Type.Static<typeof Order>;

/** POST /orders/primarymkt */
export const listOrders = contract({
  operation: 'listOrders',
  access: 'key',
  method: 'POST',
  path: '/orders/primarymkt',
  needs: 'orders:read',
  summary: 'List orders',
  description:
    'The orders of a channel of the primary marketplace in a date range, sorted by dateField and ' +
    'then by order number, both ascending; a vendor channel has none. Without dates the range is the 30 days before the ' +
    'request; fromDate alone reaches to the request, and toDate alone 30 days back. orderId finds ' +
    'its order whatever its date, unless a date is given too.\n\n' +
    'meta.key leads to the next page and is absent on the last one. It is valid for the same query ' +
    'only; pageSize may change. Orders may arrive and change while the pages are read: no order is ' +
    'shown twice, and no order that existed at the first page is missed. With updatedAt an order ' +
    'keeps its place from the first page and is shown in its current state; newer orders are left ' +
    'to the next query. With createdAt new orders are shown if their date is still ahead. With ' +
    'updatedAt an order without a known update is sorted as if updated at the epoch.\n\n' +
    'Every field is always present. Requires the enterprise plan.',
  channel: true,
  personal: true,
  body: Type.Object({
    ...channelFields,
    fromDate: Type.Optional(EpochSeconds('Start of the range, 30 days before its end by default.')),
    toDate: Type.Optional(
      EpochSeconds('End of the range, inclusive, the time of the request by default.'),
    ),
    dateField: OneOf(['createdAt', 'updatedAt'], {
      default: 'createdAt',
      description:
        'The date that the range is of and that orders are sorted by: createdAt is PurchaseDate, updatedAt is LastUpdateDate.',
    }),
    orderId: Type.Optional(
      Text({ maxLength: 200, description: 'Number of the one order that is wanted.' }),
    ),
    key: Type.Optional(
      Text({
        maxLength: keyLengthMax,
        description: 'meta.key of the page before.',
        pattern: keyPattern,
        words: { maxLength: keyWords, minLength: keyWords, pattern: keyWords },
      }),
    ),
    pageSize: Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      default: ordersDefault,
      description: 'Orders of a page.',
    }),
  }),
  rules: [
    {
      at: 'toDate',
      reads: ['fromDate'],
      check: ({ fromDate, toDate }) =>
        toDate < fromDate ? 'toDate must not be before fromDate' : undefined,
    },
  ],
  example: { ...exampleChannel, ...exampleMonth, pageSize: 1 },
  answer: Type.Object({
    meta: Type.Object({
      key: Type.Optional(
        Type.String({ description: 'Asks for the next page; absent on the last one.' }),
      ),
    }),
    data: Type.Array(Order),
  }),
});
