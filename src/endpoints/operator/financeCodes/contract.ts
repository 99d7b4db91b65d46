/** The codes by which amounts of financial documents are booked. */

import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { bookings, financeSources } from '../../../contract/importable.ts';
import { Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf, Text } from '../../../contract/shapes.ts';

/** The most characters of each of a code's three names. */
const patternLengthMax = 600;
/** The most bytes of the three names together: PostgreSQL allows keys of 2,704 bytes. */
const namesBytesMax = 2_400;
const nameLengthMax = 500;

const Source = OneOf(financeSources, {
  description: 'The source of the amount: the kind of financial document.',
});
const Line = OneOf(bookings, {
  description:
    'The line of the profit and loss; balance for amounts that only move money; sales.tax or refunds.tax for tax.',
});

// A prefix and its star, or a name without white space around it.
const alternative = '(?:\\*|[^\\s|*][^|*]*\\*|[^\\s|*](?:[^|*]*[^\\s|*])?)';

const Pattern = (of: string, byDefault?: string) =>
  Text({
    maxLength: patternLengthMax,
    examples: ['Commission'],
    trimmed: true,
    // Alternatives that are not empty, have no white space around them and a star only at the end.
    pattern: `^${alternative}(?:\\|${alternative})*$`,
    words: {
      pattern:
        'must be a name or several separated by | without spaces around it and with * only at the end of a name',
    },
    ...(byDefault !== undefined && { default: byDefault }),
    description: `${of}: a name, several separated by |, or a prefix followed by *.`,
  });
const names = {
  source: Source,
  type: Pattern('The whole that the amount is part of, such as the type of the transaction', '*'),
  component: Pattern('The part of the whole, such as the kind of the amount', '*'),
  code: Pattern("The source's own name of the amount"),
};

const FinanceCode = Type.Object(
  {
    source: Source,
    type: Type.String(),
    component: Type.String(),
    code: Type.String(),
    line: Line,
    origin: OneOf(['own', 'shipped'], {
      description: 'own for a code of the operator, shipped for one of the service.',
    }),
    createdAt: OrNull(Instant('When it was first saved; null for shipped codes.')),
    updatedAt: OrNull(Instant('When it was last saved; null for shipped codes.')),
  },
  { component: 'FinanceCode' },
);

/** Save a code of financial documents. */
export const saveFinanceCode = contract({
  operation: 'saveFinanceCode',
  access: 'operator',
  method: 'PUT',
  path: '/operator/financeCodes',
  summary: 'Save a code of financial documents',
  description:
    'Own codes take precedence over shipped ones; saving the same names again replaces their line. ' +
    'A * alone matches any name. Letter case, spaces and hyphens are ignored.\n\n' +
    'The code applies to documents imported from now on; import a document again to book it again.',
  body: Type.Object({ ...names, line: Line }),
  rules: [
    {
      at: 'code',
      reads: ['type', 'component'],
      check: ({ type, component, code }: { type: string; component: string; code: string }) =>
        new TextEncoder().encode(type + component + code).length > namesBytesMax
          ? `type and component and code must have at most ${namesBytesMax} bytes together`
          : undefined,
    },
  ],
  answer: Type.Object({
    ...FinanceCode.properties,
    advice: Type.String({ description: 'Advice about documents that were imported earlier.' }),
  }),
});

/** List the codes of financial documents. */
export const listFinanceCodes = contract({
  operation: 'listFinanceCodes',
  access: 'operator',
  method: 'GET',
  path: '/operator/financeCodes',
  summary: 'List the codes of financial documents',
  description:
    'Own codes first, by name, then shipped ones.\n\n' +
    'An amount is booked by the code of its source that matches most closely: first by type, then by ' +
    'code, then by component; of equally close codes the first counts. Shipped codes count only if no own code matches. ' +
    'What no code matches is booked by the family of its names: a correction, a reversal or the tax of a fee follows the fee.',
  query: Type.Object({ source: Type.Optional(Source), line: Type.Optional(Line), ...pages }),
  answer: ListOf('financeCodes', FinanceCode),
});

const Name = (of: string, example: string) =>
  Type.Optional(
    Text({
      minLength: 0,
      examples: [example],
      maxLength: nameLengthMax,
      trimmed: true,
      description: `${of}; empty by default.`,
    }),
  );

/** Find where an amount would be booked. */
export const readFinanceBooking = contract({
  operation: 'readFinanceBooking',
  access: 'operator',
  method: 'GET',
  path: '/operator/financeCodes/booking',
  summary: 'Find where an amount would be booked',
  description:
    'Finds the code that would book an amount with these names, if its document were imported now.',
  query: Type.Object({
    source: Source,
    type: Name('The type of the amount', 'Order'),
    component: Name('Its component', 'ItemFees'),
    code: Name('Its code', 'Commission'),
  }),
  answer: Type.Object({
    line: OrNull(Line, {
      description:
        'The line; null when no code matches: then a credit is otherIncome and a debit otherExpenses.',
    }),
    entry: OrNull(FinanceCode, { description: 'The matching code.' }),
  }),
});

/** Delete an own code of financial documents. */
export const deleteFinanceCode = contract({
  operation: 'deleteFinanceCode',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/financeCodes',
  summary: 'Delete an own code of financial documents',
  description:
    'Shipped codes cannot be deleted. Documents that were imported earlier stay as they are booked until they are imported again.',
  query: Type.Object(names),
  answer: NoAnswer,
});
