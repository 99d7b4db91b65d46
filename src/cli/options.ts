/** Command line options made from the fields of an operation. */
import { InvalidArgumentError, Option } from 'commander';
import type { Contract } from '../contract/endpoint.ts';
import { readPassword } from './prompt.ts';

/** The input of an operation, by field. */
export type Input = Record<string, unknown>;

/** The parts of a JSON Schema that options follow from. */
type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
};
/** A field of an operation, and the option that sets it. */
export type Field = {
  readonly path: readonly string[];
  readonly flag: string;
  readonly schema: Schema;
  readonly required: boolean;
};

/** Paging has options of its own. */
const pageFields = ['pageIndex', 'pageSize'];
/** Fields that a command turns on and never off. */
const switches = ['dryRun'];
/** Stands for null, because an option always has a value. */
const never = 'never';
/** The values of a boolean that may be null. */
const settings: Readonly<Record<string, boolean | null>> = { yes: true, no: false, default: null };
/** Fields that are instants, besides those whose names end in At. */
const bounds = ['since', 'until'];
const instantAbout =
  'when it expires, such as 2026-12-31 or 2026-12-31T18:00 in local time; "never" removes the expiry';
/** The default that a description mentions. */
const defaultInText =
  /[;,] (?:\d+ (?:by default|unless it is said)|default:? \d+)| \(default:? \d+\)/;

/** A TypeBox schema as the JSON Schema that it is. */
export function schemaOf(schema: unknown): Schema {
  return schema as Schema;
}

/** The fields of an operation's query and body; fields of a nested object are listed on their own. */
export function fieldsOf(contract: Contract): Field[] {
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

/** `organisationId` becomes `--organisation`, `searchQueryProductMax` `--search-query-product-max`. */
function flagOf(name: string): string {
  return name
    .replace(/Ids?$/, (end) => (end === 'Ids' ? 's' : ''))
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The options of a field; `isUpdate` when omitting it leaves the present value. */
export function optionsOf({ path, flag, schema, required }: Field, isUpdate: boolean): Option[] {
  const name = path.at(-1)!;
  const byDefault = schema.default === undefined ? '' : ` (default: ${schema.default})`;
  const text = schema.description ?? `only those of this ${name}`;
  // An update keeps the values that it does not name, so defaults do not apply.
  const about = asPhrase(isUpdate ? text.replace(defaultInText, '') : text) + byDefault;
  if (name === 'password')
    return [
      new Option(
        '--password-stdin',
        'read the password from standard input, or prompt for it on a terminal',
      ),
    ];
  if (switches.includes(name)) return [new Option(`--${flag}`, asPhrase(text))];
  if (schema.type === 'boolean')
    return [new Option(`--${flag}`, about), new Option(`--no-${flag}`, `turn off --${flag}`)];
  if (isSetting(schema))
    return [
      new Option(`--${flag} <setting>`, about.replace('null, the default', 'default')).choices(
        Object.keys(settings),
      ),
    ];
  const isBound = bounds.includes(name);
  const isInstant = name.endsWith('At') || isBound;
  const value = isInstant
    ? 'time'
    : schema.type === 'integer'
      ? 'number'
      : /Ids?$/.test(name)
        ? name.replace(/s$/, '')
        : lastWordOf(flag);
  const isList = schema.type === 'array' || isListOrAll(schema);
  const option = new Option(
    `--${flag} <${value}${isList ? '...' : ''}>`,
    isBound ? boundAbout(about) : isInstant ? instantAbout : about,
  );
  if (schema.enum) option.choices(schema.enum);
  if (schema.type === 'integer') option.argParser(wholeNumber);
  if (isInstant) option.argParser(instant);
  return [option.makeOptionMandatory(required && !isUpdate && schema.default === undefined)];
}

/** Whether a field is a boolean that may be null. */
function isSetting({ anyOf = [] }: Schema): boolean {
  const types = anyOf.map(({ type }) => type);
  return types.length === 2 && types.includes('boolean') && types.includes('null');
}

/** Whether a field is a list or the word "all". */
function isListOrAll({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'array') && anyOf.some((one) => one.const === 'all');
}

/** The description of an instant, as the command line takes it. */
function boundAbout(about: string): string {
  return about.replace(
    /\. Unix epoch.*$/,
    ', such as 2026-12-31 or 2026-12-31T18:00 in local time',
  );
}

function instant(text: string): number | typeof never {
  if (text === never) return never;
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(at))
    throw new InvalidArgumentError('Expected a time such as 2026-12-31T18:00, or never.');
  return Math.floor(at / 1000);
}

/** Puts the given options into the input of the operation; prompts for a password. */
export async function readFields(
  input: Input,
  fields: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { path, flag, schema } of fields) {
    const [first, second] = path as [string, string?];
    const name = path.at(-1)!;
    const given = options[name === 'password' ? 'passwordStdin' : camelCase(flag)];
    if (given === undefined) continue;
    const value =
      name === 'password'
        ? await readPassword()
        : given === never && name.endsWith('At')
          ? null
          : isSetting(schema)
            ? settings[given as string]
            : isListOrAll(schema) && String(given) === 'all'
              ? 'all'
              : given;
    if (second === undefined) input[first] = value;
    else input[first] = { ...(input[first] as object | undefined), [second]: value };
  }
}

/** Parses an option that takes a whole number. */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** A sentence as a phrase of the help: no full stop, no capital unless it starts an abbreviation. */
export function asPhrase(sentence = ''): string {
  return sentence
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z\s-])/, (letter) => letter.toLowerCase());
}

function lastWordOf(flag: string): string {
  return flag.split('-').at(-1)!;
}

function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
