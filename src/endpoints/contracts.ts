/** The table of contents: every operation of the three interfaces. */
import { type Access, type Contract, contractsIn } from '../contract/endpoint.ts';
import type { Need } from '../contract/grants.ts';
import * as accountAccess from './account/access/contract.ts';
import * as accountKeys from './account/keys/contract.ts';
import * as accountMembers from './account/members/contract.ts';
import * as accountPassword from './account/password/contract.ts';
import * as accountPasswordLink from './account/passwordLink/contract.ts';
import * as accountProfile from './account/profile/contract.ts';
import * as accountRequests from './account/requests/contract.ts';
import * as accountSecondFactor from './account/secondFactor/contract.ts';
import * as accountSession from './account/session/contract.ts';
import * as accountSessions from './account/sessions/contract.ts';
import * as accountUsage from './account/usage/contract.ts';
import * as advertising from './advertising/contract.ts';
import * as channels from './channels/contract.ts';
import * as customGroups from './customGroups/contract.ts';
import * as lineage from './lineage/contract.ts';
import * as operatorAudit from './operator/audit/contract.ts';
import * as operatorBackups from './operator/backups/contract.ts';
import * as operatorCampaignGroups from './operator/campaignGroups/contract.ts';
import * as operatorChannels from './operator/channels/contract.ts';
import * as operatorDiagnosis from './operator/diagnosis/contract.ts';
import * as operatorDocuments from './operator/documents/contract.ts';
import * as operatorFacts from './operator/facts/contract.ts';
import * as operatorFinanceCodes from './operator/financeCodes/contract.ts';
import * as operatorFreshness from './operator/freshness/contract.ts';
import * as operatorImports from './operator/imports/contract.ts';
import * as operatorJobs from './operator/jobs/contract.ts';
import * as operatorKeys from './operator/keys/contract.ts';
import * as operatorOperators from './operator/operators/contract.ts';
import * as operatorOrganisations from './operator/organisations/contract.ts';
import * as operatorRates from './operator/rates/contract.ts';
import * as operatorTaxRates from './operator/taxRates/contract.ts';
import * as operatorUsage from './operator/usage/contract.ts';
import * as operatorUsers from './operator/users/contract.ts';
import * as orders from './orders/contract.ts';
import * as profitabilityCodes from './profitability/codes/contract.ts';
import * as profitability from './profitability/contract.ts';
import { reportContracts } from './reports/create/contract.ts';
import * as reportList from './reports/list/contract.ts';
import * as reportStatus from './reports/status/contract.ts';
import * as reportViews from './reports/view/contract.ts';
import * as viewProfitByPeriod from './reports/view/profitByPeriod/contract.ts';
import * as viewSalesByChannel from './reports/view/salesByChannel/contract.ts';
import * as viewSalesByProduct from './reports/view/salesByProduct/contract.ts';
import * as schedules from './schedules/contract.ts';
import * as searchQueryPerformance from './search-query-performance/contract.ts';
import * as tags from './tags/contract.ts';
import * as targets from './targets/contract.ts';
import * as webhooks from './webhooks/contract.ts';

type Contracts<A extends Access> = Readonly<Record<string, Contract & { readonly access: A }>>;

/** A public operation states what it needs of a key. */
type PublicContracts = Readonly<
  Record<string, Contract & { readonly access: 'key'; readonly needs: Need }>
>;

/** The public interface, by operation. */
export const publicContracts = {
  ...contractsIn(channels),
  ...contractsIn(tags),
  ...contractsIn(customGroups),
  ...contractsIn(reportViews),
  ...contractsIn(viewProfitByPeriod),
  ...contractsIn(viewSalesByProduct),
  ...contractsIn(viewSalesByChannel),
  ...reportContracts,
  ...contractsIn(reportList),
  ...contractsIn(reportStatus),
  ...contractsIn(advertising),
  ...contractsIn(searchQueryPerformance),
  ...contractsIn(targets),
  ...contractsIn(orders),
  ...contractsIn(profitability),
  ...contractsIn(profitabilityCodes),
  ...contractsIn(lineage),
  ...contractsIn(webhooks),
  ...contractsIn(schedules),
} satisfies PublicContracts;

/** The operator interface, by operation. */
export const operatorContracts = {
  ...contractsIn(operatorOrganisations),
  ...contractsIn(operatorUsers),
  ...contractsIn(operatorKeys),
  ...contractsIn(operatorChannels),
  ...contractsIn(operatorTaxRates),
  ...contractsIn(operatorCampaignGroups),
  ...contractsIn(operatorImports),
  ...contractsIn(operatorDocuments),
  ...contractsIn(operatorFacts),
  ...contractsIn(operatorBackups),
  ...contractsIn(operatorFreshness),
  ...contractsIn(operatorFinanceCodes),
  ...contractsIn(operatorOperators),
  ...contractsIn(operatorAudit),
  ...contractsIn(operatorJobs),
  ...contractsIn(operatorUsage),
  ...contractsIn(operatorRates),
  ...contractsIn(operatorDiagnosis),
} satisfies Contracts<'operator'>;

/** The interface of the account pages, by operation. */
export const accountContracts = {
  ...contractsIn(accountSession),
  ...contractsIn(accountSessions),
  ...contractsIn(accountPassword),
  ...contractsIn(accountPasswordLink),
  ...contractsIn(accountAccess),
  ...contractsIn(accountKeys),
  ...contractsIn(accountUsage),
  ...contractsIn(accountSecondFactor),
  ...contractsIn(accountRequests),
  ...contractsIn(accountProfile),
  ...contractsIn(accountMembers),
} satisfies Contracts<'session' | 'open'>;

/** All operations. */
export const contracts = { ...publicContracts, ...operatorContracts, ...accountContracts };
