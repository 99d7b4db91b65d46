/** The handler of each operation in the table of contents; the compiler wants them complete. */

import { readAccess } from './account/access/access.ts';
import { revealKey } from './account/keys/revealKey.ts';
import { changePassword } from './account/password/password.ts';
import { readPasswordLink, usePasswordLink } from './account/passwordLink/passwordLink.ts';
import { listRecentRequests } from './account/requests/requests.ts';
import { confirmPassword, readSession, signIn, signOut } from './account/session/session.ts';
import { endOtherSessions, endSession, listSessions } from './account/sessions/sessions.ts';
import { readUsage } from './account/usage/usage.ts';
import { listAdGroups } from './advertising/adGroups.ts';
import { listCampaigns } from './advertising/campaigns.ts';
import { listProducts } from './advertising/products.ts';
import { listChannels } from './channels/records.ts';
import { contracts } from './contracts.ts';
import {
  changeCustomGroup,
  deleteCustomGroup,
  listCustomGroups,
  readCustomGroup,
  saveCustomGroup,
} from './customGroups/records.ts';
import type { AnyEndpoint, Handler } from './handler.ts';
import { listAudit } from './operator/audit/records.ts';
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
import { deleteFacts } from './operator/facts/records.ts';
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
import {
  changeKey,
  issueKey,
  listKeys,
  readKey,
  revokeKey,
  rotateKey,
} from './operator/keys/records.ts';
import {
  changeOrganisation,
  createOrganisation,
  deleteOrganisation,
  listOrganisations,
  readOrganisation,
} from './operator/organisations/records.ts';
import { listRates } from './operator/rates/rates.ts';
import { listUsage } from './operator/usage/records.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  endUserSessions,
  grantChannels,
  issuePasswordLink,
  listUsers,
  readUser,
} from './operator/users/records.ts';
import { listOrders } from './orders/orders.ts';
import { readDirectCostsJobStatus, saveDirectCosts } from './profitability/directCosts.ts';
import { readProductProfitAndLoss } from './profitability/productProfitAndLoss.ts';
import { readStoreProfitAndLoss } from './profitability/storeProfitAndLoss.ts';
import { reportHandlers } from './reports/create/create.ts';
import { readReportStatus } from './reports/status/status.ts';
import { viewAdvertisingByChannels } from './reports/view/advertisingByChannels.ts';
import { viewSalesByPeriod } from './reports/view/salesByPeriod.ts';
import { viewVendorSalesByPeriod } from './reports/view/vendorSalesByPeriod.ts';
import { listSearchQueryPerformance } from './search-query-performance/asins.ts';
import { changeChannelTags } from './tags/records.ts';
import { readTargets } from './targets/targets.ts';

type Contracts = typeof contracts;

const handlers: { readonly [Operation in keyof Contracts]: Handler<Contracts[Operation]> } = {
  listChannels,
  changeChannelTags,
  saveCustomGroup,
  listCustomGroups,
  readCustomGroup,
  changeCustomGroup,
  deleteCustomGroup,
  viewSalesByPeriod,
  viewVendorSalesByPeriod,
  viewAdvertisingByChannels,
  ...reportHandlers,
  readReportStatus,
  listCampaigns,
  listAdGroups,
  listProducts,
  listSearchQueryPerformance,
  readTargets,
  listOrders,
  readStoreProfitAndLoss,
  readProductProfitAndLoss,
  saveDirectCosts,
  readDirectCostsJobStatus,
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
  issueKey,
  listKeys,
  readKey,
  changeKey,
  rotateKey,
  revokeKey,
  saveChannel,
  listAllChannels,
  readChannel,
  deleteChannel,
  saveCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  deleteCampaignGroup,
  importDataset,
  importDocument,
  undoImport,
  deleteFacts,
  listImports,
  readImport,
  listImportRejections,
  readFreshness,
  saveFinanceCode,
  listFinanceCodes,
  readFinanceBooking,
  deleteFinanceCode,
  listAudit,
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
  readUsage,
  listRecentRequests,
};

/** Every operation with its handler, ready to be served. */
export const endpoints: readonly AnyEndpoint[] = Object.entries(contracts).map(
  ([operation, contract]) =>
    ({ contract, handler: handlers[operation as keyof Contracts] }) as AnyEndpoint,
);
