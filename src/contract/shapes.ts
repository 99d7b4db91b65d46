/** Shapes and limits that several contracts share. */
import Type, {
  type Static,
  type TEnum,
  type TSchema,
  type TSchemaOptions,
  type TString,
} from 'typebox';
import type { Rule } from './endpoint.ts';

/** The last date that is taken for seconds: whoever sends more has sent milliseconds. */
export const epochSecondsMax = 1e11;
/** The length of a text in characters, where nothing narrower is said. */
export const textLengthMax = 500;
/** The entries of a list, where nothing narrower is said. */
export const listLengthMax = 1_000;
/** Rows of a page, in every list but those of products and search queries. */
export const pageSizeMax = 100;
/** Rows of a page when none are asked for. */
export const pageSizeDefault = 10;
/** The number of the last page that may be asked for. */
export const pageIndexMax = 1_000_000_000;

/** How a field is to be read and how its failing rules are said; none of it is part of the published description. */
export type FieldOptions = TSchemaOptions & {
  /** The client's words for a failing keyword of the schema, such as `maximum`, in place of the usual ones. */
  readonly words?: Readonly<Record<string, string>>;
  /** White space at both ends is not part of the text. */
  readonly trimmed?: boolean;
  /** The text is taken in this letter case, whatever it was sent in. */
  readonly letters?: 'upper' | 'lower';
};

/** A text that is not empty, and bounded. */
export function Text(options: FieldOptions = {}): TString {
  return Type.String({ minLength: 1, maxLength: textLengthMax, ...options });
}

/** One of a few fixed words. */
export function OneOf<const Values extends string[]>(
  values: readonly [...Values],
  options: FieldOptions = {},
): TEnum<Values> {
  return Type.Enum(values, { type: 'string', ...options });
}

/** A list, bounded. */
export function List<Item extends TSchema>(item: Item, options: FieldOptions = {}) {
  return Type.Array(item, { maxItems: listLengthMax, ...options });
}

/** The rule that a list, which stands in the object named `within`, names no more than so many different entries; one that is named again counts once. */
export function distinctRule(name: string, most: number, within = ''): Rule {
  const path = within === '' ? name : `${within}.${name}`;
  return {
    at: path,
    check: (asked) =>
      new Set((within === '' ? asked : asked[within])[name]).size > most
        ? `${path} must have at most ${most} different entries`
        : undefined,
  };
}

/** An answer without a body. */
export const NoAnswer = Type.Void();

/** The one value of `status` in every error. */
export const ErrorBody = Type.Object(
  {
    status: Type.Literal('error'),
    error: Type.String({
      description: 'What is wrong. When several rules fail, all of them, separated by commas.',
      examples: ['reportOptions.toDate must not be before reportOptions.fromDate'],
    }),
  },
  { description: 'The body of every error.' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A date of a request. */
export function EpochSeconds(description: string, options: FieldOptions = {}) {
  return Type.Integer({
    minimum: 0,
    maximum: epochSecondsMax,
    description: `${description} Unix epoch time in whole seconds.`,
    words: { maximum: 'must be in seconds, not milliseconds' },
    ...options,
  });
}

/** A currency to convert to; upper case once it has been checked. */
export function Currency(options: FieldOptions = {}) {
  return Type.String({
    pattern: '^[A-Za-z]{3}$',
    description:
      'Currency that amounts are converted to: an ISO 4217 code of three letters, in any letter case.',
    letters: 'upper',
    words: { pattern: 'must be a currency code of three letters' },
    ...options,
  });
}

/** A country, as filters name it. */
export const CountryCode = Type.String({
  pattern: '^[A-Za-z]{2,3}$',
  description: 'ISO 3166-1 alpha-2 or alpha-3 code, in any letter case.',
  words: { pattern: 'must be a country code of two or three letters' },
});

/** The zone whose calendar divides a range. */
export function Timezone(options: FieldOptions = {}) {
  return Type.String({
    format: 'timezone',
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone by whose calendar the range is divided, such as Europe/London.',
    words: { format: 'must be an IANA time zone' },
    ...options,
  });
}

/** Whether sales hold tax. */
export function IncludeTax(byDefault: boolean) {
  return Type.Boolean({
    default: byDefault,
    description: 'When true sales include tax, when false they are net of it.',
  });
}

/** The two names of a channel, which must belong together. */
export const channelFields = {
  channelId: Text({
    maxLength: 200,
    description: 'Identifier of the channel, as POST /channels lists it.',
  }),
  merchantId: Text({
    maxLength: 200,
    description: 'Identifier of the merchant that owns the channel.',
  }),
};

/** Which page of a list is wanted. */
export const pageFields = {
  pageIndex: Type.Integer({
    minimum: 0,
    maximum: pageIndexMax,
    default: 0,
    description: 'Number of the page, the first being 0.',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: pageSizeMax,
    default: pageSizeDefault,
    description: 'Rows of a page.',
  }),
};

/** A page of a list in the envelope that the advertising lists and the search queries share. */
export function PageOf<Row extends TSchema>(row: Row) {
  return Type.Object({
    data: Type.Array(row),
    pagination: Type.Object({
      pageIndex: Type.Integer({ description: 'Number of this page, the first being 0.' }),
      pageSize: Type.Integer({ description: 'Rows of a page.' }),
      count: Type.Integer({ description: 'Matching rows on all pages together.' }),
    }),
    meta: Type.Object({
      currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
    }),
  });
}

/** The period of a report and the one that it is compared with. */
export const periodFields = {
  fromDate: EpochSeconds('Start of the reporting period.'),
  toDate: EpochSeconds('End of the reporting period, inclusive.'),
  priorFromDate: Type.Optional(EpochSeconds('Start of the comparison period.')),
  priorToDate: Type.Optional(EpochSeconds('End of the comparison period, inclusive.')),
};

/** How long a bucket of a period is. */
export const Interval = OneOf(
  ['h', 'd', 'w', 'M', 'Q', 'y', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  {
    default: 'd',
    description:
      'Length of a bucket: h hour, d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last bucket are clipped to the period.',
  },
);

/** The options of the views that divide a period. */
export const ByPeriodOptions = Type.Object({
  ...periodFields,
  timezone: Timezone(),
  interval: Interval,
});

/** The rules between the dates of `periodFields`, which stand in the object named `within`. */
export function periodRules(within: string): Rule[] {
  const path = (field: string) => (within === '' ? field : `${within}.${field}`);
  const period = (asked: Record<string, unknown>) =>
    (within === '' ? asked : asked[within]) as Period;
  return [
    {
      at: path('toDate'),
      reads: [path('fromDate')],
      check: (asked) =>
        period(asked).toDate < period(asked).fromDate
          ? `${path('toDate')} must not be before ${path('fromDate')}`
          : undefined,
    },
    {
      at: path('priorFromDate'),
      reads: [path('priorToDate')],
      check: (asked) => {
        const { priorFromDate, priorToDate } = period(asked);
        return (priorFromDate === undefined) === (priorToDate === undefined)
          ? undefined
          : `${path('priorFromDate')} and ${path('priorToDate')} must be given together`;
      },
    },
    {
      at: path('priorToDate'),
      reads: [path('priorFromDate')],
      check: (asked) => {
        const { priorFromDate, priorToDate } = period(asked);
        return priorFromDate !== undefined &&
          priorToDate !== undefined &&
          priorToDate < priorFromDate
          ? `${path('priorToDate')} must not be before ${path('priorFromDate')}`
          : undefined;
      },
    },
  ];
}

type Period = { fromDate: number; toDate: number; priorFromDate?: number; priorToDate?: number };
