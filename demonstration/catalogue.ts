/** The products of the demonstration, and how each channel offers them. */
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';
import type { Season } from './seasons.ts';
import { readTable } from './tables.ts';

/** A family of products, a line of families.tsv: the same article in several variants. */
type Family = Readonly<
  Record<'code' | 'title' | 'brand', string> &
    Record<'shippingDollars' | 'litres' | 'unitsPerCase', number>
> & {
  /** One price, or that of each variant. */
  readonly dollars: number | readonly number[];
  /** The variants, divided by "|". */
  readonly variants?: string;
  readonly season: Season;
  /** Product group, which campaigns, fees and return rates go by. */
  readonly group: string;
  /** Popularity, relative to the other families. */
  readonly weight: number;
  /** Cost of goods, as a share of the price before tax. */
  readonly costShare: number;
  /** Share of its sessions on mobile devices, and of its page views with the featured offer. */
  readonly mobile: number;
  readonly featured: number;
  /** How often its ads are clicked, relative to other products. */
  readonly clickLevel: number;
  /** The seller stores and ships long or heavy products itself. */
  readonly selfShipped?: boolean;
  /** Sold to the marketplace only, by the vendor channel. */
  readonly wholesale?: boolean;
};

/** A product as one channel offers it. Amounts are in minor units of the channel's currency. */
export type Offer = Omit<Family, 'dollars' | 'variants'> & {
  readonly sku: string;
  readonly productId: string;
  readonly parentProductId: string;
  /** Title of the product family, without the brand and the variant. */
  readonly family: string;
  /** The list price in US dollars. */
  readonly dollars: number;
  /** The price that buyers see, and the price without included tax. */
  readonly price: number;
  readonly netPrice: number;
  /** Units per session, as a share. */
  readonly conversion: number;
  /** Cost of packing and shipping one unit. */
  readonly shippingCost: number;
  readonly selfShipped: boolean;
  /** Currency of the supplier's invoices; "" means the channel's currency. */
  readonly supplierCurrency: 'CNY' | '';
};

const families = readTable<Family>('families');
/** The product group whose supplier invoices in yuan. */
const importedGroup = 'Kitchen';

/** The products of a channel, best sellers first; their weights are shares of order lines. */
export function offersOf(plan: Plan): Offer[] {
  const isWholesale = plan.kind === 'vendor';
  const ofKind = families.filter((family) => (family.wholesale === true) === isWholesale);
  const offers = ofKind.flatMap((family) => offersOfFamily(plan, family));
  offers.sort((left, right) => right.weight - left.weight || (left.sku < right.sku ? -1 : 1));
  const sold = offers.slice(0, plan.products);
  const sum = sold.reduce((total, offer) => total + offer.weight, 0);
  return sold.map((offer) => ({ ...offer, weight: offer.weight / sum }));
}

function offersOfFamily(plan: Plan, family: Family): Offer[] {
  const variants = (family.variants ?? '').split('|');
  // The first variant of a family sells about twice as often as the second.
  const splits = variants.map((_, at) => 1 / (at + 1));
  const splitSum = splits.reduce((sum, split) => sum + split, 0);
  return variants.map((variant, at): Offer => {
    const suffix = variant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
    const sku = `NW-${family.code}${variant === '' ? '' : `-${suffix}`}`;
    const dollars = typeof family.dollars === 'number' ? family.dollars : family.dollars[at]!;
    const price = pricePoint(dollars, plan);
    const own = randomOf(`product of ${plan.channelId} ${sku}`);
    // Expensive products convert less often.
    const conversion = 0.105 - 0.014 * Math.log(dollars / 10);
    return {
      ...family,
      sku,
      dollars,
      price,
      family: family.title,
      productId: productIdOf(sku),
      parentProductId: variants.length > 1 ? productIdOf(family.code) : '',
      title: `${family.brand} ${family.title}${variant === '' ? '' : `, ${variant}`}`,
      netPrice: Math.round(price / (1 + (plan.taxIncluded ?? 0))),
      weight: (family.weight * splits[at]!) / splitSum,
      conversion: conversion * randomOf(`conversion ${sku}`).factor(0.1),
      mobile: Math.min(0.9, family.mobile * own.factor(0.03)),
      featured: Math.min(0.995, family.featured * own.factor(0.012)),
      clickLevel: family.clickLevel * own.factor(0.08),
      shippingCost: Math.round(family.shippingDollars * plan.shippingLevel * 10 ** plan.decimals),
      selfShipped: family.selfShipped === true,
      supplierCurrency: family.group === importedGroup ? 'CNY' : '',
    };
  });
}

/** A typical shop price: it ends in .99 or .95, or in 80 for a currency without decimals. */
function pricePoint(dollars: number, { perDollar, decimals }: Plan): number {
  if (decimals === 0) return Math.max(1, Math.round((dollars * perDollar) / 100)) * 100 - 20;
  const ending = Math.round(dollars * 100) % 100;
  return Math.max(1, Math.round(dollars * perDollar - ending / 100)) * 100 + ending;
}

function productIdOf(text: string): string {
  return `B0${randomOf(`product ${text}`).letters('BCDFGHJKLMNPQRSTVWXYZ0123456789', 8)}`;
}
