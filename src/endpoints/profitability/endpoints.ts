import { endpointsOf } from '../handler.ts';
import { sellerRule } from '../recordRules.ts';
import * as codes from './codes/codes.ts';
import { saveCodeRules } from './codes/codes.ts';
import * as codesContracts from './codes/contract.ts';
import * as profitabilityContracts from './contract.ts';
import * as directCosts from './directCosts.ts';
import { directCostsRules } from './directCosts.ts';
import * as productProfitAndLoss from './productProfitAndLoss.ts';
import * as storeProfitAndLoss from './storeProfitAndLoss.ts';

/** The endpoints of profitability. */
export const endpoints = endpointsOf(
  { ...codesContracts, ...profitabilityContracts },
  { ...codes, ...directCosts, ...productProfitAndLoss, ...storeProfitAndLoss },
  {
    recordRules: {
      listUnknownCodes: [sellerRule],
      saveCode: saveCodeRules,
      readProductProfitAndLoss: [sellerRule],
      readStoreProfitAndLoss: [sellerRule],
      saveDirectCosts: directCostsRules,
    },
  },
);
