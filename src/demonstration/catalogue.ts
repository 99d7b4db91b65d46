/** The products of the demonstration, and how each channel offers them. */
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';
import type { Season } from './seasons.ts';

/** A product as one channel offers it. Amounts are in minor units of the channel's currency. */
export type Offer = {
  readonly sku: string;
  readonly productId: string;
  readonly parentProductId: string;
  readonly title: string;
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

type Family = {
  readonly code: string;
  readonly title: string;
  readonly dollars: number | readonly number[];
  readonly season: Season;
  readonly group: string;
  /** Popularity, relative to the other families. */
  readonly weight: number;
  readonly variants: readonly string[];
  /** Cost of packing and shipping one unit, in dollars. */
  readonly shippingDollars: number;
  readonly litres: number;
  readonly unitsPerCase: number;
  readonly costShare: number;
  /** The seller stores and ships long or heavy products itself. */
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
    shippingDollars: 4.6,
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
    shippingDollars: 7.2,
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
    shippingDollars: 3.8,
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
    shippingDollars: 3.9,
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
    shippingDollars: 9.2,
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
    shippingDollars: 3.6,
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
    shippingDollars: 6.4,
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
    shippingDollars: 6.1,
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
    shippingDollars: 7.4,
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
    shippingDollars: 8.8,
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
    shippingDollars: 4.8,
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
    shippingDollars: 11.5,
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
    shippingDollars: 4.1,
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
    shippingDollars: 2.9,
    litres: 0.2,
    unitsPerCase: 100,
    costShare: 0.3,
  },
];

/** The product group whose supplier invoices in yuan. */
const importedGroup = 'Kitchen';

/** The brand of all products. */
export const brand = 'Northwind';

/** The products of a channel, best sellers first. */
export function offersOf(plan: Plan): Offer[] {
  const offers = families.flatMap((family) => {
    const parentProductId = productIdOf(family.code);
    // The first variant of a family sells about twice as often as the second.
    const splits = family.variants.map((_, at) => 1 / (at + 1));
    const splitSum = splits.reduce((sum, split) => sum + split, 0);
    return family.variants.map((variant, at): Offer => {
      const suffix = variant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
      const sku = `NW-${family.code}${variant === '' ? '' : `-${suffix}`}`;
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
        // Expensive products convert less often.
        conversion:
          (0.105 - 0.014 * Math.log(dollars / 10)) * randomOf(`conversion ${sku}`).factor(0.1),
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
