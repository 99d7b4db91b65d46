/** The table of contents: every operation of the public interface. */
import type { Contract } from '../contract/endpoint.ts';
import { listChannels } from './channels/contract.ts';
import { viewSalesByPeriod } from './reports/view/contract.ts';

/** Contracts by operation. */
export const contracts = { listChannels, viewSalesByPeriod } satisfies Readonly<Record<string, Contract>>;
