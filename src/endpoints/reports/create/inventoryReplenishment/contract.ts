import { exampleChannel } from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';

/** POST /reports/create/inventoryReplenishment */
export const createInventoryReplenishmentReport = reportContract('inventoryReplenishment', {
  summary: 'Create an inventory replenishment report',
  description:
    'Creates a CSV report of a seller channel with one row per SKU that the marketplace fulfils: ' +
    'how long its stock lasts, how much to send, and when.',
  example: exampleChannel,
});
