/** The types of CSV reports: what each is about, of which stores, and what can be chosen. */

import type { ReportType } from '../../contract/reports.ts';
import type { Input, Operation } from '../client.ts';
import { secondsOf } from '../view/days.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

/** An option with a few values. */
type Choice = {
  readonly field: 'interval' | 'view' | 'format';
  readonly name: string;
  /** The first is the default. */
  readonly values: readonly { readonly id: string; readonly name: string }[];
};

/** An option that is on or off. */
type Switch = {
  readonly field: 'includeTax' | 'includeNoSales' | 'includeNoInventory' | 'includeCogsRefunds';
  readonly name: string;
  readonly byDefault: boolean;
};

/** A type of report. */
type Kind = {
  readonly name: string;
  readonly about: string;
  /** The stores that have it; all by default. */
  readonly of?: 'seller' | 'vendor' | 'advertised';
  /** Its dates: none, a period, or a period beside the one before. */
  readonly dates: 'none' | 'period' | 'comparison';
  readonly choices?: readonly Choice[];
  readonly switches?: readonly Switch[];
};

const tax = (byDefault: boolean): Switch => ({
  field: 'includeTax',
  name: 'Sales with tax',
  byDefault,
});

const intervals: Choice = {
  field: 'interval',
  name: 'Cohorts',
  values: [
    { id: 'M', name: 'By month' },
    { id: 'd', name: 'By day' },
    { id: 'w', name: 'By week' },
    { id: 'Q', name: 'By quarter' },
    { id: 'y', name: 'By year' },
  ],
};

/** All types of reports, in the order of their names. */
export const kinds: Readonly<Record<ReportType, Kind>> = {
  campaigns: {
    name: 'Campaigns',
    about: 'Campaigns, ad groups, keywords and products by day: a zip archive of five files.',
    of: 'advertised',
    dates: 'period',
  },
  cancellationsAndRefunds: {
    name: 'Cancellations and refunds',
    about: 'What was ordered of each SKU, and how much of it was cancelled or refunded.',
    of: 'seller',
    dates: 'comparison',
    switches: [tax(false)],
  },
  customerLifetimeValue: {
    name: 'Customer lifetime value',
    about: 'Cohorts of customers by their first order.',
    of: 'seller',
    dates: 'period',
    choices: [intervals],
  },
  inventoryReplenishment: {
    name: 'Inventory replenishment',
    about: 'How long the stock of each SKU lasts, how much to send, and when.',
    of: 'seller',
    dates: 'none',
  },
  marketingByProduct: {
    name: 'Marketing by product',
    about: 'Advertising of each product by day.',
    of: 'advertised',
    dates: 'period',
  },
  orderedRevenue: {
    name: 'Ordered revenue',
    about: 'Views and orders of each product of a vendor.',
    of: 'vendor',
    dates: 'comparison',
  },
  channelProfitAndLoss: {
    name: 'Profit and loss',
    about: 'Each line with its share of income and its value per unit.',
    of: 'seller',
    dates: 'period',
    switches: [
      tax(false),
      { field: 'includeCogsRefunds', name: 'Cost less returned units', byDefault: false },
    ],
  },
  repeatPurchase: {
    name: 'Repeat purchases',
    about: 'The customers of each product: how many are new, and how many ordered it again.',
    of: 'seller',
    dates: 'comparison',
    switches: [tax(false)],
  },
  salesByProduct: {
    name: 'Sales by product',
    about: 'Sales, prices and stock of each product.',
    dates: 'period',
    switches: [
      tax(true),
      { field: 'includeNoSales', name: 'Products without sales', byDefault: false },
      { field: 'includeNoInventory', name: 'Products out of stock', byDefault: true },
    ],
  },
  shippedRevenue: {
    name: 'Shipped revenue',
    about: 'Shipments, costs and margins of each product of a vendor.',
    of: 'vendor',
    dates: 'comparison',
    choices: [
      {
        field: 'view',
        name: 'Units',
        values: [
          { id: 'sourcing', name: 'Supplied by you (sourcing)' },
          { id: 'manufacturing', name: 'All of your products (manufacturing)' },
        ],
      },
    ],
  },
  trafficAndConversion: {
    name: 'Traffic and conversion',
    about: 'Sessions, views and sales of each product.',
    of: 'seller',
    dates: 'comparison',
    choices: [
      {
        field: 'view',
        name: 'Rows',
        values: [
          { id: 'parents', name: 'Parent products' },
          { id: 'skus', name: 'SKUs' },
        ],
      },
    ],
  },
};

/** The format of the file, in the address. */
export const formats: Choice = {
  field: 'format',
  name: 'File',
  values: [
    { id: 'csv', name: 'CSV, for spreadsheets' },
    { id: 'parquet', name: 'Parquet, with types' },
  ],
};

/** The types of reports in the order of their names. */
export const types = Object.keys(kinds) as ReportType[];

/** The type that is offered first. */
export const typeDefault: ReportType = 'salesByProduct';

/** Whether a text names a type of report. */
export const isType = (text: string): text is ReportType => Object.hasOwn(kinds, text);

/** Why no store has a report, by the stores that would. */
export const noStore = {
  seller: 'None of your stores is a seller’s.',
  vendor: 'None of your stores is a vendor’s.',
  advertised: 'None of your stores has advertising.',
} as const;

/** Whether a store has a report. */
export function hasReport(store: Store, { of }: Kind): boolean {
  if (of === undefined) return true;
  return of === 'advertised' ? store.hasAdvertisingConnected : store.kind === of;
}

/** The value of a choice in the address; its default where it names none. */
export function chosenOf(params: URLSearchParams, { field, values }: Choice): string {
  const named = values.find(({ id }) => id === params.get(field));
  return (named ?? values[0]!).id;
}

/** Whether a switch is on in the address. */
export function isOn(params: URLSearchParams, { field, byDefault }: Switch): boolean {
  const named = params.get(field);
  return named === 'true' || named === 'false' ? named === 'true' : byDefault;
}

/** The operation that creates reports of a type. */
export const operationOf = (type: ReportType) =>
  `create${type[0]!.toUpperCase()}${type.slice(1)}Report` as Operation & `create${string}Report`;

/** The input of a report: its store, the period in a time zone, and the options of the address. */
export function inputOf(type: ReportType, store: Store, zone: string, view: View) {
  const { dates, choices = [], switches = [] } = kinds[type];
  const { params } = view.address;
  const { channelId, merchantId } = store;
  const { fromDate, toDate } = secondsOf(view.range.first, view.range.last, zone);
  const prior = secondsOf(view.prior.first, view.prior.last, zone);
  const isCompared = dates === 'comparison' && view.comparison !== 'none';
  const reportOptions = {
    fromDate,
    toDate,
    ...(isCompared && { priorFromDate: prior.fromDate, priorToDate: prior.toDate }),
    timezone: zone,
    ...Object.fromEntries(choices.map((choice) => [choice.field, chosenOf(params, choice)])),
    ...Object.fromEntries(switches.map((one) => [one.field, isOn(params, one)])),
  };
  const format = chosenOf(params, formats);
  const input = {
    channelId,
    merchantId,
    ...(dates !== 'none' && { reportOptions }),
    ...(format !== formats.values[0]!.id && { format }),
  };
  return input as Input<'createSalesByProductReport'>;
}
