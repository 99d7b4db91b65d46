import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import { exampleChannel } from '../../../../contract/examples.ts';
import { createdText, Format, reportFields } from '../../../../contract/reports.ts';
import { channelFields } from '../../../../contract/shapes.ts';

/** POST /reports/create/inventoryReplenishment */
export const createInventoryReplenishmentReport = contract({
  operation: 'createInventoryReplenishmentReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/inventoryReplenishment',
  needs: 'reports:read',
  summary: 'Create an inventory replenishment report',
  description:
    'Creates a CSV report of a seller channel with one row per SKU that the marketplace fulfils: ' +
    `how long its stock lasts, how much to send, and when. ${createdText}`,
  body: Type.Object({ ...channelFields, format: Format }),
  channel: true,
  idempotencyKey: true,
  example: exampleChannel,
  answer: Type.Object(reportFields, { component: 'Report' }),
});
