import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as records from './records.ts';
import { changeTagsRules } from './records.ts';

/** The endpoints of tags. */
export const endpoints = endpointsOf(contracts, records, {
  recordRules: { changeChannelTags: changeTagsRules },
});
