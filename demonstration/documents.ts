/** The documents that a channel's owner would download, as NDJSON, by dataset. */
import { adGroupRows, campaignRows, campaignsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { inventoryHistory } from './inventory.ts';
import { keywordRows, keywordsOf } from './keywords.ts';
import { orderRowsOf } from './orders.ts';
import type { Plan } from './plans.ts';
import type { OrderLineRow } from './rows.ts';
import { searchQueryRows } from './searches.ts';
import { productRows, simulateDays } from './simulation.ts';
import { targetRows } from './targets.ts';
import { unitCostRows } from './unitCosts.ts';

/** Inventory of two months follows from three months of order lines before, and their shipping time. */
const daysOfRecentLines = 153;
/** Days simulated before their rows become text and the event loop gets its turn. */
const daysPerTurn = 20;

/**
 * Simulates a channel up to the day before `today`, a local day. Each day depends on earlier ones,
 * so all are simulated even if the documents have only the last ones.
 */
export async function documentsOf(
  plan: Plan,
  anchorDay: number,
  today: number,
  daysMax: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const documents = new Map<string, string[]>();
  const waiting = new Map<string, object[]>();
  const add = (dataset: string, rows: readonly object[]) => {
    const before = waiting.get(dataset) ?? [];
    before.push(...rows);
    waiting.set(dataset, before);
  };
  /** Writes the waiting rows as one chunk, because chunks of a few rows are expensive to import. */
  const write = () => {
    for (const [dataset, rows] of waiting) {
      if (rows.length === 0) continue;
      const chunk = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      documents.set(dataset, [...(documents.get(dataset) ?? []), chunk]);
    }
    waiting.clear();
  };
  const offers = offersOf(plan);
  const campaigns = campaignsOf(plan, anchorDay);
  const keywords = keywordsOf(plan, offers, campaigns, anchorDay);
  add('products', productRows(plan));
  // Unit costs come before the events, whose sums would otherwise be computed twice.
  add('unitCosts', unitCostRows(plan, offers, anchorDay));
  add('campaigns', campaignRows(plan, campaigns));
  add('adGroups', adGroupRows(plan, campaigns));
  add('keywords', keywordRows(plan, campaigns, keywords));
  add('targets', targetRows(plan, anchorDay));
  add('searchQueries', searchQueryRows(plan, anchorDay));
  const ordersOf = orderRowsOf(plan);
  const recent: (readonly OrderLineRow[])[] = [];
  let days = 0;
  let left = today - anchorDay + Math.max(plan.orderDays, plan.dailyDays);
  for (const { orderLines, ...others } of simulateDays(plan, anchorDay, today - 1)) {
    recent.push(orderLines);
    if (recent.length > daysOfRecentLines) recent.shift();
    if (left-- > daysMax) continue;
    // On the primary marketplace, orders include their lines.
    if (plan.marketplace === 'primarymkt') add('orders', ordersOf(orderLines));
    else add('orderLines', orderLines);
    for (const [dataset, rows] of Object.entries(others)) add(dataset, rows);
    if (++days % daysPerTurn > 0) continue;
    write();
    await new Promise((resolve) => setImmediate(resolve));
  }
  add('inventory', inventoryHistory(plan, recent.flat(), today, anchorDay));
  write();
  return documents;
}
