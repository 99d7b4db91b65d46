/** Shapes and limits shared by several contracts. */
import Type, {
  type Static,
  type TEnum,
  type TSchema,
  type TSchemaOptions,
  type TString,
} from 'typebox';
import type { Rule } from './endpoint.ts';
import { exampleChannel } from './examples.ts';

/** The largest date in seconds; a larger number must be a time in milliseconds. */
export const epochSecondsMax = 1e11;
/** The most characters of a text, unless its field has a lower limit. */
export const textLengthMax = 500;
/** The most entries of a list, unless its field has a lower limit. */
export const listLengthMax = 1_000;
/** The most rows of a page, except in lists of products and search queries. */
export const pageSizeMax = 100;
/** Rows of a page by default. */
export const pageSizeDefault = 10;
/** The largest page number. */
export const pageIndexMax = 1_000_000_000;

/**
 * Options for reading a field and for wording its failures; not part of the published description.
 */
export type FieldOptions = TSchemaOptions & {
  /** Special words for a failing keyword of the schema, such as `maximum`. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whether white space at both ends is removed. */
  readonly trimmed?: boolean;
  /** The most different entries of a list; duplicates are not counted. */
  readonly distinctMax?: number;
  /** The name of the schema in descriptions. */
  readonly component?: string;
  /** Whether the text is a number, or "-" if there is none. */
  readonly isFigure?: true;
  /** The letter case to which the text is converted. */
  readonly letters?: 'upper' | 'lower';
};

/** A text that is not empty and has a limit. */
export function Text(options: FieldOptions = {}): TString {
  return Type.String({ minLength: 1, maxLength: textLengthMax, ...options });
}

/** A number as text, or "-" if there is none. */
export function Figure(description: string): TString {
  return Type.String({ description, isFigure: true });
}

/** One of several fixed words. */
export function OneOf<const Values extends string[]>(
  values: readonly [...Values],
  options: FieldOptions = {},
): TEnum<Values> {
  return Type.Enum(values, { type: 'string', ...options });
}

/** A list with a limit. */
export function List<Item extends TSchema>(item: Item, options: FieldOptions = {}) {
  return Type.Array(item, { maxItems: listLengthMax, ...options });
}

/** An answer without a body. */
export const NoAnswer = Type.Void();

/** The body of every error; its `status` is always `error`. */
export const ErrorBody = Type.Object(
  {
    status: Type.Literal('error'),
    error: Type.String({
      description: 'The failing rules, separated by commas.',
      examples: ['reportOptions.toDate must not be before reportOptions.fromDate'],
    }),
  },
  { component: 'Error', description: 'The body of every error.' },
);

/** The body of an error, as a type. */
export type ErrorBody = Static<typeof ErrorBody>;

/** A date of a request. */
export function EpochSeconds(description: string, options: FieldOptions = {}) {
  return Type.Integer({
    minimum: 0,
    maximum: epochSecondsMax,
    examples: [1790838000],
    description: `${description} Unix epoch time in whole seconds.`,
    words: { maximum: 'must be in seconds and not in milliseconds' },
    ...options,
  });
}

/** A currency to convert to, in upper case after the check. */
export function Currency(options: FieldOptions = {}) {
  return Type.String({
    pattern: '^[A-Za-z]{3}$',
    description: 'Currency that amounts are converted to: an ISO 4217 code, in any letter case.',
    letters: 'upper',
    examples: ['EUR'],
    words: { pattern: 'must be a currency code of three letters' },
    ...options,
  });
}

/** A country in a filter. */
export const CountryCode = Type.String({
  pattern: '^[A-Za-z]{2,3}$',
  examples: ['DE'],
  description: 'ISO 3166-1 alpha-2 or alpha-3 code, in any letter case.',
  words: { pattern: 'must be a country code of two or three letters' },
});

/** The time zone whose calendar divides a range. */
export function Timezone(options: FieldOptions = {}) {
  return Type.String({
    format: 'timezone',
    minLength: 1,
    maxLength: 64,
    examples: ['Europe/London'],
    description: 'IANA time zone by whose calendar the range is divided, such as Europe/London.',
    words: { format: 'must be an IANA time zone' },
    ...options,
  });
}

/** Whether sales include tax. */
export function IncludeTax(byDefault: boolean) {
  return Type.Boolean({
    default: byDefault,
    description: 'true includes tax in sales, false excludes it.',
  });
}

/** The two identifiers of a channel, which must belong together. */
export const channelFields = {
  channelId: Text({
    maxLength: 200,
    examples: [exampleChannel.channelId],
    description: 'Identifier of the channel, as POST /channels lists it.',
  }),
  merchantId: Text({
    maxLength: 200,
    examples: [exampleChannel.merchantId],
    description: 'Identifier of the merchant that owns the channel.',
  }),
};

/** The requested page of a list. */
export const pageFields = {
  pageIndex: Type.Integer({
    minimum: 0,
    maximum: pageIndexMax,
    default: 0,
    description: 'Number of the page, counted from 0.',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: pageSizeMax,
    default: pageSizeDefault,
    description: 'Rows per page.',
  }),
};

const Pagination = Type.Object(
  {
    pageIndex: Type.Integer({ description: 'Number of this page, counted from 0.' }),
    pageSize: Type.Integer({ description: 'Rows per page.' }),
    count: Type.Integer({ description: 'Number of matching rows on all pages.' }),
  },
  { component: 'Pagination' },
);

/** A page of a list, in the envelope of the advertising lists and the search queries. */
export function PageOf<Row extends TSchema>(row: Row) {
  return Type.Object({
    data: Type.Array(row),
    pagination: Pagination,
    meta: Type.Object({
      currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
    }),
  });
}

/** The period of a report and the prior period. */
export const periodFields = {
  fromDate: EpochSeconds('Start of the reporting period.'),
  toDate: EpochSeconds('End of the reporting period, inclusive.'),
  priorFromDate: Type.Optional(EpochSeconds('Start of the comparison period.')),
  priorToDate: Type.Optional(EpochSeconds('End of the comparison period, inclusive.')),
};

/** The length of a bucket. */
export const Interval = OneOf(
  ['h', 'd', 'w', 'M', 'Q', 'y', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  {
    default: 'd',
    description:
      'Length of a bucket: h hour, d day, w week from Monday, M month, Q quarter, y year, or the word itself. The first and last bucket are clipped to the period.',
  },
);

/** The options of the views that divide a period. */
export const ByPeriodOptions = Type.Object(
  {
    ...periodFields,
    timezone: Timezone(),
    interval: Interval,
  },
  { component: 'ByPeriodOptions' },
);

/** The rule that a range in the object `within` does not end before it starts. */
export function rangeRule(within: string, from = 'fromDate', to = 'toDate'): Rule {
  const path = (field: string) => (within === '' ? field : `${within}.${field}`);
  return {
    at: path(to),
    reads: [path(from)],
    check: (input) => {
      const { [from]: start, [to]: end } = (within === '' ? input : input[within]) as Period;
      return start !== undefined && end !== undefined && end < start
        ? `${path(to)} must not be before ${path(from)}`
        : undefined;
    },
  };
}

/** The rules between the dates of `periodFields`, in the object `within`. */
export function periodRules(within: string): Rule[] {
  const path = (field: string) => (within === '' ? field : `${within}.${field}`);
  return [
    rangeRule(within),
    {
      at: path('priorFromDate'),
      reads: [path('priorToDate')],
      check: (input) => {
        const { priorFromDate, priorToDate } = (within === '' ? input : input[within]) as Period;
        return (priorFromDate === undefined) === (priorToDate === undefined)
          ? undefined
          : `${path('priorFromDate')} and ${path('priorToDate')} must be given together`;
      },
    },
    rangeRule(within, 'priorFromDate', 'priorToDate'),
  ];
}

type Period = Readonly<Record<string, number | undefined>>;
