/** The financial codes that no list knows, which owners name. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { exampleChannel, exampleMonth } from '../../../contract/examples.ts';
import { bookings, financeSources } from '../../../contract/importable.ts';
import { OrNull } from '../../../contract/records.ts';
import { channelFields, OneOf, periodFields, rangeRule, Text } from '../../../contract/shapes.ts';

/** Codes that an organisation may name. */
export const namedCodesMax = 1000;
const codeLengthMax = 200;

const Source = OneOf(financeSources, {
  description: 'The source of the amounts: the kind of financial document.',
});
const Line = OneOf(bookings, {
  description:
    'The line of the profit and loss; balance for amounts that only move money; sales.tax or refunds.tax for tax.',
});

/** GET /profitability/codes */
export const listUnknownCodes = contract({
  operation: 'listUnknownCodes',
  access: 'key',
  method: 'GET',
  path: '/profitability/codes',
  summary: 'List codes that the service does not know',
  description:
    'Codes of financial events in the range that no list of the service knows, the largest amounts ' +
    'first. Until an owner names one, a credit is otherIncome and a debit otherExpenses. Codes that ' +
    'have been named are listed too.',
  query: Type.Object({
    ...channelFields,
    fromDate: periodFields.fromDate,
    toDate: periodFields.toDate,
  }),
  rules: [rangeRule('')],
  channel: true,
  example: { ...exampleChannel, ...exampleMonth },
  answer: Type.Object({
    codes: Type.Array(
      Type.Object(
        {
          source: Source,
          code: Type.String({ description: 'Type, component and code, as the document has them.' }),
          line: OrNull(Line, { description: 'The line that an owner has named; else null.' }),
          currency: Type.String({ description: 'The currency of the amount, ISO 4217.' }),
          amount: Type.Number({ description: 'Its sum in the range, credits positive.' }),
          rows: Type.Integer({ description: 'The number of events.' }),
          firstAt: Type.Integer({ description: 'The first of them, epoch seconds.' }),
          lastAt: Type.Integer({ description: 'The last of them, epoch seconds.' }),
        },
        { component: 'UnknownCode' },
      ),
    ),
  }),
});

/** PATCH /profitability/codes */
export const nameCode = contract({
  operation: 'nameCode',
  access: 'key',
  method: 'PATCH',
  path: '/profitability/codes',
  summary: 'Say what a code is',
  description:
    'Names the line of a code that the service does not know, for all channels of the ' +
    'organisation. What is there already is booked on the line at once, and later documents follow. ' +
    'Without a line the code goes by its sign again. Only owners and administrators may name codes, ' +
    `at most ${namedCodesMax}.`,
  body: Type.Object({
    ...channelFields,
    source: Source,
    code: Text({
      maxLength: codeLengthMax,
      examples: ['Order/ItemFees/Novel Fee'],
      description: 'The code, as the list of codes has it.',
    }),
    line: Type.Optional(Line),
  }),
  channel: true,
  answer: Type.Object({
    source: Source,
    code: Type.String({ description: 'The code.' }),
    line: OrNull(Line, { description: 'Its line; null if it goes by its sign.' }),
  }),
});
