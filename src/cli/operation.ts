/** Commands made from contracts: arguments, options and help follow from the operation's input. */
import type { Command } from 'commander';
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import { operatorPageSizeMax } from '../contract/records.ts';
import { requestOf } from '../contract/requests.ts';
import {
  asPhrase,
  fieldsOf,
  type Input,
  optionsOf,
  readFields,
  schemaOf,
  wholeNumber,
} from './options.ts';
import { confirm } from './prompt.ts';
import {
  addServiceCommand,
  answerFrom,
  Failure,
  reasonOf,
  request,
  type Service,
  type ServiceOptions,
  serviceOf,
  UsageError,
} from './service.ts';
import { type Column, countOf, recordOf, tableOf } from './table.ts';

/** How an operation becomes a command. */
export type Settings<C extends Contract> = {
  readonly contract: C;
  /** The command's name within its subject; without one the subject itself runs the operation. */
  readonly verb?: string;
  /** Command lines, without the name of the program. */
  readonly examples: readonly string[];
  /** The operation that reads what a PUT replaces, so that fields that are not named stay. */
  readonly reads?: Contract;
  /** Prints the answer; the default is the whole answer as a record. */
  readonly print?: (
    answer: AnswerOf<C>,
    options: ServiceOptions & { readonly quiet?: true },
  ) => void;
  /** True when `--quiet` prints only what is new. */
  readonly hasQuiet?: true;
};

/** How a list becomes a command; `Rows` is the name under which the answer holds them. */
export type ListSettings<C extends Contract, Rows extends keyof AnswerOf<C> & string> = Omit<
  Settings<C>,
  'print' | 'reads'
> & {
  readonly rows: Rows;
  readonly columns: readonly Column<RowOf<C, Rows>>[];
};

/** A row of a list. */
type RowOf<
  C extends Contract,
  Rows extends keyof AnswerOf<C>,
> = AnswerOf<C>[Rows] extends readonly (infer Row)[] ? Row : never;

type Options = ServiceOptions & {
  readonly quiet?: true;
  readonly yes?: true;
  readonly page?: number;
  readonly pageSize?: number;
};

/** The most rows that a list fetches when no page is named. */
export const listedRowsMax = 20_000;

/** Adds the command of an operation. */
export function addOperation<C extends Contract>(subject: Command, settings: Settings<C>): Command {
  const {
    contract,
    print = (answer: AnswerOf<C>) => console.log(recordOf(answer as Record<string, unknown>)),
  } = settings;
  return addCommand(subject, settings, async (service, input, options) => {
    const answer = await call(service, contract, input as Partial<InputOf<C>>);
    if (options.json) {
      if (answer !== undefined) printJson(answer);
    } else print(answer, options);
  });
}

/** Adds the command `show`, which prints one record. */
export function addShow<C extends Contract>(subject: Command, contract: C, example: string): void {
  addOperation(subject, { contract, verb: 'show', examples: [example, `${example} --json`] });
}

/** Adds a command that cannot be undone; it prints `message` when it is done. */
export function addRemoval<C extends Contract>(
  subject: Command,
  contract: C,
  verb: string,
  message: string,
  ...examples: string[]
): void {
  const withYes = examples.length > 1 ? examples : [...examples, `${examples[0]} --yes`];
  addOperation(subject, {
    contract,
    verb,
    print: () => console.error(message),
    examples: withYes,
  });
}

/** Adds the command of a list, with all pages unless one is named. */
export function addList<C extends Contract, Rows extends keyof AnswerOf<C> & string>(
  subject: Command,
  settings: ListSettings<C, Rows>,
): Command {
  const { contract, rows, columns } = settings;
  const command = addCommand(subject, settings, async (service, input, options) => {
    const { page, pageSize } = options;
    const given = input as Partial<InputOf<C>>;
    const answer =
      page === undefined && pageSize === undefined
        ? await callAll(service, contract, given, rows)
        : await call(service, contract, { ...given, pageIndex: page, pageSize });
    const found = answer[rows] as RowOf<C, Rows>[];
    if (options.json) printJson(answer);
    else if (found.length > 0) console.log(tableOf(found, columns));
    const { total } = answer as { total: number };
    if (total === 0) console.error('No entries.');
    else if (found.length < total) {
      console.error(
        `Showing ${countOf(found.length)} of ${countOf(total)} rows. Use --page and --page-size to see others.`,
      );
    }
  });
  return command
    .option('--page <number>', 'fetch only this page; the first is 0', wholeNumber)
    .option('--page-size <rows>', `rows per page, at most ${operatorPageSizeMax}`, wholeNumber);
}

/** Calls an operation and returns its answer; throws Failure with the service's own message. */
export async function call<C extends Contract>(
  service: Service,
  contract: C,
  input: Partial<InputOf<C>>,
): Promise<AnswerOf<C>> {
  const answer = await send(service, contract, input as Input);
  return answerFrom(answer, service.address, namesOf(contract));
}

/** Calls an operation of the public API with an API key; throws Failure with its reason. */
export async function callPublic<C extends Contract>(
  service: Service,
  contract: C,
  input: Partial<InputOf<C>>,
): Promise<AnswerOf<C>> {
  const answer = await send(service, contract, input as Input);
  if (answer.status >= 400) throw new Failure(reasonOf(answer.status, answer.text));
  return answerFrom(answer, service.address, []);
}

function send(service: Service, contract: Contract, input: Input) {
  const { path, body } = requestOf(contract, input);
  return request(service, contract.method, path, { ...(body !== undefined && { body }) });
}

/** Fetches all pages of a list, up to `listedRowsMax` rows, as one answer. */
export async function callAll<C extends Contract, Rows extends keyof AnswerOf<C>>(
  service: Service,
  contract: C,
  input: Partial<InputOf<C>>,
  rows: Rows,
): Promise<AnswerOf<C>> {
  const found: unknown[] = [];
  for (let pageIndex = 0; ; pageIndex += 1) {
    const pageSize = operatorPageSizeMax;
    const page = await call(service, contract, { ...input, pageIndex, pageSize });
    const more = page[rows] as unknown[];
    found.push(...more);
    const { total } = page as { total: number };
    if (more.length === 0 || found.length >= Math.min(total, listedRowsMax))
      return { ...page, [rows]: found };
  }
}

/** Prints an answer as JSON. */
export function printJson(answer: unknown): void {
  console.log(JSON.stringify(answer, null, 2));
}

/** Prints a new value alone on standard output, for scripts, and the message on standard error. */
export function printNew(
  value: string,
  message: string,
  { quiet }: { readonly quiet?: true },
): void {
  if (!quiet) console.error(message);
  console.log(value);
}

function addCommand<C extends Contract>(
  subject: Command,
  { contract, verb, examples, reads, hasQuiet }: Settings<C>,
  run: (service: Service, input: Input, options: Options) => Promise<void>,
): Command {
  const command =
    verb === undefined ? subject : subject.command(verb).description(asPhrase(contract.summary));
  const names = Object.keys(contract.pathParameters?.properties ?? {});
  for (const name of names) {
    const { description } = schemaOf(contract.pathParameters!.properties[name]);
    command.argument(`<${name}>`, asPhrase(description));
  }
  const fields = fieldsOf(contract);
  const isChange = contract.method === 'PATCH';
  for (const option of fields.flatMap((field) => optionsOf(field, reads !== undefined || isChange)))
    command.addOption(option);
  const isDeletion = contract.method === 'DELETE';
  if (isDeletion) command.option('--yes', 'do not ask for confirmation');
  if (hasQuiet) command.option('--quiet', 'print only the result, without messages');
  const keeps = reads === undefined ? '' : ' Settings that you do not name stay as they are.';
  const help = { about: contract.description + keeps, examples };
  return addServiceCommand<Options & Input>(command, help, async (options) => {
    const input: Input = Object.fromEntries(names.map((name, at) => [name, command.args[at]]));
    await readFields(input, fields, options);
    if (isChange && fields.every(({ path }) => input[path[0]!] === undefined))
      throw new UsageError('nothing to change: name at least one option');
    const service = serviceOf(options);
    if (isDeletion && options.yes !== true && input.dryRun !== true)
      await confirm(`${contract.summary} (${Object.values(input).join(', ')})`);
    const whole = reads ? await completed(service, reads, contract, input) : input;
    await run(service, whole, options);
  });
}

/** The input, completed with the present values of fields that it does not name. */
async function completed(
  service: Service,
  reads: Contract,
  contract: Contract,
  input: Input,
): Promise<Input> {
  const answer = await request(service, reads.method, requestOf(reads, input).path);
  if (answer.status === 404) return input;
  const present = answerFrom<Input>(answer, service.address, namesOf(reads));
  const body = Object.keys(contract.body!.properties).map((name) => {
    const [given, old] = [input[name], present[name]];
    const value = given === undefined ? old : given;
    return [name, isObject(given) && isObject(old) ? { ...old, ...given } : value];
  });
  return { ...input, ...Object.fromEntries(body) };
}

function namesOf(contract: Contract): string[] {
  return [contract.pathParameters, contract.query, contract.body].flatMap((part) =>
    Object.keys(part?.properties ?? {}),
  );
}

function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
