/** Calls the operator API, typed by its contracts. Only types are imported, which add no code. */
import type { AnswerOf, Contract, InputOf } from '../../contract/endpoint.ts';
import type * as audit from '../../endpoints/operator/audit/contract.ts';
import type * as channels from '../../endpoints/operator/channels/contract.ts';
import type * as diagnosis from '../../endpoints/operator/diagnosis/contract.ts';
import type * as documents from '../../endpoints/operator/documents/contract.ts';
import type * as freshness from '../../endpoints/operator/freshness/contract.ts';
import type * as imports from '../../endpoints/operator/imports/contract.ts';
import type * as jobs from '../../endpoints/operator/jobs/contract.ts';
import type * as keys from '../../endpoints/operator/keys/contract.ts';
import type * as organisations from '../../endpoints/operator/organisations/contract.ts';
import type * as taxRates from '../../endpoints/operator/taxRates/contract.ts';
import type * as users from '../../endpoints/operator/users/contract.ts';
import { Refused, refusalOf, send } from '../client.ts';
import { type Partly, requestAt } from '../request.ts';
import { type OptionValues, parametersOf } from './importOptions.ts';

type Modules = typeof audit &
  typeof channels &
  typeof diagnosis &
  typeof documents &
  typeof freshness &
  typeof imports &
  typeof jobs &
  typeof keys &
  typeof organisations &
  typeof taxRates &
  typeof users;
type Contracts = {
  readonly [Name in keyof Modules as Modules[Name] extends Contract ? Name : never]: Modules[Name];
};
/** An operation of the operator interface. */
type Operation = keyof Contracts;
/** The input of an operation; fields with a default are optional. */
export type Input<Name extends Operation> = Partly<InputOf<Contracts[Name]>>;
/** The answer of an operation. */
export type Answer<Name extends Operation> = AnswerOf<Contracts[Name]>;

/** The operations that the console asks, as method and path. */
const routes = {
  cancelJob: 'DELETE /operator/jobs/{jobId}',
  changeOrganisation: 'PATCH /operator/organisations/{organisationId}',
  changeUser: 'PATCH /operator/users/{userId}',
  createOrganisation: 'POST /operator/organisations',
  createUser: 'POST /operator/users',
  deleteUser: 'DELETE /operator/users/{userId}',
  diagnose: 'GET /operator/diagnosis',
  endUserSessions: 'DELETE /operator/users/{userId}/sessions',
  grantChannels: 'PUT /operator/users/{userId}/channels',
  issueKey: 'POST /operator/keys',
  issuePasswordLink: 'POST /operator/users/{userId}/passwordLinks',
  listAllChannels: 'GET /operator/channels',
  listAudit: 'GET /operator/audit',
  listImportRejections: 'GET /operator/imports/{importId}/rejected',
  listImportable: 'GET /operator/documents',
  listImports: 'GET /operator/imports',
  listJobs: 'GET /operator/jobs',
  listKeys: 'GET /operator/keys',
  listOrganisations: 'GET /operator/organisations',
  listUsers: 'GET /operator/users',
  readChannel: 'GET /operator/channels/{channelId}',
  readFreshness: 'GET /operator/freshness',
  readTaxRates: 'GET /operator/channels/{channelId}/taxRates',
  readImport: 'GET /operator/imports/{importId}',
  readOrganisation: 'GET /operator/organisations/{organisationId}',
  readUser: 'GET /operator/users/{userId}',
  removeUserSecondFactor: 'DELETE /operator/users/{userId}/secondFactor',
  revokeKey: 'DELETE /operator/keys/{keyId}',
  saveTaxRates: 'PUT /operator/channels/{channelId}/taxRates',
} as const satisfies {
  readonly [Name in Operation]?: `${Contracts[Name]['method']} ${Contracts[Name]['path']}`;
};
/** An operation that the console asks. */
export type Asked = keyof typeof routes;

/** Asks an operation with the token; rejects with Refused. */
export async function askOperator<Name extends Asked>(
  token: string,
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { method, path, body = {} } = requestAt(routes[name], input as object);
  const sent = Object.keys(body).length > 0 ? body : undefined;
  try {
    const { text } = await send(method, path, sent, signal, 'application/json', token);
    return (text === '' ? undefined : JSON.parse(text)) as Answer<Name>;
  } catch (error) {
    throw explained(error as Refused);
  }
}

/** Says what to do about a token that is not accepted or may not do something. */
function explained(refused: Refused): Refused {
  const { status, message, requestId } = refused;
  const words: Readonly<Record<number, string>> = {
    401: 'This token is not accepted. Copy it again, or ask for one that is still valid.',
    403: `${message} Leave, and enter a token that may do this.`,
  };
  const text = words[status];
  return text === undefined ? refused : new Refused(status, text, { requestId });
}

/** The result of an import. */
export type Recap = Answer<'importDocument'>;

/** A document that was refused as a whole, with what was read of it. */
export class RefusedDocument extends Refused {
  readonly recap: Recap | undefined;

  constructor(refused: Refused, recap: Recap | undefined) {
    super(refused.status, refused.message, { requestId: refused.requestId });
    this.recap = recap;
  }
}

/** The longest name of a file that an import takes. */
const fileNameMax = 255;

type Sent = {
  readonly token: string;
  readonly channelId: string;
  readonly file: File;
  readonly options: OptionValues;
};

/** Imports a document into a channel; reports the part of it that was sent, from 0 to 1. */
export function importDocument(
  { token, channelId, file, options }: Sent,
  report: (part: number) => void,
): Promise<Recap> {
  return new Promise((resolve, reject) => {
    // Of the two ways to send, only this one reports its progress.
    const request = new XMLHttpRequest();
    const fileName = file.name.slice(-fileNameMax);
    const { charset, dataset, channelId: other } = options;
    const query = new URLSearchParams({
      ...(other === undefined && { channelId }),
      fileName,
      ...parametersOf(options),
    });
    const mediaType = dataset === undefined ? 'application/octet-stream' : rowsTypeOf(file.name);
    const place = dataset === undefined ? 'documents' : `imports/${dataset}`;
    request.open('POST', `/operator/${place}?${query}`);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader(
      'content-type',
      charset === undefined ? mediaType : `${mediaType}; charset=${charset}`,
    );
    request.upload.onprogress = ({ loaded, total }) => report(total > 0 ? loaded / total : 1);
    request.onerror = () =>
      reject(new Refused(0, 'The document was not sent. Check your connection and try again.'));
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 200) return resolve(JSON.parse(responseText) as Recap);
      const refused = refusalOf(status, responseText, (name) => request.getResponseHeader(name));
      reject(new RefusedDocument(explained(refused), recapIn(responseText)));
    };
    request.send(file);
  });
}

/** The media type of rows of a dataset, by the name of their file. */
function rowsTypeOf(name: string): string {
  return /\.(csv|tsv|txt)(\.gz|\.zip)?$/i.test(name) ? 'text/csv' : 'application/x-ndjson';
}

/** The recap in a refusal; undefined if nothing was read. */
function recapIn(text: string): Recap | undefined {
  try {
    const found = JSON.parse(text) as Recap;
    return typeof found.importId === 'number' && Array.isArray(found.rejected) ? found : undefined;
  } catch {
    // An answer without JSON comes from a proxy in between.
    return undefined;
  }
}
