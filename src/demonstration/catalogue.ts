/** What the demonstration's organisation sells, and where. */
import { randomOf } from './random.ts';
import type { Season } from './seasons.ts';

/** A product as it is offered on one channel. Amounts are in minor units of the channel's currency. */
export type Offer = {
  readonly sku: string;
  readonly productId: string;
  readonly parentProductId: string;
  readonly title: string;
  /** What its variants have in common. */
  readonly family: string;
  readonly season: Season;
  /** The price in dollars, wherever it is sold. */
  readonly dollars: number;
  /** The price that buyers see. */
  readonly price: number;
  /** The same without the tax that it may hold. */
  readonly netPrice: number;
  /** Share of the channel's order lines in an average season. */
  readonly weight: number;
  /** Units per session, as a share. */
  readonly conversion: number;
  /** Which group of campaigns advertises it. */
  readonly group: string;
  /** What it costs to pack and send a unit, in an average country. */
  readonly parcel: number;
  /** How much room a packed unit takes, and how many units are in a case of the supplier. */
  readonly litres: number;
  readonly unitsPerCase: number;
  /** Whether the seller stores and ships it, wherever it is sold. */
  readonly selfShipped: boolean;
  /** What the goods of a unit cost, as a share of the price in dollars before tax. */
  readonly costShare: number;
  /** The currency in which its supplier bills, "" for that of the channel. */
  readonly supplierCurrency: 'CNY' | '';
};

/** What a store pays to whom for what, apart from goods and ads. Amounts are in minor units of the channel's currency. */
export type Terms = {
  /** Whether the marketplace pays the tax on to the state, so that the seller never has it. */
  readonly remitsTax: boolean;
  /** What is taken of a sale, by group of products: a share of what the buyer pays. */
  readonly commission: Readonly<Record<string, number>>;
  /** What is taken of each order line besides. */
  readonly perLine: number;
  /** A share of the commission that is added where the country taxes digital services. */
  readonly digitalServices: number;
  readonly subscription: number;
  /** Whether the marketplace stores, ships and takes back what the seller does not ship, and makes good what it loses. */
  readonly fulfils: boolean;
  /** What shipping costs here, compared with the dollars of an average country. */
  readonly parcelLevel: number;
  /** How often goods come back, compared with other countries. */
  readonly returns: number;
  /** Where the charges for ads come from: the campaigns, a share of sales that others are paid, or nowhere. */
  readonly adCharges: 'campaigns' | 'none' | { readonly shareOfSales: number };
};

/** How a country taxes sales: added to the price that buyers see, at one of several rates, or held in it. */
export type Tax = { readonly added: readonly number[] } | { readonly included: number };

/** A channel and how its business runs. */
export type Plan = {
  readonly channelId: string;
  readonly merchantId: string;
  readonly marketplace: string;
  readonly kind: 'seller' | 'vendor';
  readonly countryCode: string;
  readonly displayName: string;
  readonly currency: string;
  readonly timezone: string;
  /** Digits behind the decimal point of the currency. */
  readonly places: number;
  readonly tax: Tax;
  /** What an amount of dollars costs here. */
  readonly perDollar: number;
  readonly hasTraffic: boolean;
  /** Share of the orders of advertised products that ads bring, 0 without advertising. */
  readonly adShare: number;
  /** Spend over attributed sales that its campaigns are steered to. */
  readonly acos: number;
  /** Whether each group of products has two campaigns of Sponsored Products, one automatic and one manual. */
  readonly pairsCampaigns: boolean;
  /** Orders on an average day at the end of the data. */
  readonly ordersPerDay: number;
  /** How much the business grows in a year, as a share. */
  readonly growth: number;
  /** How many of the products are sold here, and advertised. */
  readonly products: number;
  readonly advertised: number;
  /** How many days of order lines there are, and of traffic and advertising. */
  readonly orderDays: number;
  readonly dailyDays: number;
  /** Whether summer is in January. */
  readonly southern: boolean;
  /** First digits of order numbers; none where orders are numbered one after the other. */
  readonly orderPrefixes: readonly number[];
  /** Missing where nothing is booked. */
  readonly terms?: Terms;
};

const fourteenMonths = 425;
const twentyFiveMonths = 760;

const usSalesTaxes = [0, 0.0525, 0.06, 0.0625, 0.065, 0.0725, 0.0825, 0.08875, 0.0925];
const terms = {
  remitsTax: false,
  commission: { Kitchen: 0.15, Packs: 0.15, Camp: 0.15, Light: 0.12, Clothing: 0.1 },
  perLine: 0,
  digitalServices: 0,
  fulfils: true,
  returns: 1,
  adCharges: 'campaigns',
} as const;
const seller = {
  marketplace: 'primarymkt',
  kind: 'seller',
  places: 2,
  hasTraffic: true,
  pairsCampaigns: false,
  southern: false,
} as const;

/** The channels. */
export const plans: readonly Plan[] = [
  {
    ...seller,
    channelId: 'northwind-us',
    merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER',
    countryCode: 'USA',
    displayName: 'Northwind Outdoor US',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    tax: { added: usSalesTaxes },
    perDollar: 1,
    adShare: 0.37,
    acos: 0.39,
    pairsCampaigns: true,
    ordersPerDay: 85,
    growth: 0.22,
    products: 28,
    advertised: 13,
    orderDays: fourteenMonths,
    dailyDays: twentyFiveMonths,
    orderPrefixes: [111, 112, 113, 114],
    terms: { ...terms, remitsTax: true, subscription: 3999, parcelLevel: 1.1 },
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
    ordersPerDay: 20,
    growth: 0.15,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [202, 203, 204, 205, 206],
    terms: { ...terms, digitalServices: 0.02, subscription: 2500, parcelLevel: 0.64 },
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
    ordersPerDay: 24,
    growth: 0.3,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [302, 303, 304, 305, 306],
    terms: { ...terms, subscription: 3900, parcelLevel: 0.78, returns: 1.3 },
  },
  {
    ...seller,
    channelId: 'northwind-jp',
    merchantId: 'A2NORTHWIND03 @ A1VC38T7YXB528',
    countryCode: 'JPN',
    displayName: 'Northwind Outdoor Japan',
    currency: 'JPY',
    timezone: 'Asia/Tokyo',
    places: 0,
    tax: { included: 0.1 },
    perDollar: 142,
    adShare: 0.36,
    acos: 0.37,
    ordersPerDay: 18,
    growth: 0.35,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    orderPrefixes: [249, 250, 503],
    terms: { ...terms, subscription: 4900, parcelLevel: 118, returns: 0.8 },
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
    ordersPerDay: 11,
    growth: 0.4,
    products: 15,
    advertised: 8,
    orderDays: fourteenMonths,
    dailyDays: fourteenMonths,
    southern: true,
    orderPrefixes: [249, 250, 503],
    terms: { ...terms, subscription: 4995, parcelLevel: 1.4, adCharges: 'none' },
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
    tax: { added: [0] },
    perDollar: 1,
    hasTraffic: false,
    adShare: 0.3,
    acos: 0.24,
    ordersPerDay: 26,
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
    tax: { added: usSalesTaxes },
    perDollar: 1,
    hasTraffic: false,
    adShare: 0,
    acos: 0,
    ordersPerDay: 9,
    growth: 0.5,
    products: 20,
    advertised: 0,
    orderDays: fourteenMonths,
    dailyDays: 0,
    orderPrefixes: [],
    terms: {
      ...terms,
      commission: { Kitchen: 0.029, Packs: 0.029, Camp: 0.029, Light: 0.029, Clothing: 0.029 },
      perLine: 30,
      subscription: 3900,
      fulfils: false,
      parcelLevel: 1.1,
      adCharges: { shareOfSales: 0.14 },
    },
  },
];

type Family = {
  readonly code: string;
  readonly title: string;
  readonly dollars: number | readonly number[];
  readonly season: Season;
  readonly group: string;
  /** How often the family is bought, relative to the others. */
  readonly weight: number;
  readonly variants: readonly string[];
  /** What it costs to pack and send a unit, in dollars. */
  readonly parcel: number;
  readonly litres: number;
  readonly unitsPerCase: number;
  readonly costShare: number;
  /** Long or heavy things are stored and shipped by the seller. */
  readonly selfShipped?: true;
};

const families: readonly Family[] = [
  {
    code: 'BOTTLE',
    title: 'Insulated Bottle 750 ml',
    dollars: 24.95,
    season: 'gift',
    group: 'Kitchen',
    weight: 30,
    variants: ['Steel', 'Pine', 'Sky', 'Sand'],
    parcel: 4.6,
    litres: 1.7,
    unitsPerCase: 24,
    costShare: 0.335,
  },
  {
    code: 'PACK25',
    title: 'Trail Day Pack 25 L',
    dollars: 59.99,
    season: 'summer',
    group: 'Packs',
    weight: 17,
    variants: ['Forest', 'Slate', 'Ember'],
    parcel: 7.2,
    litres: 6.2,
    unitsPerCase: 10,
    costShare: 0.39,
  },
  {
    code: 'LAMP',
    title: 'Headlamp 400 lm, rechargeable',
    dollars: [29.99, 49.95],
    season: 'gift',
    group: 'Light',
    weight: 14,
    variants: ['Single', '2 Pack'],
    parcel: 3.8,
    litres: 0.5,
    unitsPerCase: 48,
    costShare: 0.335,
  },
  {
    code: 'SOCKS',
    title: 'Merino Hiking Socks, 3 pairs',
    dollars: 27.99,
    season: 'winter',
    group: 'Clothing',
    weight: 9,
    variants: ['M', 'L'],
    parcel: 3.9,
    litres: 0.8,
    unitsPerCase: 40,
    costShare: 0.41,
  },
  {
    code: 'CHAIR',
    title: 'Folding Camp Chair',
    dollars: 44.95,
    season: 'summer',
    group: 'Camp',
    weight: 8,
    variants: ['Forest', 'Slate'],
    parcel: 9.2,
    litres: 9.4,
    unitsPerCase: 6,
    costShare: 0.43,
  },
  {
    code: 'DRYBAG',
    title: 'Roll-top Dry Bag',
    dollars: [17.99, 21.99],
    season: 'summer',
    group: 'Packs',
    weight: 7,
    variants: ['10 L', '20 L'],
    parcel: 3.6,
    litres: 0.7,
    unitsPerCase: 50,
    costShare: 0.33,
  },
  {
    code: 'DOWN',
    title: 'Packable Down Jacket',
    dollars: 119.99,
    season: 'winter',
    group: 'Clothing',
    weight: 6,
    variants: ['S', 'M', 'L', 'XL'],
    parcel: 6.4,
    litres: 3.4,
    unitsPerCase: 12,
    costShare: 0.42,
  },
  {
    code: 'COOK',
    title: 'Camp Cookset for Two',
    dollars: 39.99,
    season: 'summer',
    group: 'Kitchen',
    weight: 5,
    variants: [''],
    parcel: 6.1,
    litres: 4.2,
    unitsPerCase: 12,
    costShare: 0.36,
  },
  {
    code: 'POLES',
    title: 'Carbon Trekking Poles, pair',
    dollars: 54.95,
    season: 'summer',
    group: 'Camp',
    weight: 5,
    variants: [''],
    parcel: 7.4,
    litres: 5.6,
    unitsPerCase: 20,
    costShare: 0.38,
    selfShipped: true,
  },
  {
    code: 'BAG',
    title: 'Three-season Sleeping Bag',
    dollars: [69.95, 89.99],
    season: 'summer',
    group: 'Camp',
    weight: 4,
    variants: ['10 °C', '0 °C'],
    parcel: 8.8,
    litres: 8.6,
    unitsPerCase: 6,
    costShare: 0.42,
  },
  {
    code: 'HAMMOCK',
    title: 'Travel Hammock with Straps',
    dollars: 34.99,
    season: 'summer',
    group: 'Camp',
    weight: 3,
    variants: ['Forest', 'Sky'],
    parcel: 4.8,
    litres: 2.1,
    unitsPerCase: 24,
    costShare: 0.34,
  },
  {
    code: 'TENT2',
    title: 'Two-person Trekking Tent',
    dollars: 189.99,
    season: 'summer',
    group: 'Camp',
    weight: 2,
    variants: [''],
    parcel: 11.5,
    litres: 14,
    unitsPerCase: 4,
    costShare: 0.42,
    selfShipped: true,
  },
  {
    code: 'LANTERN',
    title: 'Collapsible Camp Lantern',
    dollars: 22.99,
    season: 'gift',
    group: 'Light',
    weight: 2,
    variants: [''],
    parcel: 4.1,
    litres: 1.3,
    unitsPerCase: 36,
    costShare: 0.32,
  },
  {
    code: 'FIRE',
    title: 'Ferro Rod Fire Starter',
    dollars: 9.99,
    season: 'gift',
    group: 'Camp',
    weight: 2,
    variants: [''],
    parcel: 2.9,
    litres: 0.2,
    unitsPerCase: 100,
    costShare: 0.3,
  },
];

/** Whose supplier bills in its own currency. */
const importedGroup = 'Kitchen';

/** The brand of everything that is offered. */
export const brand = 'Northwind';

/** The products that a channel offers, the most bought first. */
export function offersOf(plan: Plan): Offer[] {
  const offers = families.flatMap((family) => {
    const parentProductId = productIdOf(family.code);
    // The first variant of a family is bought about twice as often as the next.
    const splits = family.variants.map((_, at) => 1 / (at + 1));
    const splitSum = splits.reduce((sum, split) => sum + split, 0);
    return family.variants.map((variant, at): Offer => {
      const sku = `NW-${family.code}${variant === '' ? '' : `-${variant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`}`;
      const dollars = typeof family.dollars === 'number' ? family.dollars : family.dollars[at]!;
      const price = pricePoint(dollars, plan);
      return {
        sku,
        productId: productIdOf(sku),
        parentProductId: family.variants.length > 1 ? parentProductId : '',
        title: `${brand} ${family.title}${variant === '' ? '' : `, ${variant}`}`,
        family: family.title,
        season: family.season,
        dollars,
        price,
        netPrice: 'included' in plan.tax ? Math.round(price / (1 + plan.tax.included)) : price,
        weight: (family.weight * splits[at]!) / splitSum,
        // The dearer, the longer buyers think about it.
        conversion:
          (0.105 - 0.014 * Math.log(dollars / 10)) * randomOf(`conversion ${sku}`).factor(0.1),
        group: family.group,
        parcel: Math.round(family.parcel * (plan.terms?.parcelLevel ?? 0) * 10 ** plan.places),
        litres: family.litres,
        unitsPerCase: family.unitsPerCase,
        selfShipped: family.selfShipped === true,
        costShare: family.costShare,
        supplierCurrency: family.group === importedGroup ? 'CNY' : '',
      };
    });
  });
  offers.sort((left, right) => right.weight - left.weight || (left.sku < right.sku ? -1 : 1));
  const sold = offers.slice(0, plan.products);
  const sum = sold.reduce((total, offer) => total + offer.weight, 0);
  return sold.map((offer) => ({ ...offer, weight: offer.weight / sum }));
}

/** A price as shops here write it: so many dollars and 99 or 95 cents, and in yen a whole number that ends in 80. */
function pricePoint(dollars: number, { perDollar, places }: Plan): number {
  if (places === 0) return Math.max(1, Math.round((dollars * perDollar) / 100)) * 100 - 20;
  const ending = Math.round(dollars * 100) % 100;
  return Math.max(1, Math.round(dollars * perDollar - ending / 100)) * 100 + ending;
}

function productIdOf(text: string): string {
  const random = randomOf(`product ${text}`);
  return `B0${Array.from({ length: 8 }, () => 'BCDFGHJKLMNPQRSTVWXYZ0123456789'[random.whole(31)]).join('')}`;
}
