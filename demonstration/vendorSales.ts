/** The marketplace's sales of a vendor's products, and its margins on them. */
import { randomOf } from './random.ts';
import type { VendorMarginRow, VendorSaleRow } from './rows.ts';
import { type Sale, type Shop, soldOf, type Today } from './today.ts';

/** Share of the marketplace's sales that the vendor itself supplied. */
const suppliedShare = 0.88;
/** Price that the marketplace pays the vendor, as a share of the retail price. */
const costShare = 0.62;
/** Share of revenue that the vendor refunds to the marketplace for cooperation, and its spread. */
const fundingShare = { mean: 0.06, spread: 0.03 };
/** Share of revenue that discounts of a day take at most. */
const discountShare = 0.08;
const marginScale = 10_000;
/** Share of the units on order that ship within a day. */
const shippedShare = 0.8;

/** Reports the sales of a vendor's products by day: all of them, and those it supplied. */
export function vendorSalesOf(
  shop: Shop,
): (today: Today, sales: readonly Sale[]) => VendorSaleRow[] {
  const { plan, offers, random, unit } = shop;
  const { currency } = plan;
  /** Units still on order, by offer. */
  const open = offers.map(() => 0);
  return ({ date }, sales) =>
    offers.flatMap(({ productId: asin, netPrice, conversion }, index): VendorSaleRow[] => {
      const { orderedUnits, orderedRevenue } = soldOf(shop, sales, index);
      const glanceViews = Math.max(orderedUnits, random.poisson(orderedUnits / conversion));
      const onOrder = open[index]! + orderedUnits;
      const shippedUnits = Math.round(onOrder * shippedShare);
      open[index] = onOrder - shippedUnits;
      let supplied = 0;
      for (let units = shippedUnits; units > 0; units--)
        if (random.next() < suppliedShare) supplied++;
      const shipped = (units: number) => ({
        shippedRevenue: (units * netPrice) / unit,
        shippedUnits: units,
        shippedCogs: Math.round(units * netPrice * costShare) / unit,
      });
      const ordered = { glanceViews, orderedRevenue, orderedUnits };
      const none = { glanceViews: 0, orderedRevenue: 0, orderedUnits: 0 };
      return [
        { date, asin, view: 'MANUFACTURING', ...ordered, ...shipped(shippedUnits), currency },
        { date, asin, view: 'SOURCING', ...none, ...shipped(supplied), currency },
      ];
    });
}

/** The marketplace's margins on the products that shipped: after funding, and less discounts. */
export function vendorMarginRows(sales: readonly VendorSaleRow[]): VendorMarginRow[] {
  return sales
    .filter(({ view, shippedRevenue }) => view === 'MANUFACTURING' && shippedRevenue > 0)
    .map(({ date, asin, shippedRevenue, shippedCogs }) => {
      const funding =
        fundingShare.mean + (randomOf(`terms ${asin}`).next() - 0.5) * fundingShare.spread;
      const discount = discountShare * randomOf(`discount ${asin} ${date}`).next() ** 2;
      const margin = 1 - shippedCogs / shippedRevenue + funding - discount;
      return { date, asin, netPureProductMargin: Math.round(margin * marginScale) / marginScale };
    });
}
