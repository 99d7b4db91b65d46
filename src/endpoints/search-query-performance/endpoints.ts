import { endpointsOf } from '../handler.ts';
import * as asins from './asins.ts';
import { searchQueryPerformanceRules } from './asins.ts';
import * as contracts from './contract.ts';

/** The endpoints of search-query-performance. */
export const endpoints = endpointsOf(contracts, asins, {
  recordRules: { listSearchQueryPerformance: searchQueryPerformanceRules },
});
