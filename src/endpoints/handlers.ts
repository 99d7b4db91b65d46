/** The handler of each operation in the table of contents; the compiler wants them complete. */

import type { InputOf } from '../contract/endpoint.ts';
import { readAccess } from './account/access/access.ts';
import { changeMadeKey, madeKeyRules, makeKey, revokeMadeKey } from './account/keys/madeKeys.ts';
import { revealKey } from './account/keys/revealKey.ts';
import {
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
  renewInvitation,
} from './account/members/members.ts';
import { changePassword } from './account/password/password.ts';
import { readPasswordLink, usePasswordLink } from './account/passwordLink/passwordLink.ts';
import { changeProfile, readProfile } from './account/profile/profile.ts';
import { listRecentRequests } from './account/requests/requests.ts';
import {
  confirmSecondFactor,
  enrolSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './account/secondFactor/secondFactor.ts';
import { confirmPassword, readSession, signIn, signOut } from './account/session/session.ts';
import { endOtherSessions, endSession, listSessions } from './account/sessions/sessions.ts';
import { readUsage } from './account/usage/usage.ts';
import { adGroupRules, listAdGroups } from './advertising/adGroups.ts';
import { campaignRules, listCampaigns, recordsOfCampaigns } from './advertising/campaigns.ts';
import { keywordRules, listKeywords } from './advertising/keywords.ts';
import { listProducts, productRules } from './advertising/products.ts';
import { recordsOfList } from './advertising/scope.ts';
import { listChannels } from './channels/records.ts';
import { contracts } from './contracts.ts';
import {
  changeCustomGroup,
  changeGroupRules,
  deleteCustomGroup,
  listCustomGroups,
  readCustomGroup,
  saveCustomGroup,
} from './customGroups/records.ts';
import type { AnyEndpoint, Context, Handler, RecordRules } from './handler.ts';
import { readLineage } from './lineage/lineage.ts';
import { exportAudit, listAudit } from './operator/audit/records.ts';
import { createBackup, exportFacts } from './operator/backups/backups.ts';
import {
  deleteCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  saveCampaignGroup,
} from './operator/campaignGroups/records.ts';
import {
  deleteChannel,
  listAllChannels,
  readChannel,
  saveChannel,
} from './operator/channels/records.ts';
import { diagnose } from './operator/diagnosis/diagnosis.ts';
import { importDocument, listImportable } from './operator/documents/documents.ts';
import { deleteFacts, deleteFactsRules } from './operator/facts/records.ts';
import {
  deleteFinanceCode,
  listFinanceCodes,
  readFinanceBooking,
  saveFinanceCode,
} from './operator/financeCodes/records.ts';
import { readFreshness } from './operator/freshness/freshness.ts';
import { importDataset } from './operator/imports/imports.ts';
import { listImportRejections, listImports, readImport } from './operator/imports/records.ts';
import { undoImport } from './operator/imports/undo.ts';
import { cancelJob, listJobs } from './operator/jobs/records.ts';
import {
  changeKey,
  changeKeyRules,
  issueKey,
  issueKeyRules,
  listKeys,
  readKey,
  revokeKey,
  rotateKey,
  rotateKeyRules,
} from './operator/keys/records.ts';
import {
  createOperator,
  deleteOperator,
  listOperators,
  rotateOperator,
} from './operator/operators/records.ts';
import {
  changeOrganisation,
  createOrganisation,
  deleteOrganisation,
  listOrganisations,
  readOrganisation,
} from './operator/organisations/records.ts';
import { listRates } from './operator/rates/rates.ts';
import { readTaxRates, saveTaxRates } from './operator/taxRates/records.ts';
import { listUsage } from './operator/usage/records.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  endUserSessions,
  grantChannels,
  grantRules,
  issuePasswordLink,
  listUsers,
  readUser,
  removeUserSecondFactor,
} from './operator/users/records.ts';
import { listOrders, ordersRules } from './orders/orders.ts';
import { listUnknownCodes, saveCode, saveCodeRules } from './profitability/codes/codes.ts';
import {
  directCostsRules,
  readDirectCostsJobStatus,
  saveDirectCosts,
} from './profitability/directCosts.ts';
import { readProductProfitAndLoss } from './profitability/productProfitAndLoss.ts';
import { readStoreProfitAndLoss } from './profitability/storeProfitAndLoss.ts';
import { datasetChannelRule, organisationRule, sellerRule } from './recordRules.ts';
import { createReportRules, reportHandlers } from './reports/create/create.ts';
import { listReports } from './reports/list/list.ts';
import { readReportStatus } from './reports/status/status.ts';
import { viewAdvertisingByChannels } from './reports/view/advertisingByChannels/advertisingByChannels.ts';
import { profitByPeriodRules, recordsOfProfit } from './reports/view/profitByPeriod/channels.ts';
import { viewProfitByPeriod } from './reports/view/profitByPeriod/profitByPeriod.ts';
import { viewSalesByChannel } from './reports/view/salesByChannel/salesByChannel.ts';
import { salesByPeriodRules, viewSalesByPeriod } from './reports/view/salesByPeriod.ts';
import { viewSalesByProduct } from './reports/view/salesByProduct/salesByProduct.ts';
import {
  vendorSalesByPeriodRules,
  viewVendorSalesByPeriod,
} from './reports/view/vendorSalesByPeriod.ts';
import { recordsOfView, viewedChannelsRules } from './reports/view/viewedChannels.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
  scheduleRules,
} from './schedules/records.ts';
import {
  listSearchQueryPerformance,
  searchQueryPerformanceRules,
} from './search-query-performance/asins.ts';
import {
  changeChannelTags,
  changeTagsRules,
  convertTag,
  listTags,
  readChannelTags,
} from './tags/records.ts';
import { readTargets } from './targets/targets.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  webhookUrlRules,
} from './webhooks/records.ts';

type Contracts = typeof contracts;

const handlers: { readonly [Operation in keyof Contracts]: Handler<Contracts[Operation]> } = {
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
  ...reportHandlers,
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
};

/** The rules of operations that need records. */
const recordRules: { readonly [Operation in keyof Contracts]?: RecordRules<Contracts[Operation]> } =
  {
    changeChannelTags: changeTagsRules,
    changeCustomGroup: changeGroupRules,
    viewSalesByPeriod: salesByPeriodRules,
    viewVendorSalesByPeriod: vendorSalesByPeriodRules,
    viewProfitByPeriod: profitByPeriodRules,
    viewAdvertisingByChannels: viewedChannelsRules,
    viewSalesByChannel: viewedChannelsRules,
    ...createReportRules,
    listCampaigns: campaignRules,
    listAdGroups: adGroupRules,
    listKeywords: keywordRules,
    listProducts: productRules,
    listSearchQueryPerformance: searchQueryPerformanceRules,
    listOrders: ordersRules,
    readStoreProfitAndLoss: [sellerRule],
    readProductProfitAndLoss: [sellerRule],
    listUnknownCodes: [sellerRule],
    saveCode: saveCodeRules,
    saveDirectCosts: directCostsRules,
    createWebhook: webhookUrlRules,
    changeWebhook: webhookUrlRules,
    createSchedule: scheduleRules,
    createUser: [organisationRule],
    grantChannels: grantRules,
    issueKey: issueKeyRules,
    changeKey: changeKeyRules,
    makeKey: madeKeyRules,
    changeMadeKey: madeKeyRules,
    rotateKey: rotateKeyRules,
    saveChannel: [organisationRule],
    saveCampaignGroup: [organisationRule],
    importDataset: [datasetChannelRule],
    deleteFacts: deleteFactsRules,
  };

/** Reads the records that kept answers follow from, beside what `keepable` names. */
const recordsOf: {
  readonly [Operation in keyof Contracts]?: (
    input: InputOf<Contracts[Operation]>,
    context: Context,
  ) => Promise<unknown>;
} = {
  viewProfitByPeriod: recordsOfProfit,
  viewAdvertisingByChannels: recordsOfView,
  viewSalesByChannel: recordsOfView,
  listCampaigns: recordsOfCampaigns,
  listAdGroups: recordsOfList,
  listKeywords: recordsOfList,
  listProducts: recordsOfList,
};

/** Every operation with its handler and rules, ready to be served. */
export const endpoints: readonly AnyEndpoint[] = Object.entries(contracts).map(
  ([name, contract]) => {
    const operation = name as keyof Contracts;
    return {
      contract,
      handler: handlers[operation],
      recordRules: recordRules[operation] ?? [],
      recordsOf: recordsOf[operation],
    } as unknown as AnyEndpoint;
  },
);
