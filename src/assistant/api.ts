/** The public API as the tools of assistants call it, and what a run of a tool has called. */
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import { buyersHeader } from '../contract/grants.ts';
import { isObject } from '../contract/jsonSchema.ts';
import { type ApiAnswer, type ApiRequest, requestOf } from '../contract/requests.ts';

/** The public API with the key of a caller: in the same process, or over the network. */
export type Api = {
  readonly send: (request: ApiRequest) => Promise<ApiAnswer>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The clock, in epoch milliseconds. */
  readonly now: () => number;
  /** Logs an error of the service itself. */
  readonly report: (error: unknown) => void;
};

/** A refusal or failure that the assistant is given as the answer of its tool. */
export class ToolRefusal extends Error {}

/** A call that figures come from. */
export type Source = {
  readonly call: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** The calls of one run of a tool. Each counts for the key like the same HTTP call. */
export class Calls {
  readonly api: Api;
  /** The calls that were answered, in order. */
  readonly sources: Source[] = [];
  readonly warnings = new Set<string>();
  /** Whether the key says that assistants get the addresses of buyers. */
  holdsBuyers = false;

  constructor(api: Api) {
    this.api = api;
  }

  /** Calls an operation; throws ToolRefusal with all failing rules when it is refused. */
  async ask<C extends Contract>(contract: C, input: Partial<InputOf<C>>): Promise<AnswerOf<C>> {
    return (await this.askLoosely(contract, input)) as AnswerOf<C>;
  }

  /** Calls an operation with fields that may be anything, unknown ones included. */
  async askLoosely(contract: Contract, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { method, path } = contract;
    const answer = await this.api.send({ method, ...looseRequest(contract, input) });
    if (answer.status !== 200) throw refusalOf(answer);
    const warning = answer.header('vitrine-warning');
    if (warning !== undefined) this.warnings.add(warning);
    this.holdsBuyers ||= answer.header(buyersHeader) !== undefined;
    this.#note({ call: `${method} ${path}`, parameters: input });
    return JSON.parse(answer.bytes.toString());
  }

  /** Notes a call once, however often it is repeated. */
  #note(source: Source): void {
    if (JSON.stringify(source) !== JSON.stringify(this.sources.at(-1))) this.sources.push(source);
  }
}

/** The refusal that an answer of the public API stands for. */
export function refusalOf({ status, header, bytes }: ApiAnswer): ToolRefusal {
  const error = errorIn(bytes.toString()) ?? 'the service did not answer as the public API does';
  const wait = header('retry-after');
  const later = wait === undefined ? '' : ` (Retry-After: ${wait} s)`;
  return new ToolRefusal(`${status}: ${error}${later}`);
}

function errorIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && typeof body.error === 'string' ? body.error : undefined;
  } catch {
    return undefined;
  }
}

/** A request that leaves unknown fields to the service, which names them in its refusal. */
function looseRequest(
  contract: Contract,
  input: Readonly<Record<string, unknown>>,
): Pick<ApiRequest, 'path' | 'body' | 'headers'> {
  const { pathParameters, query, body: bodySchema } = contract;
  const missing = Object.keys(pathParameters?.properties ?? {}).filter(
    (name) => input[name] === undefined || input[name] === null || input[name] === '',
  );
  if (missing.length > 0)
    throw new ToolRefusal(`400: ${missing.map((name) => `${name} is required`).join(', ')}`);
  const { path, body } = requestOf(contract, input);
  const known = { ...pathParameters?.properties, ...query?.properties, ...bodySchema?.properties };
  const unknown = Object.entries(input).filter(([name]) => !Object.hasOwn(known, name));
  const headers = { prefer: 'handling=strict' };
  if (body !== undefined)
    return { path, headers, body: { ...body, ...Object.fromEntries(unknown) } };
  const more = new URLSearchParams(unknown.map(([name]): [string, string] => [name, '']));
  if (more.size === 0) return { path, headers };
  return { path: `${path}${path.includes('?') ? '&' : '?'}${more}`, headers };
}
