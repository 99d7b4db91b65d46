import { endpointsOf } from '../handler.ts';
import { datasetChannelRule, organisationRule } from '../recordRules.ts';
import * as auditContracts from './audit/contract.ts';
import * as audit from './audit/records.ts';
import * as backups from './backups/backups.ts';
import * as backupsContracts from './backups/contract.ts';
import * as campaignGroupsContracts from './campaignGroups/contract.ts';
import * as campaignGroups from './campaignGroups/records.ts';
import * as channelsContracts from './channels/contract.ts';
import * as channels from './channels/records.ts';
import * as diagnosisContracts from './diagnosis/contract.ts';
import * as diagnosis from './diagnosis/diagnosis.ts';
import * as documentsContracts from './documents/contract.ts';
import * as documents from './documents/documents.ts';
import * as factsContracts from './facts/contract.ts';
import * as facts from './facts/records.ts';
import { deleteFactsRules } from './facts/records.ts';
import * as financeCodesContracts from './financeCodes/contract.ts';
import * as financeCodes from './financeCodes/records.ts';
import * as freshnessContracts from './freshness/contract.ts';
import * as freshness from './freshness/freshness.ts';
import * as importsContracts from './imports/contract.ts';
import * as imports from './imports/imports.ts';
import * as records from './imports/records.ts';
import * as undo from './imports/undo.ts';
import * as jobsContracts from './jobs/contract.ts';
import * as jobs from './jobs/records.ts';
import * as keysContracts from './keys/contract.ts';
import * as keys from './keys/records.ts';
import { changeKeyRules, issueKeyRules, rotateKeyRules } from './keys/records.ts';
import * as operatorsContracts from './operators/contract.ts';
import * as operators from './operators/records.ts';
import * as organisationsContracts from './organisations/contract.ts';
import * as organisations from './organisations/records.ts';
import * as ratesContracts from './rates/contract.ts';
import * as rates from './rates/rates.ts';
import * as taxRatesContracts from './taxRates/contract.ts';
import * as taxRates from './taxRates/records.ts';
import * as usageContracts from './usage/contract.ts';
import * as usage from './usage/records.ts';
import * as usersContracts from './users/contract.ts';
import * as users from './users/records.ts';
import { grantRules } from './users/records.ts';

/** The endpoints of the operator. */
export const endpoints = [
  ...endpointsOf(organisationsContracts, organisations),
  ...endpointsOf(usersContracts, users, {
    recordRules: { createUser: [organisationRule], grantChannels: grantRules },
  }),
  ...endpointsOf(keysContracts, keys, {
    recordRules: {
      changeKey: changeKeyRules,
      issueKey: issueKeyRules,
      rotateKey: rotateKeyRules,
    },
  }),
  ...endpointsOf(channelsContracts, channels, { recordRules: { saveChannel: [organisationRule] } }),
  ...endpointsOf(taxRatesContracts, taxRates),
  ...endpointsOf(campaignGroupsContracts, campaignGroups, {
    recordRules: { saveCampaignGroup: [organisationRule] },
  }),
  ...endpointsOf(
    importsContracts,
    { ...imports, ...records, ...undo },
    { recordRules: { importDataset: [datasetChannelRule] } },
  ),
  ...endpointsOf(documentsContracts, documents),
  ...endpointsOf(factsContracts, facts, { recordRules: { deleteFacts: deleteFactsRules } }),
  ...endpointsOf(backupsContracts, backups),
  ...endpointsOf(freshnessContracts, freshness),
  ...endpointsOf(financeCodesContracts, financeCodes),
  ...endpointsOf(operatorsContracts, operators),
  ...endpointsOf(auditContracts, audit),
  ...endpointsOf(jobsContracts, jobs),
  ...endpointsOf(usageContracts, usage),
  ...endpointsOf(ratesContracts, rates),
  ...endpointsOf(diagnosisContracts, diagnosis),
];
