import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as records from './records.ts';

/** The endpoints of channels. */
export const endpoints = endpointsOf(contracts, records);
