import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as orders from './orders.ts';
import { ordersRules } from './orders.ts';

/** The endpoints of orders. */
export const endpoints = endpointsOf(contracts, orders, {
  recordRules: { listOrders: ordersRules },
});
