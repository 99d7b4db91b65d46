/**
 * Shapes shared by the contracts of records, in the operator interface and on the account pages.
 */
import Type, { type TProperties, type TSchema } from 'typebox';
import { exampleChannel, exampleId } from './examples.ts';
import { type FieldOptions, OneOf, pageIndexMax, Text } from './shapes.ts';

/** The most rows that a page of the operator interface may have. */
export const operatorPageSizeMax = 1_000;
/** Rows of a page of the operator interface, unless the request states a number. */
export const operatorPageSizeDefault = 100;

/** The identifier of a record. */
export const Id = (of: string) =>
  Text({
    maxLength: 200,
    examples: [of === 'channel' ? exampleChannel.channelId : exampleId],
    description: `Identifier of the ${of}.`,
  });

/** A time in an answer. */
export const Instant = (description: string) =>
  Type.Integer({ description: `${description} Unix epoch time in whole seconds.` });

/** A value that may be missing. */
export const OrNull = <Schema extends TSchema>(schema: Schema, options: FieldOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A date of a request, without a time. */
export const CalendarDate = (description: string) =>
  Type.String({
    format: 'date',
    examples: ['2026-10-01'],
    description,
    words: { format: 'must be a date (YYYY-MM-DD)' },
  });

/** Where a rate comes from: the bank that published it, or the operator who imported it. */
export type RateSourceName = 'published' | 'own';

/** The source of an exchange rate in an answer. */
export const RateSource = OneOf(['published', 'own'], {
  description:
    'published: from the history of the European Central Bank; own: from rows of exchangeRates.',
});

/** The page of a list that is requested. */
export const pages = {
  pageIndex: Type.Integer({
    minimum: 0,
    maximum: pageIndexMax,
    default: 0,
    description: 'Number of the page, counted from 0.',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: operatorPageSizeMax,
    default: operatorPageSizeDefault,
    description: 'Rows per page.',
  }),
};

/** A page of a list, under the name of its rows. */
export function ListOf<const Name extends string, Item extends TSchema>(name: Name, item: Item) {
  const properties = { [name]: Type.Array(item) } as {
    [Key in Name]: ReturnType<typeof Type.Array<Item>>;
  };
  return Type.Object({
    ...properties,
    total: Type.Integer({ description: 'Number of rows on all pages.' }),
  });
}

/** An object whose fields are all optional. */
export function AllOptional<Properties extends TProperties>(properties: Properties) {
  return Type.Partial(Type.Object(properties));
}
