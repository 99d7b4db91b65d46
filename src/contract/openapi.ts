/** Writes OpenAPI 3.1 descriptions of contracts. Pure: the same contracts give the same text. */
import type { TObject } from 'typebox';
import { deprecationWords } from './deprecation.ts';
import { type Contract, isTagged } from './endpoint.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { capitalised, shapeOf, templatesOf } from './pathTemplates.ts';
import { clientSchema, plainSchema, requiredOf, type Schemas } from './publishedSchemas.ts';
import { rowShapeOf } from './rowShape.ts';
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

/** A group of operations, whose paths begin alike. */
export type Room = {
  readonly name: string;
  readonly description: string;
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
  example: '7f1c2a9e-51d4-4a55-9c0e-2f6f0c1f6b1d',
};

const exampleTag = 'W/"q1w2e3r4t5y6u7i8o9p0aQ"';

/** The header by which a client has requests with unknown fields refused. */
const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: 'handling=strict refuses unknown fields, which are ignored otherwise (RFC 7240).',
  schema: { type: 'string' },
  example: 'handling=strict',
};

/** The header in which a client states which answer it already has. */
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the answer that you have. If it is still the same, you get 304.',
  schema: { type: 'string' },
  example: exampleTag,
};

/** The headers of answers, by name. */
const headers = {
  'Access-Control-Allow-Origin': {
    description: 'Always *: pages of every site may read the answer.',
    schema: { type: 'string', const: '*' },
  },
  ETag: {
    description:
      'Names this answer. Send it as If-None-Match to ask whether the answer has changed.',
    schema: { type: 'string' },
    example: exampleTag,
  },
  RateLimit: {
    description:
      'What is left of each limit of the key: r requests, until the window ends in t seconds.',
    schema: { type: 'string' },
    example: '"burst";r=19;t=2, "day";r=9999;t=43200',
  },
  'RateLimit-Policy': {
    description: 'The limits of the key: q requests in a window of w seconds.',
    schema: { type: 'string' },
    example: '"burst";q=20;w=2, "day";q=10000;w=86400',
  },
  'Vitrine-Ignored': {
    description:
      'The paths of the fields that the operation does not know, separated by commas, at most 20.',
    schema: { type: 'string' },
    example: 'inclueTax, reportOptions.timezon',
  },
  'Preference-Applied': {
    description: 'handling=strict where the request asked for it by Prefer.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  'Vitrine-Warning': {
    description:
      'Stores whose amounts cannot be converted, because their currency has no exchange rate ' +
      '(no-exchange-rate): their cells are "-"; stores whose net figures hold a tax that neither a ' +
      'document nor a rate states (unstated-tax); and stores whose figures of campaigns come from ' +
      'search terms alone on some days (search-terms-only): their click-through rates are "-". A ' +
      'list of structured field values (RFC 9651).',
    schema: { type: 'string' },
    example: 'no-exchange-rate;store="Nile Outfitters";currency="EGP"',
  },
  'Vitrine-Envelope': {
    description:
      'Of an answer in CSV: the fields beside its rows, by their paths, such as the number of all ' +
      'rows and the currency; written as a query string.',
    schema: { type: 'string' },
    example: 'pagination.pageIndex=0&pagination.count=42&meta.currency=EUR',
  },
  'X-Request-Id': {
    description:
      'Identifier of the request, adopted from the request if it has one. Quote it when you ask for help.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds until the same request may succeed.',
    schema: { type: 'integer' },
  },
  Deprecation: {
    description:
      'When the operation was deprecated: @ and a Unix epoch time in seconds (RFC 9745).',
    schema: { type: 'string' },
    example: '@1798761600',
  },
  Sunset: {
    description: 'The date from which the operation may be gone (RFC 8594).',
    schema: { type: 'string' },
    example: 'Fri, 01 Oct 2027 00:00:00 GMT',
  },
};
type HeaderName = keyof typeof headers;

/** Whether an operation's answers with a status have a header. */
const hasHeader: Readonly<Record<HeaderName, (status: string, contract: Contract) => boolean>> = {
  'Access-Control-Allow-Origin': (status) => status === '200',
  ETag: (status, contract) => ['200', '304'].includes(status) && isTagged(contract),
  RateLimit: isCounted,
  'RateLimit-Policy': isCounted,
  'Vitrine-Ignored': isChecked,
  'Preference-Applied': isChecked,
  'Vitrine-Warning': (status, { warns }) => status === '200' && warns === true,
  'Vitrine-Envelope': (status, contract) => status === '200' && rowShapeOf(contract) !== undefined,
  'X-Request-Id': (status) => ['200', '500'].includes(status),
  'Retry-After': (status) => ['409', '429', '503'].includes(status),
  Deprecation: (_status, { deprecated }) => deprecated !== undefined,
  Sunset: (_status, { deprecated }) => deprecated?.sunset !== undefined,
};

/**
 * Requests with a valid key count towards the limits whatever their answer; 403 refuses the key
 * itself.
 */
function isCounted(status: string, { access }: Contract): boolean {
  return access === 'key' && status !== '403';
}

/**
 * Answers after the fields of a request were checked; the operator's interface is always strict.
 */
function isChecked(status: string, { access }: Contract): boolean {
  return access === 'key' && ['200', '400'].includes(status);
}

/** The parts of a description that are defined once and referred to. */
type Components = {
  readonly schemas: Schemas;
  readonly headers: { [Name in HeaderName]?: unknown };
};

/** Describes contracts; `answers` holds the answers to their examples, by operation. */
export function describeContracts(
  contracts: readonly Contract[],
  introduction: Introduction,
  answers: Readonly<Record<string, unknown>> = {},
): Description {
  const { title, description, rooms, security } = introduction;
  const components: Components = { schemas: {}, headers: {} };
  const templates = templatesOf(contracts);
  const placeOf = ({ path }: Contract) =>
    rooms.findIndex(({ paths }) => paths.some((start) => path.startsWith(start)));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of [...contracts].sort((one, other) => placeOf(one) - placeOf(other))) {
    const template = templates.get(shapeOf(contract.path))!;
    const path = paths[template] ?? {};
    paths[template] = path;
    path[contract.method.toLowerCase()] = operationOf(
      contract,
      template,
      introduction,
      rooms[placeOf(contract)],
      answers[contract.operation],
      components,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: interfaceVersion,
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ [security.name]: [] }],
    tags: rooms.map(({ name, description: about }) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: { [security.name]: security.scheme },
      ...components,
    },
  };
}

/** Describes one operation, and adds the parts that it refers to to the components. */
function operationOf(
  contract: Contract,
  template: string,
  { errors }: Introduction,
  room: Room | undefined,
  answer: unknown,
  components: Components,
): Record<string, unknown> {
  const { operation, query, body, example = {}, deprecated: ending } = contract;
  const parameters = [
    ...pathParametersOf(contract, template, components.schemas),
    ...parametersOf(query, 'query', example, components.schemas),
    ...(contract.idempotencyKey === true ? [idempotencyKey] : []),
    ...(contract.access === 'key' ? [prefer] : []),
    ...(isTagged(contract) ? [ifNoneMatch] : []),
  ];
  const streams = contract.stream?.map((media) => [
    media,
    { schema: { type: 'string', contentMediaType: media } },
  ]);
  const name = `${capitalised(operation)}Request`;
  return {
    operationId: operation,
    ...(room && { tags: [room.name] }),
    summary: contract.summary,
    description: [contract.description, ...(ending ? [deprecationWords(ending)] : [])].join('\n\n'),
    ...(ending && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: requiredOf(body).length > 0,
        content: {
          'application/json': {
            schema: clientSchema({ ...body, component: name }, components.schemas),
            ...(contract.example && { example: fieldsOf(body, example) }),
          },
        },
      },
    }),
    ...(streams && { requestBody: { required: true, content: Object.fromEntries(streams) } }),
    responses: {
      200: answerOf(contract, answer, components),
      ...(isTagged(contract) && {
        304: {
          description: 'You have the answer. The request counts only for the short rate limit.',
          headers: headersOf(contract, '304', components),
        },
      }),
      ...Object.fromEntries(
        Object.entries(errors(contract)).map(([status, text]) => [
          status,
          errorAnswer(contract, status, text, components),
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

/** The parameters of the path, with the names from the template. */
function pathParametersOf(
  { path, pathParameters, example = {} }: Contract,
  template: string,
  schemas: Schemas,
): Record<string, unknown>[] {
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const shown = names(template);
  const own = names(path);
  return parametersOf(pathParameters, 'path', example, schemas).map((parameter) => ({
    ...parameter,
    name: shown[own.indexOf(parameter.name as string)],
  }));
}

function parametersOf(
  parameters: TObject | undefined,
  place: 'path' | 'query',
  example: Readonly<Record<string, unknown>>,
  schemas: Schemas,
): Record<string, unknown>[] {
  if (parameters === undefined) return [];
  const required = requiredOf(parameters);
  return Object.entries(parameters.properties).map(([name, property]) => {
    const { description, ...schema } = clientSchema(property, schemas) as Record<string, unknown>;
    const isList = schema.type === 'array';
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(isList && { style: 'form', explode: true }),
      schema,
      example: name in example ? example[name] : exampleOf(property as JsonSchema),
    };
  });
}

/** A possible value of a parameter. */
function exampleOf(schema: JsonSchema): unknown {
  const [given] = (schema.examples ?? []) as readonly unknown[];
  if (given !== undefined) return given;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first);
  if (schema.type === 'array') return [exampleOf(schema.items!)];
  return { integer: Math.max(1, schema.minimum ?? 1), boolean: true }[schema.type ?? ''];
}

/** The rows of an answer to a client that accepts CSV above JSON. */
const csvAnswer = { schema: { type: 'string', description: 'The rows, with a header row.' } };

function answerOf(contract: Contract, example: unknown, components: Components): unknown {
  const { operation, answer } = contract;
  const headers = headersOf(contract, '200', components);
  if ((answer as JsonSchema).type === 'void')
    return { description: 'Done. The answer has no body.', headers };
  const named = { component: `${capitalised(operation)}Answer`, ...answer };
  const schema = plainSchema(named, components.schemas);
  const types = Object.values(contract.streamedTypes ?? ['application/json']);
  const one = { schema, ...(example !== undefined && { example }) };
  const content = Object.fromEntries(types.map((type) => [type, one]));
  if (rowShapeOf(contract) !== undefined) content['text/csv'] = csvAnswer;
  return { description: 'The answer.', headers, content };
}

function errorAnswer(
  contract: Contract,
  status: string,
  description: string,
  components: Components,
): unknown {
  return {
    description,
    headers: headersOf(contract, status, components),
    content: { 'application/json': { schema: plainSchema(ErrorBody, components.schemas) } },
  };
}

/** References to the headers of an answer. */
function headersOf(contract: Contract, status: string, components: Components): object {
  const names = (Object.keys(headers) as HeaderName[]).filter((name) =>
    hasHeader[name](status, contract),
  );
  for (const name of names) components.headers[name] = headers[name];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
