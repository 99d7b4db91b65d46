/** The financial codes that no list knows, which owners name. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { exampleChannel, exampleMonth } from '../../../contract/examples.ts';
import { OrNull } from '../../../contract/records.ts';
import { channelFields, periodFields, rangeRule, Text } from '../../../contract/shapes.ts';
import { CodeLine, CodeSource, UnknownCode } from '../../../contract/unknownCodes.ts';

/** The most codes that an organisation may name. */
export const namedCodesMax = 1000;
const codeLengthMax = 200;
const exampleCode = 'Adjustment/AdjustmentAmount/SellerInsightsBonus';

/** GET /profitability/codes */
export const listUnknownCodes = contract({
  operation: 'listUnknownCodes',
  access: 'key',
  method: 'GET',
  path: '/profitability/codes',
  needs: 'profitability:read',
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
  answer: Type.Object({ codes: Type.Array(UnknownCode) }),
});

/** PATCH /profitability/codes */
export const saveCode = contract({
  operation: 'saveCode',
  access: 'key',
  method: 'PATCH',
  path: '/profitability/codes',
  needs: 'profitability:write',
  audience: 'managers',
  summary: 'Say what a code is',
  description:
    'Names the line of a code that the service does not know, for all channels of the ' +
    'organisation. A financial event of one of them must have the code. What is there already is ' +
    'booked on the line at once, and later documents follow. Without a line the code goes by its ' +
    `sign again. Only owners and administrators may name codes, at most ${namedCodesMax}.`,
  body: Type.Object({
    ...channelFields,
    source: CodeSource,
    code: Text({
      maxLength: codeLengthMax,
      examples: [exampleCode],
      description: 'The code, as the list of codes has it.',
    }),
    line: Type.Optional(CodeLine),
  }),
  conflict: 'The code is known, or the organisation has named as many codes as it may.',
  channel: true,
  example: {
    ...exampleChannel,
    source: 'financialEvents',
    code: exampleCode,
    line: 'otherIncome',
  },
  answer: Type.Object({
    source: CodeSource,
    code: Type.String({ examples: [exampleCode], description: 'The code.' }),
    line: OrNull(CodeLine, { description: 'Its line; null if it goes by its sign.' }),
  }),
});
