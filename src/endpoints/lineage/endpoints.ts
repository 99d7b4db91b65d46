import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as lineage from './lineage.ts';

/** The endpoints of lineage. */
export const endpoints = endpointsOf(contracts, lineage);
