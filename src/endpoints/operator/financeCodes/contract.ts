/** The operator's interface to the codes by which financial documents are booked. */

import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { bookings, financeSources } from '../../../contract/importable.ts';
import { Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf, Text } from '../../../contract/shapes.ts';

/** Characters of each of a code's three names. */
const patternLengthMax = 600;
/** Bytes of the three together, which are a key in the stores: PostgreSQL takes no more than 2,704 into one. */
const namesBytesMax = 2_400;
const nameLengthMax = 500;

const Source = OneOf(financeSources, {
  description: 'Who tells the amount: the kind of financial document.',
});
const Line = OneOf(bookings, {
  description:
    'Where it is booked: a line of the profit and loss, balance for what only moves money, or sales.tax and refunds.tax for tax beside the amount.',
});

// A beginning and its star, or a name without white space around it.
const alternative = '(?:\\*|[^\\s|*][^|*]*\\*|[^\\s|*](?:[^|*]*[^\\s|*])?)';

const Pattern = (of: string, byDefault?: string) =>
  Text({
    maxLength: patternLengthMax,
    trimmed: true,
    // Alternatives, none of them empty or with white space around it, each with a star only at its end.
    pattern: `^${alternative}(?:\\|${alternative})*$`,
    words: {
      pattern:
        'must be a name, or several parted by | without spaces around it, with * only at the end of one',
    },
    ...(byDefault !== undefined && { default: byDefault }),
    description: `${of}: a name, several parted by |, or the beginning of one before *.`,
  });
const names = {
  source: Source,
  type: Pattern('The whole that the amount is part of, such as the type of the transaction', '*'),
  component: Pattern('The part of the whole, such as the kind of the amount', '*'),
  code: Pattern("The source's own name of the amount"),
};

const FinanceCode = Type.Object({
  source: Source,
  type: Type.String(),
  component: Type.String(),
  code: Type.String(),
  line: Line,
  origin: OneOf(['own', 'shipped'], {
    description: "The operator's own, or shipped with the service.",
  }),
  createdAt: OrNull(Instant('When it was first saved; null where it is shipped.')),
  updatedAt: OrNull(Instant('When it was last saved; null where it is shipped.')),
});

/** Say where a code of financial documents is booked. */
export const saveFinanceCode = contract({
  operation: 'saveFinanceCode',
  access: 'operator',
  method: 'PUT',
  path: '/operator/financeCodes',
  summary: 'Say where a code of financial documents is booked',
  description:
    'A * alone stands for any name, and letter case does not count. ' +
    "The operator's own codes go before all that are shipped. Saving the same names again replaces their line. " +
    'It holds for documents that are imported from then on: the same document imported again is booked anew.',
  body: Type.Object({ ...names, line: Line }),
  rules: [
    {
      at: 'code',
      reads: ['type', 'component'],
      check: ({ type, component, code }: { type: string; component: string; code: string }) =>
        Buffer.byteLength(type + component + code) > namesBytesMax
          ? `type, component and code must have at most ${namesBytesMax} bytes together`
          : undefined,
    },
  ],
  answer: Type.Object({
    ...FinanceCode.properties,
    advice: Type.String({ description: 'What to do about documents that were imported before.' }),
  }),
});

/** List where codes of financial documents are booked. */
export const listFinanceCodes = contract({
  operation: 'listFinanceCodes',
  access: 'operator',
  method: 'GET',
  path: '/operator/financeCodes',
  summary: 'List where codes of financial documents are booked',
  description:
    "The operator's own codes first, in the order of their names, then those that are shipped. An amount is booked by the code of its source that fits its names most closely, " +
    'first by type, then by code, then by component, of equally close ones by the first; by a shipped one only where no own one fits.',
  query: Type.Object({ source: Type.Optional(Source), line: Type.Optional(Line), ...pages }),
  answer: ListOf('financeCodes', FinanceCode),
});

const Name = (of: string) =>
  Type.Optional(
    Text({
      minLength: 0,
      maxLength: nameLengthMax,
      trimmed: true,
      description: `${of}; empty unless it is said.`,
    }),
  );

/** Tell where an amount would be booked. */
export const readFinanceBooking = contract({
  operation: 'readFinanceBooking',
  access: 'operator',
  method: 'GET',
  path: '/operator/financeCodes/booking',
  summary: 'Tell where an amount would be booked',
  description:
    'Finds the code that an amount of these names would be booked by in a document that is imported now.',
  query: Type.Object({
    source: Source,
    type: Name('The type of the amount'),
    component: Name('Its component'),
    code: Name('Its code'),
  }),
  answer: Type.Object({
    line: OrNull(Line, {
      description:
        'Where it is booked; null where no code fits: then a credit is otherIncome and a debit otherExpenses.',
    }),
    entry: OrNull(FinanceCode, { description: 'The code that says so.' }),
  }),
});

/** Delete one of the operator's own codes of financial documents. */
export const deleteFinanceCode = contract({
  operation: 'deleteFinanceCode',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/financeCodes',
  summary: "Delete one of the operator's own codes of financial documents",
  description:
    'What is shipped stays. Documents that were imported before stay booked as they are until they are imported again.',
  query: Type.Object(names),
  answer: NoAnswer,
});
