/** The options of an import in the words of the page, which the service names as parameters. */

type Option = {
  /** The label of its field. */
  readonly name: string;
  /** Its values in words; without them it is a date, or any value that the service proposes. */
  readonly values?: Readonly<Record<string, string>>;
};

const options: Readonly<Record<string, Option>> = {
  from: { name: 'First date' },
  to: { name: 'Last date' },
  coarse: { name: 'Rows of several days', values: { lastDay: 'Count on their last day' } },
  zone: { name: 'Times without an offset', values: { channel: 'In the zone of the channel' } },
  decimal: { name: 'Decimal mark', values: { comma: 'Comma (1.234,5)', point: 'Point (1,234.5)' } },
  dates: {
    name: 'Order of dates',
    values: { dayFirst: 'Day first (31/12)', monthFirst: 'Month first (12/31)' },
  },
  attribution: { name: 'Attribution', values: { 7: '7 days', 14: '14 days' } },
  type: { name: 'Kind of document' },
  replace: { name: 'Facts of other periods or detail', values: { true: 'Remove them' } },
  confirm: { name: 'Far fewer rows than before', values: { fewRows: 'They are right' } },
  charset: { name: 'Encoding' },
  dataset: { name: 'Rows of' },
  channelId: { name: 'Channel', values: { none: 'None' } },
};
/** Options of documents only. */
const ofDocuments = ['type', 'coarse', 'attribution', 'confirm'];
const dates = ['from', 'to'];
const parameter = new RegExp(`&?\\b(${Object.keys(options).join('|')})=([\\w-]+)`, 'g');

/** The values of an import's options, by their parameters. */
export type OptionValues = Readonly<Record<string, string>>;

/** A field for an option. */
export type OptionField = {
  readonly parameter: string;
  readonly name: string;
  /** Its choices; undefined for a date. */
  readonly choices: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** The value to begin with. */
  readonly value: string;
};

/** A refusal with all that it proposes as parameters. */
function withParameters(refusal: string): string {
  return refusal
    .replaceAll(/send them to \/operator\/imports\/(\w+)/g, 'import them with dataset=$1')
    .replaceAll(/omit channelId|channelId must be absent/gi, 'import it with channelId=none');
}

/**
 * The fields of the options that a refusal proposes, and of those that the import had. What it had
 * stays, and what the document needs is filled in.
 */
export function fieldsIn(refusal: string, given: OptionValues = {}): OptionField[] {
  const proposed = new Map<string, string[]>();
  const note = (name: string, value: string) =>
    proposed.set(name, [...new Set([...(proposed.get(name) ?? []), value])]);
  for (const [name, value] of Object.entries(given)) note(name, value);
  for (const [, name, value] of withParameters(refusal).matchAll(parameter)) note(name!, value!);
  for (const [at, name] of dates.entries())
    if (proposed.has(name) && !proposed.has(dates[1 - at]!)) note(dates[1 - at]!, 'YYYY-MM-DD');
  const isNeeded = /^(the document needs|the document is UTF-16|these are) /i.test(refusal);
  return [...proposed].map(([name, values]) => {
    const { name: label, values: words } = options[name]!;
    const isDate = values.includes('YYYY-MM-DD') || (dates.includes(name) && name in given);
    const choices = Object.entries(words ?? Object.fromEntries(values.map((one) => [one, one])));
    const only = isNeeded && values.length === 1 && !isDate ? values[0]! : '';
    return {
      parameter: name,
      name: label,
      choices: isDate ? undefined : choices.map(([id, text]) => ({ id, name: text })),
      value: given[name] ?? only,
    };
  });
}

/** The parameters of an import with these options: rows of a dataset take fewer. */
export function parametersOf({ dataset, charset: _, ...values }: OptionValues): OptionValues {
  const isSent = ([name, value]: [string, string]) =>
    !(dataset !== undefined && ofDocuments.includes(name)) && value !== 'none';
  return Object.fromEntries(Object.entries(values).filter(isSent));
}

/** A refusal that names fields of the page in place of parameters. */
export function inFields(refusal: string): string {
  return withParameters(refusal)
    .replaceAll(parameter, (found, name: string, value: string) => {
      const option = options[name]!;
      const text = /^YYYY/.test(value) ? '' : `: ${option.values?.[value] ?? value}`;
      return `${found.startsWith('&') ? ' and ' : ''}“${option.name}${text}”`;
    })
    .replaceAll(/\bfrom and to\b/gi, `${nameOf('from')} and ${nameOf('to')}`)
    .replaceAll(/\b(from|to)\b(?= must not| must be|$|\.$)/gi, (name) => nameOf(name))
    .replaceAll('without a type', `without “${options.type!.name}”`)
    .replaceAll(/; GET \/operator\/freshness\S*/g, '; the page of the channel')
    .replaceAll(/GET \/operator\/freshness\S*/g, 'The page of a channel')
    .replaceAll(/Call GET \/operator\/imports\/(\d+)/g, 'Open import $1')
    .replaceAll('GET /operator/imports?state=failed', 'The list of imports')
    .replaceAll(' in its content type', '')
    .replaceAll(
      /GET \/operator\/documents lists the kinds( and the fields)?/g,
      'the page of the channel lists the kinds',
    );
}

function nameOf(parameterName: string): string {
  return `“${options[parameterName.toLowerCase()]!.name}”`;
}
