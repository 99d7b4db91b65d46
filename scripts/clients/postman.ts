/** Writes the Postman collection: a request for each operation, with the body of its example. */
import converter, { type Options } from 'openapi-to-postmanv2';
import type { Contract } from '../../src/contract/endpoint.ts';
import type { Description } from '../../src/contract/openapi.ts';

/** The address of the service in every document. */
const printedAddress = 'http://127.0.0.1:8080';
/** Headers that would refuse or empty the answers to the examples. */
const unsent: ReadonlySet<unknown> = new Set(['Prefer', 'If-None-Match']);
/** A name that Postman replaces by a new identifier for each request. */
const newIdentifier = '{{$guid}}';

/** Identifiers that later requests take from the answer to the creation, by their parameters. */
const identifiers: Readonly<Record<string, string>> = {
  id: 'groupId',
  reportId: 'reportId',
  jobId: 'jobId',
  webhookId: 'webhookId',
  scheduleId: 'scheduleId',
};
/** Records that the demonstration has with a history; a request deletes only its own. */
const ofDemonstration: ReadonlySet<string> = new Set(['webhookId', 'deliveryId', 'scheduleId']);

/** The test that Postman and newman run after each request. */
const statusTest = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "pm.test('is answered', () => pm.response.to.have.status(200));",
      "const answer = pm.response.text() === '' ? {} : pm.response.json();",
      `for (const name of ${JSON.stringify(Object.values(identifiers))})`,
      "  if (pm.request.method === 'POST' && answer[name] !== undefined)",
      '    pm.collectionVariables.set(name, String(answer[name]));',
    ],
  },
};

type Json = Record<string, unknown>;

/** The collection of a description and its contracts; the same input gives the same collection. */
export async function postmanCollection(
  description: Description,
  contracts: readonly Contract[],
): Promise<object> {
  const options: Options = {
    folderStrategy: 'Tags',
    requestParametersResolution: 'Example',
    exampleParametersResolution: 'Example',
  };
  const data = JSON.stringify(reduced(description));
  const collection = await new Promise<Json>((resolve, reject) =>
    converter.convert({ type: 'string', data }, options, (error, converted) => {
      if (converted?.result === true) resolve(converted.output![0]!.data as unknown as Json);
      else reject(error ?? new Error(converted?.reason));
    }),
  );
  return {
    ...(cleared(collection) as Json),
    item: withExamples((cleared(collection) as { item: Item[] }).item, contracts),
    event: [statusTest],
    variable: [
      { key: 'baseUrl', value: printedAddress },
      { key: 'apiKey', value: '' },
      ...Object.values(identifiers).map((key) => ({ key, value: '' })),
    ],
  };
}

type Item = {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly query: readonly Parameter[];
      readonly variable: readonly Parameter[];
    };
  };
};
type Parameter = { readonly key: string };

/** The requests with the parameters of their examples; others are switched off. */
function withExamples(items: readonly Item[], contracts: readonly Contract[]): readonly Item[] {
  return items.map((one) => {
    if (one.item !== undefined) return { ...one, item: withExamples(one.item, contracts) };
    const { example = {} } = contracts.find(({ summary }) => summary === one.name)!;
    const request = one.request!;
    const query = request.url.query.map((parameter) => ({
      ...parameter,
      disabled: !(parameter.key in example),
    }));
    const variable = request.url.variable.map((parameter) => {
      const { key } = parameter;
      const isExample = ofDemonstration.has(key) && request.method !== 'DELETE';
      return isExample ? { ...parameter, value: (example as Json)[key] } : parameter;
    });
    return { ...one, request: { ...request, url: { ...request.url, query, variable } } };
  });
}

/** The description without errors, answers in CSV and headers that no example sends. */
function reduced({ paths, ...others }: Description): object {
  const each = (record: Json, change: (value: Json) => unknown) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, change(value as Json)]),
    );
  return {
    ...others,
    paths: each(paths, (methods) => each(methods, reducedOperation)),
  };
}

function reducedOperation({ parameters = [], responses, ...others }: Json): object {
  const { 200: success } = responses as Record<string, { description: string; content?: Json }>;
  const { description, content } = success!;
  const json = content?.['application/json'];
  return {
    ...others,
    parameters: (parameters as Json[]).filter(({ name }) => !unsent.has(name)).map(withValue),
    responses: {
      200: { description, ...(json !== undefined && { content: { 'application/json': json } }) },
    },
  };
}

/** A parameter whose value Postman fills in, or else its example. */
function withValue(parameter: Json): Json {
  const identifier = identifiers[parameter.name as string];
  if (identifier !== undefined)
    return { ...parameter, schema: { type: 'string' }, example: `{{${identifier}}}` };
  return parameter.name === 'Idempotency-Key'
    ? { ...parameter, example: newIdentifier }
    : parameter;
}

/** A collection without random identifiers, and without a copy of the request beside each answer. */
function cleared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleared);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, one]) => !['_postman_id', 'originalRequest'].includes(name) && !isIdentifier(name, one),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, cleared(one)]));
}

const isIdentifier = (name: string, value: unknown) =>
  name === 'id' && typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
