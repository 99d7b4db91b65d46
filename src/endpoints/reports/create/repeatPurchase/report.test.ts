/** The report of repeat purchases covers only the customers of its channel. */
import assert from 'node:assert/strict';
import { orderLines, repeatConformance } from '../../../../../test/conformance/repeatPurchase.ts';
import { alone, marchInNewYork } from '../../../../../test/conformance/report.ts';
import { onePair } from '../../../../../test/harness.ts';
import { barred, computed } from '../../../../../test/reports.ts';
import { importFacts } from '../../../../../test/world.ts';
import { repeatPurchase } from './report.ts';

onePair('Customers of other channels are no customers of this one', async (world) => {
  const tenant = await world.tenant({ channel: { timezone: 'America/New_York' } });
  await importFacts(world, tenant.channelId, repeatConformance.facts);
  const other = await world.tenant();
  const facts = orderLines(`
    buyerEmail,      purchasedAt,          sku, itemPrice, productId
    ann@example.com, 2025-03-15T00:00:00Z, L-1, 5.00,      B0LAMP
  `);
  await importFacts(world, other.channelId, { orderLines: facts });
  const options = { ...alone(marchInNewYork), timezone: 'UTC' };
  assert.deepEqual(barred(await computed(world, other.channelId, repeatPurchase, options)), [
    'B0LAMP||5.00||0.00||0.00||1||1||0||0.00||5.00||USD',
  ]);
});
