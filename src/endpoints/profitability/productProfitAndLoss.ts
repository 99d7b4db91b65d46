/** The profit and loss of products, SKU by SKU. */

import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { readWholeCatalogue } from '../../report/productSales/questions.ts';
import { foreignDays, foreignOf, statementOf } from '../../report/profitStatement.ts';
import { purposeOf, readConversion } from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
import { unstatedTaxIn } from '../unstatedTax.ts';
import type { readProductProfitAndLoss as contract } from './contract.ts';
import { productsFromQuestions, spanOf } from './products.ts';
import { productsFromMemory } from './productsFromMemory.ts';

type CatalogueEntry = {
  readonly sku: string;
  readonly product_id: string;
  readonly title: string;
};

const productTitles = questionFile<CatalogueEntry>(import.meta.url, 'productTitles.sql');

/** Answers POST /profitability/productProfitAndLoss. */
export const readProductProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits, warn },
) => {
  warn(unstatedTaxIn([channel], 'finance_event', reportOptions));
  const { channelNumber, currency } = channel;
  const input = {
    channel,
    span: spanOf({ from: reportOptions.fromDate, to: reportOptions.toDate }),
    skus: [...new Set(reportOptions.sellerSkus)],
    options: reportOptions,
  };
  return await warehouse.readCached([channelNumber, 0], limits, async (ask) => {
    const page =
      (await productsFromMemory(ask, input)) ?? (await productsFromQuestions(ask, input));
    const { shown, count, figures } = page;
    if (shown.length === 0) return { productEvents: [], count };
    const all = [...figures.values()].flat();
    const { exchange } = await readConversion(ask, {
      target: currency,
      currencies: foreignOf(currency, all, reportOptions),
      days: foreignDays(currency, all),
      purpose: purposeOf(channel),
    });
    const entries = await readEntries(ask, channelNumber, shown);
    const productIds = await page.readProductIds(
      shown.filter((sku) => !entries.get(sku)?.product_id),
    );
    const productEvents = shown.map((sku) => {
      const { lines, totalProfit } = statementOf(
        figures.get(sku)!,
        exchange,
        currency,
        reportOptions,
      );
      const entry = entries.get(sku);
      return {
        sellerSku: sku,
        productSku: entry?.product_id || productIds.get(sku) || '',
        title: entry?.title ?? '',
        ...lines,
        totalProfit,
      };
    });
    return { productEvents, count };
  });
};

/** Reads the catalogue entries of at least these SKUs. */
async function readEntries(
  ask: Ask,
  channel: number,
  skus: readonly string[],
): Promise<ReadonlyMap<string, CatalogueEntry>> {
  const whole = await readWholeCatalogue(ask, channel);
  const entries = whole ?? (await ask(productTitles, { channel, skus }));
  return new Map(entries.map((entry) => [entry.sku, entry]));
}
