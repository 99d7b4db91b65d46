/** The channels of the demonstration, and how each one's business runs. */

/** The fees and costs of a store besides goods and ads. Amounts are in minor units of the currency. */
export type Terms = {
  /** Whether the marketplace remits sales tax itself, so that the seller never receives it. */
  readonly remitsTax: boolean;
  /** Commission by product group, as a share of what the buyer pays. */
  readonly commission: Readonly<Record<string, number>>;
  /** A fixed fee for each order line, on top of the commission. */
  readonly feePerLine: number;
  /** Digital services tax, as a share of the commission. */
  readonly digitalServices: number;
  readonly subscription: number;
  /** Whether the marketplace stores and ships goods, handles returns and reimburses losses. */
  readonly fulfils: boolean;
  /** Shipping cost in local currency per dollar of the average cost. */
  readonly shippingLevel: number;
  /** Return rate, relative to other countries. */
  readonly returnLevel: number;
  /** Whether the costs of campaigns are posted as charges. */
  readonly postsAdCharges: boolean;
};

/** Sales tax: added to the displayed price by the buyer's state, or included in it at a rate. */
export type Tax = 'byState' | { readonly included: number };

/** A channel and the parameters of its simulated business. */
export type Plan = {
  readonly channelId: string;
  readonly merchantId: string;
  readonly marketplace: string;
  readonly kind: 'seller' | 'vendor';
  readonly countryCode: string;
  readonly displayName: string;
  readonly currency: string;
  readonly timezone: string;
  /** Decimal digits of the currency. */
  readonly decimals: number;
  readonly tax: Tax;
  /** Local price of a dollar's worth of goods. */
  readonly perDollar: number;
  readonly hasTraffic: boolean;
  /** Share of an advertised product's orders that come from ads; 0 without advertising. */
  readonly adShare: number;
  /** Target ACOS of its campaigns. */
  readonly acos: number;
  /** Whether each product group has an automatic and a manual Sponsored Products campaign. */
  readonly pairsCampaigns: boolean;
  /** Orders on an average day at the end of the data. */
  readonly ordersPerDay: number;
  /** Yearly growth, as a share. */
  readonly growth: number;
  /** Number of products sold here, and how many of them are advertised. */
  readonly products: number;
  readonly advertised: number;
  /** Days of order lines, and days of traffic and advertising. */
  readonly orderDays: number;
  readonly dailyDays: number;
  /** Whether the channel is in the southern hemisphere. */
  readonly southern: boolean;
  /** Prefixes of order numbers; empty where orders are numbered in sequence. */
  readonly orderPrefixes: readonly number[];
  /** Missing for channels without finances. */
  readonly terms?: Terms;
};

const fourteenMonths = 425;
const twentyFiveMonths = 760;

const terms = {
  remitsTax: false,
  commission: { Kitchen: 0.15, Packs: 0.15, Camp: 0.15, Light: 0.15, Clothing: 0.17 },
  feePerLine: 0,
  digitalServices: 0,
  fulfils: true,
  returnLevel: 1,
  postsAdCharges: true,
} as const;
const seller = {
  marketplace: 'primarymkt',
  kind: 'seller',
  decimals: 2,
  hasTraffic: true,
  pairsCampaigns: false,
  southern: false,
} as const;

/** The channels of the demonstration. */
export const plans: readonly Plan[] = [
  {
    ...seller,
    channelId: 'northwind-us',
    merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER',
    countryCode: 'USA',
    displayName: 'Northwind Outdoor US',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    tax: 'byState',
    perDollar: 1,
    adShare: 0.37,
    acos: 0.39,
    pairsCampaigns: true,
    ordersPerDay: 22,
    growth: 0.22,
    products: 28,
    advertised: 10,
    orderDays: twentyFiveMonths,
    dailyDays: twentyFiveMonths,
    orderPrefixes: [111, 112, 113, 114],
    terms: { ...terms, remitsTax: true, subscription: 3999, shippingLevel: 1.1 },
  },
  {
    ...seller,
    channelId: 'northwind-uk',
    merchantId: 'A2NORTHWIND02 @ A1F83G8C2ARO7P',
    countryCode: 'GBR',
    displayName: 'Northwind Outdoor UK',
    currency: 'GBP',
    timezone: 'Europe/London',
    tax: { included: 0.2 },
    perDollar: 0.82,
    adShare: 0.35,
    acos: 0.39,
    ordersPerDay: 9,
    growth: 0.15,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [202, 203, 204, 205, 206],
    terms: { ...terms, digitalServices: 0.02, subscription: 2500, shippingLevel: 0.64 },
  },
  {
    ...seller,
    channelId: 'northwind-de',
    merchantId: 'A2NORTHWIND02 @ A1PA6795UKMFR9',
    countryCode: 'DEU',
    displayName: 'Northwind Outdoor Germany',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    tax: { included: 0.19 },
    perDollar: 0.98,
    adShare: 0.36,
    acos: 0.38,
    ordersPerDay: 10,
    growth: 0.3,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [302, 303, 304, 305, 306],
    terms: { ...terms, subscription: 3900, shippingLevel: 0.78, returnLevel: 1.3 },
  },
  {
    ...seller,
    channelId: 'northwind-jp',
    merchantId: 'A2NORTHWIND03 @ A1VC38T7YXB528',
    countryCode: 'JPN',
    displayName: 'Northwind Outdoor Japan',
    currency: 'JPY',
    timezone: 'Asia/Tokyo',
    decimals: 0,
    tax: { included: 0.1 },
    perDollar: 142,
    adShare: 0.36,
    acos: 0.37,
    ordersPerDay: 8,
    growth: 0.35,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [249, 250, 503],
    terms: { ...terms, subscription: 4900, shippingLevel: 118, returnLevel: 0.8 },
  },
  {
    ...seller,
    channelId: 'northwind-au',
    merchantId: 'A2NORTHWIND04 @ A39IBJ37TRP1C6',
    countryCode: 'AUS',
    displayName: 'Northwind Outdoor Australia',
    currency: 'AUD',
    timezone: 'Australia/Sydney',
    tax: { included: 0.1 },
    perDollar: 1.55,
    adShare: 0.34,
    acos: 0.39,
    ordersPerDay: 6,
    growth: 0.4,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    southern: true,
    orderPrefixes: [249, 250, 503],
    terms: { ...terms, subscription: 4995, shippingLevel: 1.4, postsAdCharges: false },
  },
  {
    ...seller,
    channelId: 'northwind-vendor-us',
    merchantId: 'NWOUT @ ATVPDKIKX0DER',
    kind: 'vendor',
    countryCode: 'USA',
    displayName: 'Northwind Outdoor US Vendor',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    tax: 'byState',
    perDollar: 1,
    hasTraffic: false,
    adShare: 0.3,
    acos: 0.24,
    ordersPerDay: 16,
    growth: 0.1,
    products: 10,
    advertised: 6,
    orderDays: 0,
    dailyDays: fourteenMonths,
    orderPrefixes: [],
  },
  {
    ...seller,
    channelId: 'northwind-web',
    merchantId: 'northwind-outdoor.myshopify.com',
    marketplace: 'shopify',
    countryCode: 'USA',
    displayName: 'Northwind Outdoor Web Store',
    currency: 'USD',
    timezone: 'America/New_York',
    tax: 'byState',
    perDollar: 1,
    hasTraffic: false,
    adShare: 0,
    acos: 0,
    ordersPerDay: 5,
    growth: 0.5,
    products: 20,
    advertised: 0,
    orderDays: fourteenMonths,
    dailyDays: 0,
    orderPrefixes: [],
    terms: {
      ...terms,
      commission: { Kitchen: 0.029, Packs: 0.029, Camp: 0.029, Light: 0.029, Clothing: 0.029 },
      feePerLine: 30,
      subscription: 3900,
      fulfils: false,
      shippingLevel: 1.6,
      postsAdCharges: false,
    },
  },
];
