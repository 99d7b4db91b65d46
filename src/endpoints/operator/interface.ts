/** The table of contents of the operator's interface. */
import type { Contract } from '../../contract/endpoint.ts';
import { operatorContracts } from './contracts.ts';
import { financeCodesContracts } from './financeCodes/contract.ts';
import { importContracts } from './imports/contract.ts';
import { overviewContracts } from './overviewContracts.ts';

/** Every operation, in the order of the description. */
export const operatorInterface = {
  ...operatorContracts,
  ...importContracts,
  ...financeCodesContracts,
  ...overviewContracts,
} satisfies Readonly<Record<string, Contract>>;
