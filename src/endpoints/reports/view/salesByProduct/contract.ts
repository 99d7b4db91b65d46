import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../../contract/examples.ts';
import {
  channelFields,
  IncludeTax,
  OneOf,
  pageFields,
  periodFields,
  periodRules,
  Timezone,
} from '../../../../contract/shapes.ts';
import { soldProductColumns } from '../../../../contract/soldProducts.ts';

const amount = (description: string) => Type.Number({ description });
const percent = (description: string) =>
  Type.Number({ description: `${description}, in percent; 0 without a denominator.` });
const instant = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const SoldProduct = Type.Object(
  {
    productId: Type.String({
      description:
        'Identifies the row: the SKU or, where no SKU is known, the product id of the platform; ' +
        '"" for facts that name neither.',
    }),
    title: Type.String({ description: 'The title, "" when it is not known.' }),
    sku: Type.String({ description: 'The SKU, "" when it is not known.' }),
    productSku: Type.String({
      description: 'The product id of the platform (ASIN), "" when it is not known.',
    }),
    linkUrl: Type.String({ description: 'Address of the product page, "" when not known.' }),
    imageUrl: Type.String({ description: 'Address of an image, "" when not known.' }),
    price: Type.Union([Type.Number(), Type.Null()], {
      description: 'The present price of the offer, null when it is not known.',
    }),
    totalSales: amount('Ordered product sales, with tax by includeTax.'),
    unitsSold: Type.Integer({ description: 'Units ordered.' }),
    avPrice: amount('totalSales / unitsSold, 0 without units.'),
    lastSold: instant(
      'When the product was last sold up to the end of the period, in epoch seconds; null for ' +
        'never. Of sales that are known by date alone, the start of the date.',
    ),
    noQuantitySinceTime: instant(
      'Start of the first date since which no snapshot of the inventory had units available, up ' +
        'to the end of the period, in epoch seconds; null where there were some, or none is known.',
    ),
    acos: percent('Cost of ads / sales attributed to ads'),
    tacos: percent('Cost of ads / totalSales'),
    directFulfillmentSales: Type.Optional(
      amount(
        'Vendor channels only: sales that the vendor shipped itself. No document has them: 0.',
      ),
    ),
    directFulfillmentUnits: Type.Optional(
      Type.Integer({
        description: 'Vendor channels only: units of these sales. No document has them: 0.',
      }),
    ),
  },
  { component: 'SoldProduct' },
);

/** A product in one of the two periods. */
export type SoldProduct = Type.Static<typeof SoldProduct>;

const UnlistedSales = Type.Object(
  {
    totalSales: amount('Sales of the store beyond those of its products.'),
    unitsSold: Type.Integer({ description: 'Units of the store beyond those of its products.' }),
  },
  { component: 'UnlistedSales' },
);

/** POST /reports/view/salesByProduct */
export const viewSalesByProduct = contract({
  operation: 'viewSalesByProduct',
  access: 'key',
  method: 'POST',
  path: '/reports/view/salesByProduct',
  needs: 'reports:read',
  warns: true,
  summary: 'View sales by product',
  description:
    'Sales, units and advertising of each product of a channel, with a comparison period. A row ' +
    'is a SKU; facts that name a product id alone belong to the SKU of the catalogue with this ' +
    'id, or stand in a row of their own where several or none have it.\n\n' +
    "Sales count as in POST /reports/view/salesByPeriod: from the first local date of the channel's " +
    "order lines on they come from order lines, on dates before from the marketplace's own " +
    'figures. The sales of all rows and those of `unlisted` add up to the sales of the store: ' +
    '`unlisted` is what the marketplace reports of the whole store beyond its products. Sales of ' +
    "vendor channels are the marketplace's ordered revenue. Advertising figures are those of " +
    'advertised products.\n\n' +
    'Without includeNoSales, rows are the products that were sold in either period. Rows are ' +
    'sorted by figures of the current period, equal ones by productId; "" and null come last. ' +
    "Amounts are in the channel's currency, each fact converted at the rate of its own date. A " +
    'period without figures of a product has zeros.',
  body: Type.Object({
    ...channelFields,
    ...periodFields,
    timezone: Timezone(),
    includeTax: IncludeTax(true),
    includeNoSales: Type.Boolean({
      default: false,
      description:
        'true adds the products of the catalogue and of the inventory, and those with ads, that ' +
        'were not sold in either period.',
    }),
    includeNoInventory: Type.Boolean({
      default: true,
      description:
        'false removes products of which no unit was available at the end of the period, ' +
        'where the inventory is known.',
    }),
    searchText: Type.Optional(
      Type.String({
        maxLength: 200,
        trimmed: true,
        description: 'Part of the title, the SKU or the productSku, in any letter case.',
      }),
    ),
    sortKey: OneOf([...soldProductColumns], {
      default: 'totalSales',
      description: 'Column that the rows are sorted by.',
    }),
    sortOrder: OneOf(['asc', 'desc'], {
      default: 'desc',
      description: 'Whether the rows rise or fall.',
    }),
    ...pageFields,
  }),
  rules: periodRules(''),
  channel: true,
  cacheable: true,
  example: {
    ...exampleChannel,
    ...exampleMonth,
    ...examplePriorMonth,
    ...exampleZone,
    pageSize: 1,
  },
  answer: Type.Object({
    rows: Type.Array(
      Type.Object({ current: SoldProduct, prior: SoldProduct }, { component: 'SalesByProductRow' }),
    ),
    count: Type.Integer({ description: 'Rows on all pages together.' }),
    currency: Type.String({ description: "The channel's currency, ISO 4217." }),
    unlisted: Type.Object(
      { current: UnlistedSales, prior: UnlistedSales },
      { description: 'Sales of the store that belong to no row.' },
    ),
  }),
});
