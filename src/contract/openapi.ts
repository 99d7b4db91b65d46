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
  /** What operations are grouped by, in the order in which groups are shown. */
  readonly rooms: readonly Room[];
  /** Name and definition of the scheme by which every operation is called. */
  readonly security: { readonly name: string; readonly scheme: Readonly<Record<string, unknown>> };
  /** Texts of the error answers that an operation may give. */
  readonly errors: (contract: Contract) => Readonly<Record<number, string>>;
};

/** A group of operations: those whose paths begin alike. */
export type Room = {
  readonly name: string;
  readonly description?: string;
  readonly paths: readonly string[];
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
  description: `Sales, advertising, profit and loss, orders, targets and searches of all connected stores, over HTTP and JSON.

- **Who asks.** Every call carries an API key in the header \`x-api-key\` and sees the channels that the key's user may reach. Owners and administrators find theirs under Settings > API.
- **Which store.** A channel is one store on one marketplace, named by \`channelId\` and \`merchantId\` together, as \`POST /channels\` lists them.
- **When.** Dates are Unix epoch times in whole seconds, both ends inclusive, unless stated otherwise; \`timezone\` says which days they belong to.
- **How much.** Sums are exact and rounded once. \`"-"\` stands for a ratio without a denominator, and for a comparison without facts.
- **What went wrong.** Errors have one shape, \`{"status": "error", "error": "..."}\`, and tell all failing rules at once. Fields that an operation does not know are ignored.

The examples are those of the demonstration. More in the guides: [the first request](/guides/first-request), [periods and zones](/guides/periods), [currencies](/guides/currencies), [errors, retries and limits](/guides/errors-and-limits).`,
  rooms: [
    {
      name: 'Channels and tags',
      description: 'Which stores there are, and names to find them by.',
      paths: ['/channels', '/tags'],
    },
    {
      name: 'Custom groups',
      description: 'Groups of products or of brands, kept for a channel.',
      paths: ['/customGroups'],
    },
    {
      name: 'Report views',
      description:
        'Figures of a period, divided into buckets or by channels, beside those of another.',
      paths: ['/reports/view'],
    },
    {
      name: 'CSV reports',
      description:
        'Large reports: created, computed by the service in its own time, then downloaded for 30 days.',
      paths: ['/reports'],
    },
    {
      name: 'Orders',
      description: 'Orders one by one, with what is known of them. Needs the enterprise plan.',
      paths: ['/orders'],
    },
    {
      name: 'Profitability',
      description: 'Profit and loss of stores and products, and what units cost.',
      paths: ['/profitability'],
    },
    {
      name: 'Advertising',
      description:
        'Campaigns, ad groups and advertised products of up to five channels, in one currency.',
      paths: ['/advertising'],
    },
    {
      name: 'Targets',
      description: 'Budgets and forecasts.',
      paths: ['/targets'],
    },
    {
      name: 'Search Query Performance',
      description: 'What searches on the primary marketplace led to. Needs the entitlement.',
      paths: ['/search-query-performance'],
    },
  ],
  security: {
    name: 'apiKey',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'The key, as Settings > API shows it.',
    },
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
    ...(contract.body && {
      413: 'The body is larger than 1 MiB.',
      415: 'The body is not sent as application/json.',
    }),
    429: 'The key has used up its rate or its volume; Retry-After says when to come back.',
    500: 'Something went wrong on the side of the service.',
    503: 'The service cannot answer at the moment, or not in time.',
  }),
};

/** The description of the operator's interface. */
export const operatorIntroduction: Introduction = {
  title: 'Vitrine operator interface',
  description:
    'How the operator of an installation manages organisations, users, keys and channels, and brings in their data.',
  rooms: [
    { name: 'Organisations and users', paths: ['/operator/organisations', '/operator/users'] },
    { name: 'Keys', paths: ['/operator/keys', '/operator/usage'] },
    {
      name: 'Channels',
      paths: ['/operator/channels', '/operator/campaignGroups', '/operator/freshness'],
    },
    {
      name: 'Imports',
      paths: [
        '/operator/imports',
        '/operator/documents',
        '/operator/financeCodes',
        '/operator/rates',
      ],
    },
    { name: 'The service', paths: ['/operator/audit', '/operator/diagnosis'] },
  ],
  security: {
    name: 'operatorToken',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: "The operator's token (VITRINE_OPERATOR_TOKEN).",
    },
  },
  errors: (contract) => ({
    400: 'Parameters are missing or invalid; the message lists every failing rule, separated by commas.',
    401: "The operator's token is missing or wrong.",
    404: 'What was asked for does not exist.',
    ...onceErrors(contract),
    ...(contract.method !== 'GET' && {
      409: 'Another record stands in the way, or the first request with this Idempotency-Key still runs.',
    }),
    ...(contract.body && {
      413: 'The body is larger than 1 MiB.',
      415: 'The body is not sent as application/json.',
    }),
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

/** Headers of answers, by their names. */
const headers = {
  'X-Request-Id': {
    description:
      "Identifier of the request: the client's own where it sent one. Name it when you ask for help.",
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer' },
  },
};
/** Which answers have them: those that are asked about, and those after which the same request may be sent again. */
const statusesOf: Readonly<Record<keyof typeof headers, readonly string[]>> = {
  'X-Request-Id': ['200', '500'],
  'Retry-After': ['409', '429', '503'],
};

/** Describes contracts; `answers` holds, by operation, what the examples of the contracts are answered. */
export function describeContracts(
  contracts: readonly Contract[],
  introduction: Introduction,
  answers: Readonly<Record<string, unknown>> = {},
): Description {
  const { title, description, rooms, security } = introduction;
  const placeOf = ({ path }: Contract) =>
    rooms.findIndex(({ paths }) => paths.some((start) => path.startsWith(start)));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of [...contracts].sort((one, other) => placeOf(one) - placeOf(other))) {
    const path = paths[contract.path] ?? {};
    paths[contract.path] = path;
    path[contract.method.toLowerCase()] = operationOf(
      contract,
      introduction,
      rooms[placeOf(contract)],
      answers[contract.operation],
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: interfaceVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ [security.name]: [] }],
    tags: rooms.map(({ name, description: about }) => ({
      name,
      ...(about !== undefined && { description: about }),
    })),
    paths,
    components: {
      securitySchemes: { [security.name]: security.scheme },
      schemas: { Error: plain(ErrorBody) },
      headers,
    },
  };
}

function operationOf(
  contract: Contract,
  introduction: Introduction,
  room: Room | undefined,
  answer: unknown,
): Record<string, unknown> {
  const { pathParameters, query, body, example = {} } = contract;
  const parameters = [
    ...parametersOf(pathParameters, 'path', example),
    ...parametersOf(query, 'query', example),
    ...(contract.idempotencyKey === true ? [idempotencyKey] : []),
  ];
  const streams = contract.stream?.map((media) => [
    media,
    { schema: { type: 'string', contentMediaType: media } },
  ]);
  return {
    operationId: contract.operation,
    ...(room && { tags: [room.name] }),
    summary: contract.summary,
    description: contract.description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: requiredOf(body).length > 0,
        content: {
          'application/json': {
            schema: asked(body),
            ...(contract.example && { example: fieldsOf(body, example) }),
          },
        },
      },
    }),
    ...(streams && { requestBody: { required: true, content: Object.fromEntries(streams) } }),
    responses: {
      200: answerOf(contract, answer),
      ...Object.fromEntries(
        Object.entries(introduction.errors(contract)).map(([status, text]) => [
          status,
          errorAnswer(status, text),
        ]),
      ),
    },
  };
}

/** What of an example is asked by the body. */
function fieldsOf(
  body: TObject,
  example: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(example).filter(([name]) => name in body.properties));
}

function parametersOf(
  parameters: TObject | undefined,
  place: 'path' | 'query',
  example: Readonly<Record<string, unknown>>,
): unknown[] {
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
      ...(name in example && { example: example[name] }),
    };
  });
}

function answerOf(contract: Contract, example: unknown): unknown {
  const schema = plain(contract.answer) as Record<string, unknown>;
  if (schema.type === 'void')
    return { description: 'Done; the answer has no body.', ...headersOf('200') };
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return { description: 'The answer.', ...headersOf('200'), content };
}

function errorAnswer(status: string, description: string): unknown {
  return {
    description,
    ...headersOf(status),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function headersOf(status: string): object {
  const names = Object.entries(statusesOf).flatMap(([name, statuses]) =>
    statuses.includes(status) ? [name] : [],
  );
  const told = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return names.length > 0 ? { headers: told } : {};
}

/** What has a default may be left out, although it is always there once it has been checked. */
function requiredOf({
  properties,
  required = [],
}: Pick<TObject, 'properties'> & { required?: readonly string[] }): readonly string[] {
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

const ownKeywords: ReadonlySet<string> = new Set([
  'words',
  'trimmed',
  'letters',
  '~refine',
  '~kind',
  '~optional',
]);

function rewrite(
  value: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((one) => rewrite(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as Record<string, unknown>);
  return Object.fromEntries(
    Object.entries(changed)
      .filter(([keyword]) => !ownKeywords.has(keyword))
      .map(([keyword, one]) => [
        keyword,
        keyword === 'properties' ? rewriteEach(one, change) : rewrite(one, change),
      ]),
  );
}

/** Under `properties` stand names, which may be those of keywords. */
function rewriteEach(
  properties: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).map(([name, schema]) => [
      name,
      rewrite(schema, change),
    ]),
  );
}
