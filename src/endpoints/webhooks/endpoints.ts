import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as records from './records.ts';
import { webhookUrlRules } from './records.ts';

/** The endpoints of webhooks. */
export const endpoints = endpointsOf(contracts, records, {
  recordRules: { changeWebhook: webhookUrlRules, createWebhook: webhookUrlRules },
});
