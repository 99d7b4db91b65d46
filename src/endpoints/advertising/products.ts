/** Advertised products with their figures. */
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { sortedQuestionFile } from '../../report/page.ts';
import type { Handler } from '../handler.ts';
import type { listProducts as contract } from './contract.ts';
import {
  answerOf,
  channelIdOf,
  channelOrder,
  channelsRead,
  columnSorts,
  currenciesQuestion,
  type List,
  reachOf,
  readPage,
  restriction,
} from './list.ts';
import { metricSorts, metricsOf, type ProductSums, productMetrics } from './metrics.ts';

type ProductRow = ProductSums & { readonly channel: number; readonly product_sku: string };

/** A SKU as the channel's catalogue has it. */
type Entry = {
  readonly channel: number;
  readonly sku: string;
  readonly product_id: string;
  readonly title: string;
  readonly image_url: string;
  readonly link_url: string;
};

const list: List<ProductRow> = {
  sorted: sortedQuestionFile(
    import.meta.url,
    'products.sql',
    { ...columnSorts(['product_sku']), ...metricSorts(productMetrics) },
    ['product_sku', channelOrder],
  ),
  currencies: currenciesQuestion('ad_product_day'),
  settings: false,
};
const titles = questionFile<Entry>(import.meta.url, 'titles.sql');

/** Answers GET /advertising/products. */
export const listProducts: Handler<typeof contract> = async (asked, context) => {
  const reach = await reachOf(asked, context);
  const restrictions = restriction('everyProduct', 'products', asked.productSku);
  return await context.warehouse.read(channelsRead(reach), context.limits, async (ask) => {
    const page = await readPage(ask, reach, list, asked, restrictions);
    const entryOf = await readEntries(ask, page.rows);
    return answerOf(page, asked, (row) => {
      const entry = entryOf(row);
      return {
        channel_id: channelIdOf(reach, row.channel),
        product_sku: row.product_sku,
        product_title: entry?.title ?? '',
        image_url: entry?.image_url ?? '',
        link_url: entry?.link_url ?? '',
        ...metricsOf(productMetrics, row, page.exchange.places),
      };
    });
  });
};

/** Of the SKUs of a product the first that has a title, else the first; those of the product id come before a SKU of that name. */
async function readEntries(
  ask: Ask,
  rows: readonly ProductRow[],
): Promise<(row: ProductRow) => Entry | undefined> {
  if (rows.length === 0) return () => undefined;
  const products = [...new Set(rows.map((row) => row.product_sku))];
  const entries = await ask(titles, {
    channels: [...new Set(rows.map((row) => row.channel))],
    products,
  });
  return ({ channel, product_sku: product }) => {
    const own = entries.filter(
      (entry) => entry.channel === channel && entry.product_id === product,
    );
    const all = [
      ...own,
      ...entries.filter((entry) => entry.channel === channel && entry.sku === product),
    ];
    return all.find((entry) => entry.title !== '') ?? all[0];
  };
}
