/** GET /advertising/products: advertised products with their figures. */
import { partFile, questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { productMetrics } from '../../report/advertising.ts';
import { webAddress } from '../../report/webAddress.ts';
import type { Handler, RecordRules } from '../handler.ts';
import type { listProducts as contract } from './contract.ts';
import { answerPage, type ListRow, listOf } from './list.ts';
import { listRules } from './rules.ts';
import { channelsRead, scopeOf } from './scope.ts';

const list = listOf({
  table: partFile(import.meta.url, 'productFigures.sql'),
  figures: partFile(import.meta.url, 'productsInRange.sql'),
  id: 'product_sku',
  listed: 'products.sql',
  texts: ['product_sku'],
  hasFiguresOnly: true,
  metrics: productMetrics,
});

/** A SKU in the catalogue of a channel. */
type Entry = {
  readonly channel: number;
  readonly sku: string;
  readonly product_id: string;
  readonly title: string;
  readonly image_url: string;
  readonly link_url: string;
};

const titles = questionFile<Entry>(import.meta.url, 'titles.sql');

/** The record rules of the operation. */
export const productRules: RecordRules<typeof contract> = listRules(list);

/** Answers GET /advertising/products. */
export const listProducts: Handler<typeof contract> = async (input, context) => {
  const scope = await scopeOf(input, context);
  const filters = { products: input.productSku ?? [] };
  return await context.warehouse.readCached(channelsRead(scope), context.limits, (ask) =>
    answerPage(ask, scope, list, input, filters, (rows) => readTitles(ask, rows)),
  );
};

/**
 * The title and links of each product: from its first SKU with a title, else from its first SKU.
 * SKUs with the product id come before a SKU of that name.
 */
async function readTitles(ask: Ask, rows: readonly ListRow<'product_sku'>[]) {
  const entries =
    rows.length === 0
      ? []
      : await ask(titles, {
          channels: [...new Set(rows.map((row) => row.channel))],
          products: [...new Set(rows.map((row) => row.product_sku))],
        });
  return ({ channel, product_sku: product }: ListRow<'product_sku'>) => {
    const ofChannel = entries.filter((entry) => entry.channel === channel);
    const own = [
      ...ofChannel.filter((entry) => entry.product_id === product),
      ...ofChannel.filter((entry) => entry.sku === product),
    ];
    const entry = own.find(({ title }) => title !== '') ?? own[0];
    return {
      product_title: entry?.title ?? '',
      image_url: webAddress(entry?.image_url ?? ''),
      link_url: webAddress(entry?.link_url ?? ''),
    };
  };
}
