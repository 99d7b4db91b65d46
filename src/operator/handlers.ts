/** The operator's interface with its handlers: a contract without one does not compile. */
import type { FastifyInstance } from 'fastify';
import type { Contract } from '../contract/endpoint.ts';
import { describeContracts, operatorIntroduction } from '../contract/openapi.ts';
import { refuseStranger } from '../http/auth.ts';
import { addOperation, admission } from '../http/route.ts';
import { addDescription, type OperatorParts } from '../http/server.ts';
import type { Importer } from '../intake/import.ts';
import { listAudit } from './audit.ts';
import { deleteChannel, listAllChannels, readChannel, saveChannel } from './channels.ts';
import { operatorContracts } from './contracts.ts';
import type { OperatorContext, OperatorHandler } from './handler.ts';
import { importContracts } from './importContracts.ts';
import { addImports } from './imports.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import { changeOrganisation, createOrganisation, listOrganisations, readOrganisation } from './organisations.ts';
import { changeUser, createUser, grantChannels, listUsers, readUser } from './users.ts';

type Contracts = typeof operatorContracts;

const handlers: { readonly [Operation in keyof Contracts]: OperatorHandler<Contracts[Operation]> } = {
  createOrganisation,
  listOrganisations,
  readOrganisation,
  changeOrganisation,
  createUser,
  listUsers,
  readUser,
  changeUser,
  grantChannels,
  issueKey,
  listKeys,
  rotateKey,
  revokeKey,
  saveChannel,
  listAllChannels,
  readChannel,
  deleteChannel,
  listAudit,
};

/** Adds the operator's interface to a server of its own. Nobody without the operator's token gets in. */
export function addOperator(server: FastifyInstance, context: OperatorParts, importer: Importer): void {
  addDescription(server, '/operator/openapi.json', () => ({
    ...describeContracts([...Object.values(operatorContracts), ...Object.values(importContracts)], operatorIntroduction),
    servers: [{ url: context.config.publicUrl }],
  }));
  server.register(async (own) => {
    own.addHook(
      'onRequest',
      admission((request) => refuseStranger(request.headers.authorization, context.config.operatorToken)),
    );
    for (const operation of Object.keys(operatorContracts) as (keyof Contracts)[]) {
      const handler = handlers[operation] as (asked: unknown, context: OperatorContext) => Promise<unknown>;
      addOperation(own, {
        contract: operatorContracts[operation] as Contract,
        answer: ({ asked }, request) => handler(asked, { ...context, log: request.log }),
      });
    }
    await own.register(async (streaming) => addImports(streaming, { ...context, importer }));
  });
}
