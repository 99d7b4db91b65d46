/** Shapes that the contracts of imports share. */
import Type from 'typebox';
import { dayNumber } from '../calendar/period.ts';
import type { Rule } from './endpoint.ts';
import { CalendarDate } from './records.ts';
import { OneOf, Text } from './shapes.ts';

/** TODO */
export const ChannelId = Text({
  maxLength: 200,
  description:
    'The channel that the rows belong to. Left out for what belongs to no channel: exchange rates.',
});

/** TODO */
export const coverage = {
  from: Type.Optional(
    CalendarDate(
      'First date that the document speaks for, where its rows do not begin with it. Comes with `to`. Rows outside are refused.',
    ),
  ),
  to: Type.Optional(CalendarDate('Last date that the document speaks for.')),
  onError: OneOf(['skip', 'abort'], {
    default: 'skip',
    description:
      'skip takes the good rows and refuses the bad ones; abort refuses the whole document for one bad row.',
  }),
};

/** TODO */
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

/** TODO */
export const Rejection = Type.Object({
  line: Type.Integer({
    description:
      'Line of the document, the first being 1; in a single JSON document the position of the row.',
  }),
  reason: Type.String(),
});

/** TODO */
export const nullableDate = (description: string) =>
  Type.Union([Type.String({ format: 'date' }), Type.Null()], { description });

/** TODO */
export const counts = {
  dataset: Type.String({
    description: 'The dataset, or the kind of document that was recognised.',
  }),
  rowsRead: Type.Integer(),
  rowsAccepted: Type.Integer(),
  rowsRejected: Type.Integer(),
  rowsCoarse: Type.Integer({
    description: 'Accepted rows that speak for several days and were booked on the last of them.',
  }),
};

const amountOf = (description: string) =>
  Type.String({ description: `${description}; credits positive, debits negative.` });

const told = (description: string) =>
  Type.Array(
    Type.Object({
      told: Type.String({ description: 'The source that told them.' }),
      rows: Type.Integer(),
    }),
    { description },
  );

/** TODO */
export const Finance = Type.Object(
  {
    source: Type.String({
      description:
        'Who tells it: settlement, transactions, financialEvents, economics, reimbursements or returns.',
    }),
    sums: Type.Array(
      Type.Object({
        currency: Type.String(),
        lines: Type.Record(
          Type.String(),
          amountOf('What was booked on that line of the profit and loss, without tax'),
        ),
        tax: Type.Object({ sales: amountOf('Tax on sales'), refunds: amountOf('Tax on refunds') }),
        balance: amountOf('What only moves money: reserves, transfers, loans'),
        leftOut: amountOf('What was left out because it had been told already'),
        total: amountOf('All of the above'),
        documentTotal: Type.Union([
          amountOf('What the document itself says that it comes to'),
          Type.Null(),
        ]),
      }),
      { description: 'What the document came to, by currency.' },
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
          'Up to 100 codes that the list of codes does not have: booked as otherIncome or otherExpenses by their sign.',
      },
    ),
    leftOut: told(
      'Rows of the document that were left out because another document had told them: one source tells each instant.',
    ),
    gaveWay: told('Held rows that gave way to this document.'),
  },
  { description: 'What a financial document came to.' },
);

/** TODO */
export const ImportAnswer = Type.Object({
  importId: Type.Integer(),
  ...counts,
  rowsOlder: Type.Integer({
    description:
      'Accepted rows that changed nothing, because the held row of their key was updated later.',
  }),
  rejected: Type.Array(Rejection, {
    description:
      'The first 100 refused rows; all of them at /operator/imports/{importId}/rejected.',
  }),
  from: nullableDate('First date that was replaced or brought.'),
  to: nullableDate('Last date that was replaced or brought.'),
  finance: Type.Optional(Finance),
});

/** TODO */
export const promises =
  'All of a document becomes visible at once, or nothing of it; what was answered with 200 is durable. The same document twice leaves the ' +
  'same facts. Dated rows replace all that the channel held of their kind on the dates that the document covers, so rows that a restated document ' +
  'no longer has are gone; orders, order lines and products are kept by their key.';
