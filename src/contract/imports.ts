/** Shapes that the contracts of imports share. */
import Type from 'typebox';
import { dayNumber } from '../calendar/period.ts';
import type { Rule } from './endpoint.ts';
import { exampleChannel } from './examples.ts';
import { CalendarDate } from './records.ts';
import { OneOf, Text } from './shapes.ts';

/** The channel of imported rows. */
export const ChannelId = Text({
  maxLength: 200,
  examples: [exampleChannel.channelId],
  description: 'The channel of the rows. Absent for exchange rates, which belong to no channel.',
});

/** Options that every import takes. */
export const coverage = {
  from: Type.Optional(
    CalendarDate(
      "First date that the document covers, in the channel's time zone, even if its rows begin later. Requires `to`. Rows outside the range are rejected.",
    ),
  ),
  to: Type.Optional(CalendarDate('Last date that the document covers.')),
  zone: Type.Optional(
    OneOf(['channel'], {
      description:
        "Accepts times without an offset from UTC, as times of the channel's time zone. Of a time that clocks show twice the first counts; a time that they skip is as much later as they skip. Without it, such times are refused.",
    }),
  ),
  decimal: Type.Optional(
    OneOf(['comma', 'point'], {
      description:
        'Reads amounts with a decimal comma, such as 1.234,56 or 12,5, or with a decimal point. Numbers of JSON stay as they are. Without it the amounts of a document show how it writes them; one that leaves two readings is refused, and amounts of rows of a dataset must have a point.',
    }),
  ),
  dates: Type.Optional(
    OneOf(['dayFirst', 'monthFirst'], {
      description:
        'Whether the day or the month comes first in dates such as 3/4/2026. Without it the dates of a document show that, with from and to, days in succession, and the country of the store; a document that leaves two readings is refused.',
    }),
  ),
  replace: Type.Boolean({
    default: false,
    description:
      'Removes existing facts of the same kind that overlap the dates of the document in another grain, such as weeks where it has days, or days of products where it has a week of the store, and facts of more detail, such as traffic by SKU where it has parent products, or advertising figures of several days beside it of which it has only some. Without it, such a document is refused.',
  }),
  fileName: Type.Optional(
    Text({
      maxLength: 255,
      examples: ['orders-2026-10-01.csv'],
      description: 'Name of the file, for the record of the import. Nothing is read from it.',
    }),
  ),
  onError: OneOf(['skip', 'abort'], {
    default: 'skip',
    description:
      'skip imports the valid rows and rejects the others; abort refuses the whole document if any row is invalid.',
  }),
};

/** The rules between `from` and `to`. */
export const coverageRules: Rule[] = [
  {
    at: 'from',
    reads: ['to'],
    check: ({ from, to }: { from?: string; to?: string }) =>
      (from === undefined) === (to === undefined)
        ? undefined
        : 'from and to must be given together',
  },
  {
    at: 'to',
    reads: ['from'],
    check: ({ from, to }: { from?: string; to?: string }) =>
      from !== undefined && to !== undefined && dayNumber(to) < dayNumber(from)
        ? 'to must not be before from'
        : undefined,
  },
];

/** A rejected row. */
export const Rejection = Type.Object(
  {
    line: Type.Integer({
      description:
        'Line of the document, counted from 1; for a single JSON document, the position of the row.',
    }),
    reason: Type.String(),
  },
  { component: 'Rejection' },
);

/** A date of an answer that may be missing. */
export const nullableDate = (description: string) =>
  Type.Union([Type.String({ format: 'date' }), Type.Null()], { description });

/** The identity of an imported document. */
export const ImportedDocument = Type.Object(
  {
    sha256: Type.String({
      description: 'SHA-256 of the body as it was received, packed or not, in hexadecimal digits.',
    }),
    bytes: Type.Integer({ description: 'Size of the body as it was received.' }),
    mediaType: Type.Union([Type.String(), Type.Null()], {
      description: 'Media type that the sender named, without parameters; null without one.',
    }),
    fileName: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the file that the sender named; null without one.',
    }),
  },
  { component: 'ImportedDocument', description: 'The identity of an imported document.' },
);

/** The document of an import in an answer. */
export const documentField = Type.Union([ImportedDocument, Type.Null()], {
  description:
    'The document; null for imports of earlier versions, and where it did not arrive whole.',
});

/** The numbers of rows of an import. */
export const counts = {
  dataset: Type.String({
    description: 'The dataset, or the document kind that was recognised.',
  }),
  rowsRead: Type.Integer({
    description:
      'The sum of rowsAccepted, rowsMerged, rowsRejected and rowsSkipped when the import has ended.',
  }),
  rowsAccepted: Type.Integer(),
  rowsMerged: Type.Integer({
    description:
      'Rows with the key of a later row of the document, which replaced them: earlier versions of the same order, line or product.',
  }),
  rowsRejected: Type.Integer(),
  rowsSkipped: Type.Integer({
    description:
      'Rows that are right but not counted, such as those of a document that was refused as a whole.',
  }),
  otherStores: Type.Integer({
    description: "Rows of other stores than the channel's, among those that were skipped.",
  }),
  encoding: Type.Union([Type.String(), Type.Null()], {
    description:
      'The encoding of the document, such as utf-8 or windows-1252; null for spreadsheets, and where it is not known.',
  }),
  rowsCoarse: Type.Integer({
    description: 'Accepted rows that cover several days and were booked on the last of them.',
  }),
  rounded: Type.Integer({
    description:
      'Amounts with more than six decimals, which were rounded to six, half away from zero.',
  }),
};

const amountOf = (description: string) =>
  Type.String({ description: `${description}; credits positive, debits negative.` });

const rowsBySource = (description: string) =>
  Type.Array(
    Type.Object({
      source: Type.String({ description: 'The source that reported them.' }),
      rows: Type.Integer(),
    }),
    { description },
  );

/** The result of a financial document. */
export const Finance = Type.Object(
  {
    source: Type.String({
      description:
        'The source: settlement, transactions, financialEvents, economics, reimbursements or returns.',
    }),
    sums: Type.Array(
      Type.Object({
        currency: Type.String(),
        lines: Type.Record(
          Type.String(),
          amountOf('Amount booked on this line of the profit and loss, without tax'),
        ),
        tax: Type.Object({ sales: amountOf('Tax on sales'), refunds: amountOf('Tax on refunds') }),
        balance: amountOf('Amounts that only move money: reserves, transfers, loans'),
        skipped: amountOf('Amounts that were skipped because another document had reported them'),
        total: amountOf('Sum of the above'),
        documentTotal: Type.Union([
          amountOf('The total that the document itself states'),
          Type.Null(),
        ]),
      }),
      { description: 'The sums of the document, by currency.' },
    ),
    unknownCodes: Type.Array(
      Type.Object({
        code: Type.String(),
        currency: Type.String(),
        rows: Type.Integer(),
        amount: amountOf('Their sum'),
      }),
      {
        description:
          'Up to 100 codes that are not in the list of codes; they are booked as otherIncome or otherExpenses by their sign.',
      },
    ),
    skipped: rowsBySource(
      'Rows of the document that were skipped because another document had reported them: each instant has one source.',
    ),
    superseded: rowsBySource('Existing rows that this document superseded, by source.'),
  },
  { component: 'Finance', description: 'The result of a financial document.' },
);

/** The result of an import. */
export const ImportAnswer = Type.Object(
  {
    importId: Type.Integer(),
    ...counts,
    rowsOlder: Type.Integer({
      description:
        'Accepted rows that changed nothing, because the existing row with their key is newer.',
    }),
    rejected: Type.Array(Rejection, {
      description:
        'The first 100 rejected rows; GET /operator/imports/{importId}/rejected lists up to 1000.',
    }),
    from: nullableDate("First date that was replaced or added, in the channel's time zone."),
    to: nullableDate('Last date that was replaced or added.'),
    finance: Type.Optional(Finance),
  },
  { component: 'ImportAnswer' },
);

/** Guarantees of every import. */
export const promises =
  'The import becomes visible as a whole or not at all, and after status 200 it is durable. ' +
  'Importing the same document again leaves the same facts. If every row is rejected, nothing ' +
  'changes and the status is 422, with the fields of the answer beside `error`.\n\n' +
  'Dated rows replace all rows of their kind on the dates that the document covers, so rows that a ' +
  'restated document no longer has are removed. Orders, order lines and products are kept by key.';
