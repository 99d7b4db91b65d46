/** Writes the OpenAPI 3.1 description of contracts. Pure: the same contracts give the same text. */
import type { TObject } from 'typebox';
import type { Contract } from './endpoint.ts';
import { ErrorBody } from './shapes.ts';

/** The version of the interface, which its description carries. */
export const interfaceVersion = '1.0.0';

/** What a description says beside its operations. */
export type Introduction = {
  readonly title: string;
  readonly description: string;
  /** Name and definition of the scheme by which every operation is called. */
  readonly security: { readonly name: string; readonly scheme: Readonly<Record<string, unknown>> };
  /** Texts of the error answers that an operation may give. */
  readonly errors: (contract: Contract) => Readonly<Record<number, string>>;
};

/** A description, ready to be written as JSON. */
export type Description = {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, unknown>>;
  readonly [other: string]: unknown;
};

/** The description of the public interface. */
export const publicIntroduction: Introduction = {
  title: 'Vitrine',
  description:
    'Commerce analytics and reporting. Every call carries the key of its caller in the header x-api-key and sees the channels that this caller may reach. ' +
    'Dates are Unix epoch times in whole seconds unless stated otherwise. Fields that an operation does not know are ignored.',
  security: {
    name: 'apiKey',
    scheme: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key that the operator of the service has issued.' },
  },
  errors: (contract) => ({
    400: 'Parameters are missing or invalid; the message lists every failing rule, separated by commas.',
    401: 'The key is valid but may not use this operation.',
    403:
      contract.grant === 'searchQueryPerformance'
        ? 'The key is missing or invalid, or the organisation has no Search Query Performance entitlement.'
        : 'The key is missing or invalid.',
    404: 'What was asked for does not exist.',
    ...onceErrors(contract),
    ...(contract.body && { 413: 'The body is larger than 1 MiB.', 415: 'The body is not sent as application/json.' }),
    429: 'The key has used up its rate or its volume; Retry-After says when to come back.',
    500: 'Something went wrong on the side of the service.',
    503: 'The service cannot answer at the moment, or not in time.',
  }),
};

/** The description of the operator's interface. */
export const operatorIntroduction: Introduction = {
  title: 'Vitrine operator interface',
  description: 'How the operator of an installation manages organisations, users, keys and channels, and brings in their data.',
  security: {
    name: 'operatorToken',
    scheme: { type: 'http', scheme: 'bearer', description: "The operator's token (VITRINE_OPERATOR_TOKEN)." },
  },
  errors: (contract) => ({
    400: 'Parameters are missing or invalid; the message lists every failing rule, separated by commas.',
    401: "The operator's token is missing or wrong.",
    404: 'What was asked for does not exist.',
    ...onceErrors(contract),
    ...(contract.method !== 'GET' && {
      409: 'Another record stands in the way, or the first request with this Idempotency-Key still runs.',
    }),
    ...(contract.body && { 413: 'The body is larger than 1 MiB.', 415: 'The body is not sent as application/json.' }),
    ...(contract.stream && { 415: 'The body is not of a media type that can be read.' }),
    500: 'Something went wrong on the side of the service.',
    503: 'The service cannot answer at the moment, or not in time.',
  }),
};

function onceErrors({ idempotencyKey }: Contract): Readonly<Record<number, string>> {
  if (idempotencyKey !== true) return {};
  return {
    409: 'The first request with this Idempotency-Key still runs.',
    422: 'The Idempotency-Key was used for another request.',
  };
}

/** The header of the calls that can be done only once. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any 1 to 255 visible characters that the client chooses anew for each change. A repetition with the same key and the same body changes nothing ' +
    'and gets the first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Describes contracts. */
export function describeContracts(contracts: readonly Contract[], introduction: Introduction): Description {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    const path = paths[contract.path] ?? {};
    paths[contract.path] = path;
    path[contract.method.toLowerCase()] = operationOf(contract, introduction);
  }
  const { title, description, security } = introduction;
  return {
    openapi: '3.1.0',
    info: { title, version: interfaceVersion, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ [security.name]: [] }],
    paths,
    components: { securitySchemes: { [security.name]: security.scheme }, schemas: { Error: plain(ErrorBody) } },
  };
}

function operationOf(contract: Contract, introduction: Introduction): Record<string, unknown> {
  const { pathParameters, query, body } = contract;
  const parameters = [
    ...parametersOf(pathParameters, 'path'),
    ...parametersOf(query, 'query'),
    ...(contract.idempotencyKey === true ? [idempotencyKey] : []),
  ];
  const streams = contract.stream?.map((media) => [media, { schema: { type: 'string', contentMediaType: media } }]);
  const room = contract.path.split('/')[contract.path.startsWith('/operator/') ? 2 : 1]!;
  return {
    operationId: contract.operation,
    tags: [room],
    summary: contract.summary,
    description: contract.description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: requiredOf(body).length > 0, content: { 'application/json': { schema: asked(body) } } },
    }),
    ...(streams && { requestBody: { required: true, content: Object.fromEntries(streams) } }),
    responses: {
      200: answerOf(contract),
      ...Object.fromEntries(Object.entries(introduction.errors(contract)).map(([status, text]) => [status, errorAnswer(text)])),
    },
  };
}

function parametersOf(parameters: TObject | undefined, place: 'path' | 'query'): unknown[] {
  if (parameters === undefined) return [];
  const required = requiredOf(parameters);
  return Object.entries(parameters.properties).map(([name, property]) => {
    const { description, ...schema } = asked(property) as Record<string, unknown>;
    const isList = schema.type === 'array';
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(isList && { style: 'form', explode: true }),
      schema,
    };
  });
}

function answerOf(contract: Contract): unknown {
  const schema = plain(contract.answer) as Record<string, unknown>;
  if (schema.type === 'void') return { description: 'Done; the answer has no body.' };
  return { description: 'The answer.', content: { 'application/json': { schema } } };
}

function errorAnswer(description: string): unknown {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

/** What has a default may be left out, although it is always there once it has been checked. */
function requiredOf({ properties, required = [] }: Pick<TObject, 'properties'> & { required?: readonly string[] }): readonly string[] {
  return required.filter((name) => !('default' in properties[name]!));
}

/** A schema as a client has to keep it. */
function asked(schema: unknown): unknown {
  return rewrite(schema, (object) => {
    if (object.type !== 'object' || object.properties === undefined) return object;
    const { required: _, ...others } = object;
    const required = requiredOf(object as unknown as TObject);
    return required.length > 0 ? { ...others, required } : others;
  });
}

/** A schema without what only this service reads of it. */
function plain(schema: unknown): unknown {
  return rewrite(schema, (object) => object);
}

const ownKeywords: ReadonlySet<string> = new Set(['words', 'trimmed', 'letters', '~refine', '~kind', '~optional']);

function rewrite(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => rewrite(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as Record<string, unknown>);
  return Object.fromEntries(
    Object.entries(changed)
      .filter(([keyword]) => !ownKeywords.has(keyword))
      .map(([keyword, one]) => [keyword, keyword === 'properties' ? rewriteEach(one, change) : rewrite(one, change)]),
  );
}

/** Under `properties` stand names, which may be those of keywords. */
function rewriteEach(properties: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(properties as Record<string, unknown>).map(([name, schema]) => [name, rewrite(schema, change)]));
}
