/** Writes OpenAPI 3.1 descriptions of contracts. Pure: the same contracts give the same text. */
import type { TObject } from 'typebox';
import type { Contract } from './endpoint.ts';
import { ErrorBody } from './shapes.ts';

/** The version of the interface. */
export const interfaceVersion = '1.0.0';

/** The parts of a description besides its operations. */
export type Introduction = {
  readonly title: string;
  readonly description: string;
  /** Groups of operations, in the order in which they are shown. */
  readonly rooms: readonly Room[];
  /** Name and definition of the security scheme of every operation. */
  readonly security: { readonly name: string; readonly scheme: Readonly<Record<string, unknown>> };
  /** The error answers of an operation, by status. */
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

/** The header of idempotent requests. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any 1 to 255 visible characters, new for each change. Repeating the request with the same key and body ' +
    'within 24 hours changes nothing and returns the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Headers of answers, by their names. */
const headers = {
  'X-Request-Id': {
    description:
      'Identifier of the request, adopted from the request if it has one. Quote it when you ask for help.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds until the same request may succeed.',
    schema: { type: 'integer' },
  },
};
/** The statuses whose answers have each header. */
const statusesOf: Readonly<Record<keyof typeof headers, readonly string[]>> = {
  'X-Request-Id': ['200', '500'],
  'Retry-After': ['409', '429', '503'],
};

/** Describes contracts; `answers` holds the answers to their examples, by operation. */
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
            schema: clientSchema(body),
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

/** The fields of an example that belong to the body. */
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
    const { description, ...schema } = clientSchema(property) as Record<string, unknown>;
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
    return { description: 'Done. The answer has no body.', ...headersOf('200') };
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
  const references = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return names.length > 0 ? { headers: references } : {};
}

/**
 * Required fields for a client: a field with a default is optional, although checked input has it.
 */
function requiredOf({
  properties,
  required = [],
}: Pick<TObject, 'properties'> & { required?: readonly string[] }): readonly string[] {
  return required.filter((name) => !('default' in properties[name]!));
}

/** A schema as it applies to a client. */
function clientSchema(schema: unknown): unknown {
  return rewrite(schema, (object) => {
    if (object.type !== 'object' || object.properties === undefined) return object;
    const { required: _, ...others } = object;
    const required = requiredOf(object as unknown as TObject);
    return required.length > 0 ? { ...others, required } : others;
  });
}

/** A schema without the keywords that only this service reads. */
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

/** The names under `properties` may equal keywords, so they are never removed. */
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
