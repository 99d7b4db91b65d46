/** The sales of a product over time, one product at a time. */

import pLimit from 'p-limit';
import { type ApiRequest, type Input, requestOf } from '../client.ts';
import { useGathered } from '../queries.ts';
import { numberOf } from './format.ts';
import { standardInterval } from './intervals.ts';
import type { Store } from './stores.tsx';
import type { View } from './view.ts';

/** A product by its two names; "" where one is not known. */
export type ProductNames = { readonly sku: string; readonly productSku: string };

/** Products that are read at a time, so that they hold up no other question. */
const turn = pLimit(2);

type Question = {
  readonly ofSeller?: Input<'viewSalesByPeriod'>;
  readonly ofVendor?: Input<'viewVendorSalesByPeriod'>;
};

/** The question for a product; undefined where the API cannot name it. */
function questionOf(
  view: View,
  store: Store,
  { sku, productSku }: ProductNames,
): Question | undefined {
  const isVendor = store.kind === 'vendor';
  const id = isVendor ? productSku : sku;
  if (id === '') return undefined;
  const { fromDate, toDate, timezone } = view.dates;
  const interval = standardInterval(view.range);
  const input = {
    channelId: store.channelId,
    merchantId: store.merchantId,
    reportOptions: { fromDate, toDate, timezone, interval },
  };
  return isVendor
    ? { ofVendor: { ...input, asins: [id] } }
    : { ofSeller: { ...input, includeTax: false, sellerSkus: [id] } };
}

/** The request for the sales of a product. */
export function productSalesRequest(...of: Parameters<typeof questionOf>): ApiRequest | undefined {
  const { ofVendor, ofSeller } = questionOf(...of) ?? {};
  if (ofVendor !== undefined) return requestOf('viewVendorSalesByPeriod', ofVendor);
  return ofSeller && requestOf('viewSalesByPeriod', ofSeller);
}

/** The sales of a product, bucket by bucket; asks nothing while they are not wanted. */
export function useProductSales(
  view: View,
  store: Store,
  product: ProductNames,
  isWanted: boolean,
) {
  const question = isWanted ? questionOf(view, store, product) : undefined;
  const key = question && `sales of a product ${JSON.stringify(question)}`;
  return useGathered(key, (ask) =>
    turn(async () => {
      const { ofVendor, ofSeller } = question!;
      const sales = ofVendor
        ? (await ask('viewVendorSalesByPeriod', ofVendor)).formattedChartData.map(
            ({ orderedRevenue }) => orderedRevenue,
          )
        : (await ask('viewSalesByPeriod', ofSeller!)).formattedChartData.map((row) => row.sales);
      return { sales: sales.map((value) => numberOf(value) ?? 0) };
    }),
  );
}
