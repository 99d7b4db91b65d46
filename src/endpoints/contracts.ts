/** The table of contents: every operation of the three interfaces. */
import type { Access, Contract } from '../contract/endpoint.ts';
import type { Need } from '../contract/grants.ts';
import { readAccess } from './account/access/contract.ts';
import { changeMadeKey, makeKey, revealKey, revokeMadeKey } from './account/keys/contract.ts';
import {
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
  renewInvitation,
} from './account/members/contract.ts';
import { changePassword } from './account/password/contract.ts';
import { readPasswordLink, usePasswordLink } from './account/passwordLink/contract.ts';
import { changeProfile, readProfile } from './account/profile/contract.ts';
import { listRecentRequests } from './account/requests/contract.ts';
import {
  confirmSecondFactor,
  enrolSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './account/secondFactor/contract.ts';
import { confirmPassword, readSession, signIn, signOut } from './account/session/contract.ts';
import { endOtherSessions, endSession, listSessions } from './account/sessions/contract.ts';
import { readUsage } from './account/usage/contract.ts';
import { listAdGroups, listCampaigns, listKeywords, listProducts } from './advertising/contract.ts';
import { listChannels } from './channels/contract.ts';
import {
  changeCustomGroup,
  deleteCustomGroup,
  listCustomGroups,
  readCustomGroup,
  saveCustomGroup,
} from './customGroups/contract.ts';
import { readLineage } from './lineage/contract.ts';
import { exportAudit, listAudit } from './operator/audit/contract.ts';
import { createBackup, exportFacts } from './operator/backups/contract.ts';
import {
  deleteCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  saveCampaignGroup,
} from './operator/campaignGroups/contract.ts';
import {
  deleteChannel,
  listAllChannels,
  readChannel,
  saveChannel,
} from './operator/channels/contract.ts';
import { diagnose } from './operator/diagnosis/contract.ts';
import { importDocument, listImportable } from './operator/documents/contract.ts';
import { deleteFacts } from './operator/facts/contract.ts';
import {
  deleteFinanceCode,
  listFinanceCodes,
  readFinanceBooking,
  saveFinanceCode,
} from './operator/financeCodes/contract.ts';
import { readFreshness } from './operator/freshness/contract.ts';
import {
  importDataset,
  listImportRejections,
  listImports,
  readImport,
  undoImport,
} from './operator/imports/contract.ts';
import { cancelJob, listJobs } from './operator/jobs/contract.ts';
import {
  changeKey,
  issueKey,
  listKeys,
  readKey,
  revokeKey,
  rotateKey,
} from './operator/keys/contract.ts';
import {
  createOperator,
  deleteOperator,
  listOperators,
  rotateOperator,
} from './operator/operators/contract.ts';
import {
  changeOrganisation,
  createOrganisation,
  deleteOrganisation,
  listOrganisations,
  readOrganisation,
} from './operator/organisations/contract.ts';
import { listRates } from './operator/rates/contract.ts';
import { readTaxRates, saveTaxRates } from './operator/taxRates/contract.ts';
import { listUsage } from './operator/usage/contract.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  endUserSessions,
  grantChannels,
  issuePasswordLink,
  listUsers,
  readUser,
  removeUserSecondFactor,
} from './operator/users/contract.ts';
import { listOrders } from './orders/contract.ts';
import { listUnknownCodes, saveCode } from './profitability/codes/contract.ts';
import {
  readDirectCostsJobStatus,
  readProductProfitAndLoss,
  readStoreProfitAndLoss,
  saveDirectCosts,
} from './profitability/contract.ts';
import { reportContracts } from './reports/create/contract.ts';
import { listReports } from './reports/list/contract.ts';
import { readReportStatus } from './reports/status/contract.ts';
import {
  viewAdvertisingByChannels,
  viewSalesByPeriod,
  viewVendorSalesByPeriod,
} from './reports/view/contract.ts';
import { viewProfitByPeriod } from './reports/view/profitByPeriod/contract.ts';
import { viewSalesByChannel } from './reports/view/salesByChannel/contract.ts';
import { viewSalesByProduct } from './reports/view/salesByProduct/contract.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
} from './schedules/contract.ts';
import { listSearchQueryPerformance } from './search-query-performance/contract.ts';
import { changeChannelTags, convertTag, listTags, readChannelTags } from './tags/contract.ts';
import { readTargets } from './targets/contract.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
} from './webhooks/contract.ts';

type Contracts<A extends Access> = Readonly<Record<string, Contract & { readonly access: A }>>;

/** A public operation says what it needs of a key. */
type PublicContracts = Readonly<
  Record<string, Contract & { readonly access: 'key'; readonly needs: Need }>
>;

/** The public interface, by operation. */
export const publicContracts = {
  listChannels,
  listTags,
  readChannelTags,
  changeChannelTags,
  convertTag,
  saveCustomGroup,
  listCustomGroups,
  readCustomGroup,
  changeCustomGroup,
  deleteCustomGroup,
  viewSalesByPeriod,
  viewVendorSalesByPeriod,
  viewAdvertisingByChannels,
  viewProfitByPeriod,
  viewSalesByProduct,
  viewSalesByChannel,
  ...reportContracts,
  listReports,
  readReportStatus,
  listCampaigns,
  listAdGroups,
  listKeywords,
  listProducts,
  listSearchQueryPerformance,
  readTargets,
  listOrders,
  readStoreProfitAndLoss,
  readProductProfitAndLoss,
  listUnknownCodes,
  saveCode,
  saveDirectCosts,
  readDirectCostsJobStatus,
  readLineage,
  createWebhook,
  listWebhooks,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  replayWebhookDelivery,
  createSchedule,
  listSchedules,
  changeSchedule,
  deleteSchedule,
  runSchedule,
  listScheduleRuns,
} satisfies PublicContracts;

/** The operator interface, by operation. */
export const operatorContracts = {
  createOrganisation,
  listOrganisations,
  readOrganisation,
  changeOrganisation,
  deleteOrganisation,
  createUser,
  listUsers,
  readUser,
  changeUser,
  deleteUser,
  grantChannels,
  issuePasswordLink,
  endUserSessions,
  removeUserSecondFactor,
  issueKey,
  listKeys,
  readKey,
  changeKey,
  rotateKey,
  revokeKey,
  saveChannel,
  listAllChannels,
  readChannel,
  readTaxRates,
  saveTaxRates,
  deleteChannel,
  saveCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  deleteCampaignGroup,
  importDataset,
  importDocument,
  undoImport,
  deleteFacts,
  createBackup,
  exportFacts,
  listImports,
  readImport,
  listImportRejections,
  readFreshness,
  saveFinanceCode,
  listFinanceCodes,
  readFinanceBooking,
  deleteFinanceCode,
  createOperator,
  listOperators,
  rotateOperator,
  deleteOperator,
  listAudit,
  exportAudit,
  listJobs,
  cancelJob,
  listUsage,
  listRates,
  listImportable,
  diagnose,
} satisfies Contracts<'operator'>;

/** The interface of the account pages, by operation. */
export const accountContracts = {
  signIn,
  readSession,
  signOut,
  confirmPassword,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
  readPasswordLink,
  usePasswordLink,
  readAccess,
  revealKey,
  makeKey,
  changeMadeKey,
  revokeMadeKey,
  readUsage,
  readSecondFactor,
  enrolSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  listRecentRequests,
  readProfile,
  changeProfile,
  listMembers,
  inviteMember,
  changeMember,
  renewInvitation,
  removeMember,
} satisfies Contracts<'session' | 'open'>;

/** All operations. */
export const contracts = { ...publicContracts, ...operatorContracts, ...accountContracts };
