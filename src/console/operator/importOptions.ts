/** The options of an import in the words of the page, which the service proposes as parameters. */

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
  replace: { name: 'Facts of another grain', values: { true: 'Replace them' } },
  confirm: { name: 'Far fewer rows than before', values: { fewRows: 'They are right' } },
  charset: { name: 'Encoding' },
};
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

/** The fields of the options that a refusal proposes. Needed values are filled in. */
export function fieldsIn(refusal: string): OptionField[] {
  const proposed = new Map<string, string[]>();
  for (const [, name, value] of refusal.matchAll(parameter))
    proposed.set(name!, [...(proposed.get(name!) ?? []), value!]);
  const isNeeded = /^the document needs/i.test(refusal);
  return [...proposed].map(([name, values]) => {
    const words = options[name]!.values ?? Object.fromEntries(values.map((one) => [one, one]));
    const choices = Object.entries(words).map(([id, text]) => ({ id, name: text }));
    const isDate = name === 'from' || name === 'to';
    const value = isNeeded && new Set(values).size === 1 && !isDate ? values[0]! : '';
    return {
      parameter: name,
      name: options[name]!.name,
      choices: isDate ? undefined : choices,
      value,
    };
  });
}

/** A refusal that names fields of the page in place of parameters. */
export function inFields(refusal: string): string {
  return refusal
    .replaceAll(parameter, (found, name: string, value: string) => {
      const option = options[name]!;
      const text = /^YYYY/.test(value) ? '' : `: ${option.values?.[value] ?? value}`;
      return `${found.startsWith('&') ? ' and ' : ''}“${option.name}${text}”`;
    })
    .replaceAll(' in its content type', '')
    .replaceAll('GET /operator/documents lists the kinds', 'the list on this page has all kinds');
}
