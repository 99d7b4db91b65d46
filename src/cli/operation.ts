/** Commands made of contracts: their arguments, options and help follow from what an operation is asked. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import { operatorPageSizeMax } from '../endpoints/operator/shapes.ts';
import { confirm, readPassword } from './question.ts';
import {
  addServiceOptions,
  answerFrom,
  ask,
  endWell,
  Misuse,
  type Service,
  type ServiceOptions,
  serviceOf,
} from './service.ts';
import { type Column, countOf, recordOf, tableOf } from './table.ts';

/** How an operation becomes a command. */
export type Settings<C extends Contract> = {
  readonly contract: C;
  /** The command's name within its subject; without one the subject itself runs the operation. */
  readonly verb?: string;
  /** Command lines, without the name of the program. */
  readonly examples: readonly string[];
  /** The operation that reads what a PUT replaces: what is not named on the command line stays as it is. */
  readonly keeping?: Contract;
  /** What is said of a good answer; the whole answer as a record where it is left out. */
  readonly tell?: (
    answer: AnswerOf<C>,
    options: ServiceOptions & { readonly quiet?: true },
  ) => void;
  /** True where the answer is new and `--quiet` leaves only it. */
  readonly mayBeQuiet?: true;
};

/** How a list becomes a command; `Rows` is the name under which the answer holds them. */
export type ListSettings<C extends Contract, Rows extends keyof AnswerOf<C> & string> = Omit<
  Settings<C>,
  'tell' | 'keeping'
> & {
  readonly rows: Rows;
  readonly columns: readonly Column<RowOf<C, Rows>>[];
};

/** A row of a list. */
type RowOf<
  C extends Contract,
  Rows extends keyof AnswerOf<C>,
> = AnswerOf<C>[Rows] extends readonly (infer Row)[] ? Row : never;

/** Rows that are fetched of a list when no page is asked for. */
export const listedRowsMax = 20_000;
const exitCodesHelp =
  'Exit codes: 0 done, 1 the service refused or could not be reached, 2 not understood and nothing sent.';
const pageFields = ['pageIndex', 'pageSize'];

/** Adds the command of an operation. */
export function addOperation<C extends Contract>(subject: Command, settings: Settings<C>): Command {
  const {
    contract,
    tell = (answer: AnswerOf<C>) => console.log(recordOf(answer as Record<string, unknown>)),
  } = settings;
  return addCommand(subject, settings, async (service, asked, options) => {
    const answer = await call(service, contract, asked as Partial<InputOf<C>>);
    if (options.json) {
      if (answer !== undefined) printJson(answer);
    } else tell(answer, options);
  });
}

/** Adds the command of a list: all pages, unless one is asked for. */
export function addList<C extends Contract, Rows extends keyof AnswerOf<C> & string>(
  subject: Command,
  settings: ListSettings<C, Rows>,
): Command {
  const { contract, rows, columns } = settings;
  const command = addCommand(subject, settings, async (service, asked, options) => {
    const { page, pageSize } = options;
    const answer =
      page === undefined && pageSize === undefined
        ? await callAll(service, contract, asked as Partial<InputOf<C>>, rows)
        : await call(service, contract, {
            ...asked,
            pageIndex: page,
            pageSize,
          } as unknown as Partial<InputOf<C>>);
    const found = answer[rows] as RowOf<C, Rows>[];
    if (options.json) printJson(answer);
    else if (found.length > 0) console.log(tableOf(found, columns));
    const { total } = answer as { total: number };
    if (total === 0) console.error('There are none.');
    else if (found.length < total) {
      console.error(
        `${countOf(found.length)} of ${countOf(total)} rows are shown: --page and --page-size show others.`,
      );
    }
  });
  return command
    .option('--page <number>', 'only this page, the first being 0', wholeNumber)
    .option('--page-size <rows>', `rows of a page, at most ${operatorPageSizeMax}`, wholeNumber);
}

/** Asks an operation and returns its answer; throws Failure in the service's own words. */
export async function call<C extends Contract>(
  service: Service,
  contract: C,
  asked: Partial<InputOf<C>>,
): Promise<AnswerOf<C>> {
  const { path, body } = requestOf(contract, asked as Asked);
  const answer = await ask(service, contract.method, path, { ...(body !== undefined && { body }) });
  return answerFrom(answer, service.address, namesOf(contract));
}

/** Asks for every page of a list, at most `listedRowsMax` rows, and returns them as one answer. */
export async function callAll<C extends Contract, Rows extends keyof AnswerOf<C>>(
  service: Service,
  contract: C,
  asked: Partial<InputOf<C>>,
  rows: Rows,
): Promise<AnswerOf<C>> {
  const found: unknown[] = [];
  for (let pageIndex = 0; ; pageIndex += 1) {
    const page = await call(service, contract, {
      ...asked,
      pageIndex,
      pageSize: operatorPageSizeMax,
    });
    const more = page[rows] as unknown[];
    found.push(...more);
    const { total } = page as { total: number };
    if (more.length === 0 || found.length >= Math.min(total, listedRowsMax))
      return { ...page, [rows]: found };
  }
}

/** The path with its query, and the body, of what is asked of an operation. */
export function requestOf(
  contract: Contract,
  asked: Asked,
): { path: string; body: Asked | undefined } {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(asked[name])),
  );
  const given = (schema: Contract['query']) =>
    Object.keys(schema?.properties ?? {}).filter((name) => asked[name] !== undefined);
  const query = new URLSearchParams(
    given(contract.query).map((name): [string, string] => [name, String(asked[name])]),
  );
  const body =
    contract.body && Object.fromEntries(given(contract.body).map((name) => [name, asked[name]]));
  return { path: query.size === 0 ? path : `${path}?${query}`, body };
}

/** Prints an answer for programs. */
export function printJson(answer: unknown): void {
  console.log(JSON.stringify(answer, null, 2));
}

/** Prints what is new alone on standard output, for whoever takes it from there; the words about it go to standard error. */
export function tellNew(made: string, words: string, { quiet }: { readonly quiet?: true }): void {
  if (!quiet) console.error(words);
  console.log(made);
}

/** What the help of a command ends with. */
export function helpOf(
  about: string,
  examples: readonly string[],
  exitCodes = exitCodesHelp,
): string {
  return `\n${about === '' ? '' : `${about}\n\n`}${exitCodes}\n\nExamples:\n${examples.map((line) => `  $ vitrine ${line}`).join('\n')}`;
}

/** Reads an option that is a whole number. */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

type Asked = Record<string, unknown>;
type Options = ServiceOptions & {
  readonly quiet?: true;
  readonly page?: number;
  readonly pageSize?: number;
};

function addCommand<C extends Contract>(
  subject: Command,
  { contract, verb, examples, keeping, mayBeQuiet }: Settings<C>,
  run: (service: Service, asked: Asked, options: Options) => Promise<void>,
): Command {
  const command =
    verb === undefined ? subject : subject.command(verb).description(asPhrase(contract.summary));
  const names = Object.keys(contract.pathParameters?.properties ?? {});
  for (const name of names)
    command.argument(
      `<${name}>`,
      asPhrase(schemaOf(contract.pathParameters!.properties[name]).description),
    );
  const fields = fieldsOf(contract);
  const isChange = contract.method === 'PATCH';
  for (const field of fields)
    for (const option of optionsOf(field, keeping !== undefined || isChange))
      command.addOption(option);
  const isDeletion = contract.method === 'DELETE';
  if (isDeletion) command.option('--yes', 'do not ask whether it is meant');
  if (mayBeQuiet) command.option('--quiet', 'only the answer, no words about it');
  addServiceOptions(command);
  command.addHelpText(
    'after',
    helpOf(
      keeping === undefined
        ? contract.description
        : `${contract.description} What is not named stays as it is.`,
      examples,
    ),
  );
  return command.action(() =>
    endWell(command, async () => {
      const options = command.opts<Options & Record<string, unknown>>();
      const asked: Asked = Object.fromEntries(names.map((name, at) => [name, command.args[at]]));
      await takeFields(asked, fields, options);
      if (isChange && fields.every(({ path }) => asked[path[0]!] === undefined))
        throw new Misuse('there is nothing to change: name at least one option');
      const service = serviceOf(options);
      if (isDeletion && options.yes !== true)
        await confirm(`${contract.summary} (${Object.values(asked).join(', ')})`);
      await run(
        service,
        keeping === undefined ? asked : await completed(service, keeping, contract, asked),
        options,
      );
      return undefined;
    }),
  );
}

/** What is asked, with what is held for all that it does not name. */
async function completed(
  service: Service,
  keeping: Contract,
  contract: Contract,
  asked: Asked,
): Promise<Asked> {
  const answer = await ask(service, keeping.method, requestOf(keeping, asked).path);
  if (answer.status === 404) return asked;
  const held = answerFrom<Asked>(answer, service.address, namesOf(keeping));
  const kept = Object.keys(contract.body!.properties).map((name) => {
    const given = asked[name];
    return [
      name,
      isObject(given) && isObject(held[name]) ? { ...held[name], ...given } : (given ?? held[name]),
    ];
  });
  return { ...asked, ...Object.fromEntries(kept) };
}

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
};
type Field = {
  readonly path: readonly string[];
  readonly flag: string;
  readonly schema: Schema;
  readonly required: boolean;
};

function schemaOf(schema: unknown): Schema {
  return schema as Schema;
}

/** The fields of query and body; those of an object within are fields of their own. */
function fieldsOf(contract: Contract): Field[] {
  const fieldsIn = (schema: Schema, path: readonly string[]): Field[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      if (pageFields.includes(name)) return [];
      const own = [...path, name];
      if (property.type === 'object') return fieldsIn(property, own);
      return [
        {
          path: own,
          flag: flagOf(name),
          schema: property,
          required: schema.required?.includes(name) ?? false,
        },
      ];
    });
  return [
    ...fieldsIn(schemaOf(contract.query ?? {}), []),
    ...fieldsIn(schemaOf(contract.body ?? {}), []),
  ];
}

function namesOf(contract: Contract): string[] {
  return [contract.pathParameters, contract.query, contract.body].flatMap((part) =>
    Object.keys(part?.properties ?? {}),
  );
}

/** `organisationId` is asked for as `--organisation`, `searchQueryProductMax` as `--search-query-product-max`. */
function flagOf(name: string): string {
  return name
    .replace(/Ids?$/, (end) => (end === 'Ids' ? 's' : ''))
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function optionsOf({ path, flag, schema, required }: Field, mayBeLeftOut: boolean): Option[] {
  const name = path.at(-1)!;
  // Who changes what there is leaves out what shall stay, so that what holds for something new misleads.
  const byDefault = schema.default === undefined ? '' : ` (${schema.default} unless it is said)`;
  const description = schema.description?.replace(
    mayBeLeftOut ? /; \d+ unless it is said/ : /$^/,
    '',
  );
  const about = asPhrase(description ?? `only those of this ${name}`) + byDefault;
  if (name === 'password')
    return [
      new Option(
        '--password-stdin',
        'read the password from standard input; on a terminal it is asked for',
      ),
    ];
  if (schema.type === 'boolean')
    return [new Option(`--${flag}`, about), new Option(`--no-${flag}`, 'the opposite')];
  const isInstant = name.endsWith('At');
  const value = isInstant
    ? 'time'
    : schema.type === 'integer'
      ? 'number'
      : /Ids?$/.test(name)
        ? name.replace(/s$/, '')
        : lastWordOf(flag);
  const option = new Option(
    `--${flag} <${value}${schema.type === 'array' ? '...' : ''}>`,
    isInstant ? instantAbout : about,
  );
  if (schema.enum) option.choices(schema.enum);
  if (schema.type === 'integer') option.argParser(wholeNumber);
  if (isInstant) option.argParser(instant);
  return [option.makeOptionMandatory(required && !mayBeLeftOut && schema.default === undefined)];
}

/** Stands for null, which the library would take for an option without a value. */
const never = 'never';
const instantAbout =
  'when it ends, such as 2026-12-31 or 2026-12-31T18:00 by the clock of this machine; "never" takes the end away';

function instant(text: string): number | typeof never {
  if (text === never) return never;
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(at))
    throw new InvalidArgumentError('It must be a time such as 2026-12-31T18:00, or never.');
  return Math.floor(at / 1000);
}

async function takeFields(
  asked: Asked,
  fields: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { path, flag } of fields) {
    const isPassword = path.at(-1) === 'password';
    const given =
      options[
        isPassword
          ? 'passwordStdin'
          : flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      ];
    if (given === undefined) continue;
    const value = isPassword
      ? await readPassword()
      : given === never && path.at(-1)!.endsWith('At')
        ? null
        : given;
    const [first, second] = path as [string, string?];
    if (second === undefined) asked[first] = value;
    else asked[first] = { ...(asked[first] as object | undefined), [second]: value };
  }
}

/** A sentence as a phrase of the help: in small letters, unless it begins with an abbreviation, and without its full stop. */
function asPhrase(sentence = ''): string {
  return sentence
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z\s-])/, (letter) => letter.toLowerCase());
}

function lastWordOf(flag: string): string {
  return flag.split('-').at(-1)!;
}

function isObject(value: unknown): value is Asked {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
