/** The operator's interface with its handlers: a contract without one does not compile. */
import type { FastifyInstance } from 'fastify';
import { requireOperator } from '../../access/callers.ts';
import type { Contract } from '../../contract/endpoint.ts';
import { describeContracts, operatorIntroduction } from '../../contract/openapi.ts';
import { addOperation, admission, type Operation } from '../../http/route.ts';
import { addDescription, type OperatorParts } from '../../http/server.ts';
import type { Importer } from '../../import/importer.ts';
import { listAudit } from './audit/records.ts';
import {
  deleteCampaignGroup,
  listCampaignGroups,
  readCampaignGroup,
  saveCampaignGroup,
} from './campaignGroups/records.ts';
import { deleteChannel, listAllChannels, readChannel, saveChannel } from './channels/records.ts';
import { operatorContracts } from './contracts.ts';
import { listImportable } from './datasets/datasets.ts';
import { diagnose } from './diagnosis/diagnosis.ts';
import { financeCodesContracts } from './financeCodes/contract.ts';
import {
  deleteFinanceCode,
  listFinanceCodes,
  readFinanceBooking,
  saveFinanceCode,
} from './financeCodes/records.ts';
import type { OperatorContext, OperatorHandler } from './handler.ts';
import { addImports } from './imports/imports.ts';
import { operatorInterface } from './interface.ts';
import { changeKey, issueKey, listKeys, readKey, revokeKey, rotateKey } from './keys/records.ts';
import {
  changeOrganisation,
  createOrganisation,
  deleteOrganisation,
  listOrganisations,
  readOrganisation,
} from './organisations/records.ts';
import { overviewContracts } from './overviewContracts.ts';
import { listRates } from './rates/rates.ts';
import { listUsage } from './usage/records.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  endUserSessions,
  grantChannels,
  issuePasswordLink,
  listUsers,
  readUser,
} from './users/records.ts';

/** Every operation but those that stream. */
const contracts = { ...operatorContracts, ...financeCodesContracts, ...overviewContracts };
type Contracts = typeof contracts;

const handlers: { readonly [Operation in keyof Contracts]: OperatorHandler<Contracts[Operation]> } =
  {
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
    saveFinanceCode,
    listFinanceCodes,
    readFinanceBooking,
    deleteFinanceCode,
    listAudit,
    listUsage,
    listRates,
    listImportable,
    diagnose,
  };

/** Adds the operator's interface to a server of its own. Nobody without the operator's token gets in. */
export function addOperator(
  server: FastifyInstance,
  context: OperatorParts,
  importer: Importer,
): void {
  addDescription(server, '/operator/openapi.json', () => ({
    ...describeContracts(Object.values(operatorInterface), operatorIntroduction),
    servers: [{ url: context.config.publicUrl }],
  }));
  server.register(async (own) => {
    own.addHook(
      'onRequest',
      admission((request) =>
        requireOperator(request.headers.authorization, context.config.operatorToken),
      ),
    );
    for (const operation of Object.keys(contracts) as (keyof Contracts)[]) {
      const handler = handlers[operation] as (
        asked: unknown,
        context: OperatorContext,
      ) => Promise<unknown>;
      const served: Operation = {
        contract: contracts[operation] as Contract,
        ownerOf: () => 'operator',
        answer: ({ input: asked }, request, _reply, commit) =>
          handler(asked, { ...context, log: request.log, commit }),
      };
      addOperation(own, served, context);
    }
    await own.register(async (streaming) => addImports(streaming, { ...context, importer }));
  });
}
