/** The channels of the demonstration, and the business of each: a column of plans.tsv. */
import { readColumns } from './tables.ts';

type Texts = 'channelId' | 'merchantId' | 'marketplace' | 'displayName' | 'countryCode';

/** A channel and the parameters of its simulated business. */
export type Plan = Readonly<Record<Texts | 'currency' | 'timezone', string>> & {
  readonly kind: 'seller' | 'vendor';
  /** Decimal digits of the currency. */
  readonly decimals: number;
  /** Whether the channel is in the southern hemisphere. */
  readonly southern: boolean;
  /** The tax that prices include; missing where the buyer's state decides, and prices exclude it. */
  readonly taxIncluded?: number;
  /** Local price of a dollar's worth of goods. */
  readonly perDollar: number;
  /** Orders on an average day at the end of the data, and their yearly growth, as a share. */
  readonly ordersPerDay: number;
  readonly growth: number;
  /** Number of products sold here, and how many of them are advertised. */
  readonly products: number;
  readonly advertised: number;
  /** Days of order lines, and days of traffic and advertising. */
  readonly orderDays: number;
  readonly dailyDays: number;
  /** Prefixes of order numbers; empty where orders are numbered in sequence. */
  readonly orderPrefixes: readonly number[];
  readonly hasTraffic: boolean;
  /** Share of an advertised product's orders that come from ads; 0 without advertising. */
  readonly adShare: number;
  /** Target ACOS of its campaigns. */
  readonly acos: number;
  /** Whether each product group has an automatic and a manual Sponsored Products campaign. */
  readonly pairsCampaigns: boolean;
  /** Whether there are financial events, which the parameters below are about. */
  readonly hasFinances: boolean;
  /** Whether the marketplace remits sales tax itself, so that the seller never receives it. */
  readonly remitsTax: boolean;
  /** Commission, as a share of what the buyer pays, and a fee for each line, in minor units. */
  readonly commission: number;
  readonly commissionOnClothing: number;
  readonly feePerLine: number;
  /** Digital services tax, as a share of the commission. */
  readonly digitalServices: number;
  /** A monthly fee, in minor units. */
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

/** The channels of the demonstration. */
export const plans: readonly Plan[] = readColumns('plans');
