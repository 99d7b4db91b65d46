import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as targets from './targets.ts';

/** The endpoints of targets. */
export const endpoints = endpointsOf(contracts, targets);
