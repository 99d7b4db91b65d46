import { endpointsOf } from '../handler.ts';
import * as adGroups from './adGroups.ts';
import { adGroupRules } from './adGroups.ts';
import * as campaigns from './campaigns.ts';
import { campaignRules, recordsOfCampaigns } from './campaigns.ts';
import * as contracts from './contract.ts';
import * as keywords from './keywords.ts';
import { keywordRules } from './keywords.ts';
import * as products from './products.ts';
import { productRules } from './products.ts';
import { recordsOfList } from './scope.ts';

/** The endpoints of advertising. */
export const endpoints = endpointsOf(
  contracts,
  { ...adGroups, ...campaigns, ...keywords, ...products },
  {
    recordRules: {
      listAdGroups: adGroupRules,
      listCampaigns: campaignRules,
      listKeywords: keywordRules,
      listProducts: productRules,
    },
    recordsOf: {
      listAdGroups: recordsOfList,
      listCampaigns: recordsOfCampaigns,
      listKeywords: recordsOfList,
      listProducts: recordsOfList,
    },
  },
);
