/** The operations of an API description as clients need them. */
import type { Description } from '../../src/contract/openapi.ts';

/** A schema of the description. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly additionalProperties?: Schema | boolean;
};

/** How the rows of an operation are divided into pages. */
export type Paging = {
  /** The path to the rows in an answer; empty if the answer is the rows. */
  readonly rows: readonly string[];
  /** The name of the schema of a row. */
  readonly row: string;
  /** The path to the number of all rows; undefined where a cursor leads on. */
  readonly total: readonly string[] | undefined;
  /** The path to the object of the input that holds `pageIndex` and `pageSize`, or `key`. */
  readonly options: readonly string[];
  readonly pageSizeMax: number;
};

/** An operation of the description. */
export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The name of the schema of its parameters and fields, all in one object. */
  readonly input: string;
  readonly needsInput: boolean;
  /** The name of the schema of its answer; undefined if it has no body. */
  readonly answer: string | undefined;
  readonly takesIdempotencyKey: boolean;
  readonly isTagged: boolean;
  readonly answersCsv: boolean;
  readonly paging: Paging | undefined;
};

/** The operations, and the schemas that they name. */
export type Described = {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type DescribedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

const totals = ['count', 'total', 'totalCount', 'totalItems'];

/** Reads a description. */
export function readDescription(description: Description): Described {
  const { schemas: given } = description.components as { schemas: Record<string, Schema> };
  // Clients have an error class of their own.
  const { Error: _, ...schemas } = given;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DescribedOperation>).map(([method, described]) =>
      readOperation(method.toUpperCase(), path, described, schemas),
    ),
  );
  return { operations, schemas };
}

/** Reads an operation, and adds the schema of its input if it has parameters. */
function readOperation(
  method: string,
  path: string,
  { operationId: name, summary, description, ...rest }: DescribedOperation,
  schemas: Record<string, Schema>,
): Operation {
  const { parameters = [], requestBody, responses, deprecated } = rest;
  const fields = parameters.filter(({ in: place }) => place !== 'header');
  const body = requestBody?.content['application/json']?.schema;
  if (body !== undefined && fields.some(({ in: place }) => place === 'query'))
    throw new Error(`${name} has both a body and parameters of the query, which clients merge`);
  const input = fields.length > 0 || body === undefined ? `${upper(name)}Input` : nameOf(body);
  if (input.endsWith('Input'))
    schemas[input] = inputSchema(fields, body && resolved(body, schemas));
  const success = responses[200]?.content ?? {};
  const answer = success['application/json']?.schema;
  const inputFields = schemas[input]!;
  return {
    name,
    method,
    path,
    summary,
    description,
    input,
    isDeprecated: deprecated === true,
    needsInput: (inputFields.required ?? []).length > 0,
    answer: answer && nameOf(answer),
    takesIdempotencyKey: parameters.some((one) => one.name === 'Idempotency-Key'),
    isTagged: '304' in responses,
    answersCsv: 'text/csv' in success,
    paging: answer && pagingOf(inputFields, answer, schemas),
  };
}

/** The parameters and the fields of the body in one object. */
function inputSchema(parameters: readonly Parameter[], body: Schema | undefined): Schema {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: { ...properties, ...body?.properties },
    required: [...required, ...(body?.required ?? [])],
  };
}

function pagingOf(
  input: Schema,
  answer: Schema,
  schemas: Readonly<Record<string, Schema>>,
): Paging | undefined {
  const options = optionsIn(input, [], schemas);
  const rows = rowsIn(resolved(answer, schemas), [], schemas);
  if (options === undefined || rows === undefined) return undefined;
  const { pageSize, key } = options.properties;
  const total = key ? undefined : totalIn(resolved(answer, schemas), [], schemas);
  if (key === undefined && total === undefined) return undefined;
  return { ...rows, total, options: options.path, pageSizeMax: pageSize!.maximum! };
}

type Properties = Readonly<Record<string, Schema>>;

/** The object of an input that chooses the page. */
function optionsIn(
  { properties = {} }: Schema,
  path: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): { readonly path: readonly string[]; readonly properties: Properties } | undefined {
  if ('pageSize' in properties) return { path, properties };
  const { reportOptions } = properties;
  if (reportOptions === undefined) return undefined;
  return optionsIn(resolved(reportOptions, schemas), [...path, 'reportOptions'], schemas);
}

/** The list of an answer: the answer itself, a field of it or one in its `data`. */
function rowsIn(
  { items, properties = {} }: Schema,
  path: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): Pick<Paging, 'rows' | 'row'> | undefined {
  if (items?.$ref !== undefined) return { rows: path, row: nameOf(items) };
  for (const [name, field] of Object.entries(properties)) {
    const schema = resolved(field, schemas);
    if (schema.type !== 'array' && name !== 'data') continue;
    const found = rowsIn(schema, [...path, name], schemas);
    if (found !== undefined) return found;
  }
  return undefined;
}

function totalIn(
  { properties = {} }: Schema,
  path: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): readonly string[] | undefined {
  const own = totals.find((name) => name in properties);
  if (own !== undefined) return [...path, own];
  const within = ['pagination', 'data'].find((name) => name in properties);
  if (within === undefined) return undefined;
  return totalIn(resolved(properties[within]!, schemas), [...path, within], schemas);
}

/** The schema that a reference names, or the schema itself. */
export function resolved(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  return schema.$ref === undefined ? schema : schemas[nameOf(schema)]!;
}

/** The name of the schema that a reference names. */
export function nameOf({ $ref }: Schema): string {
  if ($ref === undefined) throw new Error('the description has a schema without a name');
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

const upper = (text: string) => text[0]!.toUpperCase() + text.slice(1);
