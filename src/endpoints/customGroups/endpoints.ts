import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as records from './records.ts';
import { changeGroupRules } from './records.ts';

/** The endpoints of customGroups. */
export const endpoints = endpointsOf(contracts, records, {
  recordRules: { changeCustomGroup: changeGroupRules },
});
