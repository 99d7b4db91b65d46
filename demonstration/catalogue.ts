/** The products of the demonstration, and how each channel offers them. */
import { families } from './families.ts';
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';
import type { Season } from './seasons.ts';

/** A product as one channel offers it. Amounts are in minor units of the channel's currency. */
export type Offer = {
  readonly sku: string;
  readonly productId: string;
  readonly parentProductId: string;
  readonly title: string;
  readonly brand: string;
  /** Title of the product family, without the variant. */
  readonly family: string;
  readonly season: Season;
  /** The list price in US dollars. */
  readonly dollars: number;
  /** The price that buyers see, with any included tax. */
  readonly price: number;
  /** The price without included tax. */
  readonly netPrice: number;
  /** Share of the channel's order lines in an average season. */
  readonly weight: number;
  /** Units per session, as a share. */
  readonly conversion: number;
  /** Share of its sessions on mobile devices, and of its page views with the featured offer. */
  readonly mobile: number;
  readonly featured: number;
  /** How often its ads are clicked, relative to other products. */
  readonly clickLevel: number;
  /** Product group, which campaigns, fees and return rates go by. */
  readonly group: string;
  /** Cost of packing and shipping one unit. */
  readonly shippingCost: number;
  /** Packed volume of one unit, and units per supplier case. */
  readonly litres: number;
  readonly unitsPerCase: number;
  /** Whether the seller stores and ships it on every channel. */
  readonly selfShipped: boolean;
  /** Cost of goods, as a share of the price before tax. */
  readonly costShare: number;
  /** Currency of the supplier's invoices; "" means the channel's currency. */
  readonly supplierCurrency: 'CNY' | '';
};

/** The product group whose supplier invoices in yuan. */
const importedGroup = 'Kitchen';

/** The products of a channel, best sellers first. */
export function offersOf(plan: Plan): Offer[] {
  const isWholesale = plan.kind === 'vendor';
  const ofKind = families.filter((family) => (family.wholesale === true) === isWholesale);
  const offers = ofKind.flatMap((family) => {
    const parentProductId = productIdOf(family.code);
    // The first variant of a family sells about twice as often as the second.
    const splits = family.variants.map((_, at) => 1 / (at + 1));
    const splitSum = splits.reduce((sum, split) => sum + split, 0);
    return family.variants.map((variant, at): Offer => {
      const suffix = variant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
      const sku = `NW-${family.code}${variant === '' ? '' : `-${suffix}`}`;
      const dollars = typeof family.dollars === 'number' ? family.dollars : family.dollars[at]!;
      const price = pricePoint(dollars, plan);
      const own = randomOf(`product of ${plan.channelId} ${sku}`);
      return {
        sku,
        productId: productIdOf(sku),
        parentProductId: family.variants.length > 1 ? parentProductId : '',
        title: `${family.brand} ${family.title}${variant === '' ? '' : `, ${variant}`}`,
        brand: family.brand,
        family: family.title,
        season: family.season,
        dollars,
        price,
        netPrice: plan.tax === 'byState' ? price : Math.round(price / (1 + plan.tax.included)),
        weight: (family.weight * splits[at]!) / splitSum,
        // Expensive products convert less often.
        conversion:
          (0.105 - 0.014 * Math.log(dollars / 10)) * randomOf(`conversion ${sku}`).factor(0.1),
        mobile: Math.min(0.9, family.mobile * own.factor(0.03)),
        featured: Math.min(0.995, family.featured * own.factor(0.012)),
        clickLevel: family.clickLevel * own.factor(0.08),
        group: family.group,
        shippingCost: Math.round(
          family.shippingDollars * (plan.terms?.shippingLevel ?? 0) * 10 ** plan.decimals,
        ),
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

/** A typical shop price: it ends in .99 or .95, or in 80 for a currency without decimals. */
function pricePoint(dollars: number, { perDollar, decimals }: Plan): number {
  if (decimals === 0) return Math.max(1, Math.round((dollars * perDollar) / 100)) * 100 - 20;
  const ending = Math.round(dollars * 100) % 100;
  return Math.max(1, Math.round(dollars * perDollar - ending / 100)) * 100 + ending;
}

function productIdOf(text: string): string {
  const random = randomOf(`product ${text}`);
  return `B0${Array.from({ length: 8 }, () => 'BCDFGHJKLMNPQRSTVWXYZ0123456789'[random.whole(31)]).join('')}`;
}
