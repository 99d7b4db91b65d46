import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { exampleChannel } from '../../contract/examples.ts';
import { datedDatasets } from '../../contract/importable.ts';
import { counts, documentField, nullableDate } from '../../contract/imports.ts';
import { CalendarDate, Instant, OrNull, RateSource } from '../../contract/records.ts';
import { Currency, channelFields, OneOf } from '../../contract/shapes.ts';
import { UnknownCode } from '../../contract/unknownCodes.ts';

/** The most imports without facts of the date that an answer lists. */
export const importsMax = 500;

const factFields = {
  table: Type.String({ description: 'The table of the facts, as exports name it.' }),
  partition: OrNull(Type.String(), {
    description:
      'The part of the table by which documents share a day, such as a type of advertising or a ' +
      'source of financial events; null in tables without parts.',
  }),
  importId: Type.Integer({ description: 'The import that brought the facts.' }),
};

const Facts = Type.Object(
  {
    ...factFields,
    rows: Type.Integer({ description: 'Facts of the date that the import brought.' }),
    rowsCoarse: Type.Integer({
      description: 'Those of them that cover several days and count on the last one.',
    }),
    since: nullableDate('The first day of those of several days; null where there are none.'),
    sums: Type.Array(
      Type.Object({
        currency: OrNull(Type.String(), {
          description: 'The currency of the amounts, as the facts have it; null without one.',
        }),
        figures: Type.Record(Type.String(), Type.String(), {
          description: 'Exact sums of the leading figures, by their name in the dataset.',
        }),
      }),
      { description: 'Sums by currency; none of tables without figures that add up.' },
    ),
  },
  { component: 'LineageFacts', description: 'The facts of a date that one import brought.' },
);

const LineageImport = Type.Object(
  {
    importId: Type.Integer(),
    state: OneOf(['running', 'done', 'failed', 'undone'], { description: 'Its state.' }),
    standing: OneOf(['counts', 'superseded', 'empty', 'undone', 'failed', 'running'], {
      description:
        'Its part in the date: it has facts of it that count, all of its facts of the date were ' +
        'superseded, it covers the date without facts of it (empty), or it is in this state.',
    }),
    ...counts,
    from: nullableDate("First date that it covers, in the channel's time zone."),
    to: nullableDate('Last date.'),
    startedAt: Instant('When the import began.'),
    finishedAt: OrNull(Instant('When the import ended.')),
    error: OrNull(Type.String({ description: 'Why the import failed.' })),
    document: documentField,
  },
  { component: 'LineageImport', description: 'An import that a date comes from or came from.' },
);

const Superseded = Type.Object(
  {
    ...factFields,
    rows: OrNull(Type.Integer(), {
      description: 'Facts that were superseded, where their history is kept; else null.',
    }),
    reason: OneOf(['restated', 'newerVersion', 'precedence'], {
      description:
        'restated: a later import covers the date. newerVersion: a later import brought newer ' +
        'versions of the same rows. precedence: another source of the same money takes precedence.',
    }),
    supersededBy: Type.Integer({ description: 'The import that superseded it.' }),
  },
  {
    component: 'LineageSuperseded',
    description: 'An import whose facts of a date were superseded.',
  },
);

const Rate = Type.Object(
  {
    from: Type.String({ description: 'The currency of facts.' }),
    to: Type.String({ description: 'The currency that was asked for.' }),
    rate: OrNull(Type.Number(), {
      description: 'Units of the second currency for one of the first; null if none is known.',
    }),
    isMonthMean: Type.Boolean({
      description:
        'Whether it is the mean of the rates of the month, by which monthly facts convert.',
    }),
    published: Type.Array(
      Type.Object({
        currency: Type.String(),
        date: Type.String({ format: 'date', description: 'The date of the rate.' }),
        perEuro: Type.Number({ description: 'Units of the currency per euro.' }),
        peggedTo: OrNull(Type.String(), {
          description: 'The currency of the rate, if this one has a fixed rate to it.',
        }),
        importId: Type.Integer({ description: 'The import that brought the rate.' }),
        source: RateSource,
      }),
      { description: 'The rates behind it; none for the euro or for equal currencies.' },
    ),
  },
  { component: 'LineageRate', description: 'The exchange rate that converts figures of a date.' },
);

/** GET /lineage */
export const readLineage = contract({
  operation: 'readLineage',
  access: 'key',
  method: 'GET',
  path: '/lineage',
  needs: 'lineage:read',
  summary: "Trace a day's figures to their imports",
  description:
    'Answers where the figures of one date and dataset come from: the imports with facts of the ' +
    'date and their documents, the imports that these superseded, and failed and undone ones that ' +
    'cover the date. A fact of several days belongs to its last day. Dates are those of the ' +
    "channel's time zone; monthly facts belong to every date of their month. With `currency` the " +
    `answer has the exchange rates, too. Of imports without facts of the date it lists the ` +
    `${importsMax} latest.`,
  query: Type.Object({
    ...channelFields,
    dataset: OneOf([...datedDatasets], { description: 'The dataset.' }),
    date: CalendarDate("The date, in the channel's time zone."),
    currency: Type.Optional(
      Currency({ description: 'Currency of which the exchange rates are answered.' }),
    ),
  }),
  channel: true,
  example: { ...exampleChannel, dataset: 'traffic', date: '2026-10-01', currency: 'EUR' },
  answer: Type.Object({
    channelId: Type.String({ description: 'Identifier of the channel.' }),
    merchantId: Type.String({ description: 'Identifier of the merchant that owns the channel.' }),
    dataset: Type.String({ description: 'The dataset.' }),
    date: Type.String({ format: 'date', description: 'The date.' }),
    timezone: Type.String({ description: "The channel's time zone." }),
    facts: Type.Array(Facts, { description: 'By table, part and import.' }),
    imports: Type.Array(LineageImport, { description: 'The newest first.' }),
    superseded: Type.Array(Superseded, { description: 'By import, the newest first.' }),
    unknownCodes: Type.Array(UnknownCode, {
      description:
        'Of financial events of the date: the codes that no list knows, with their lines.',
    }),
    rates: Type.Array(Rate, {
      description: "By the currency of the facts, or the channel's without facts.",
    }),
  }),
});
