/** The financial codes missing from all lists, as answers return them. */
import Type from 'typebox';
import { bookings, financeSources } from './importable.ts';
import { OrNull } from './records.ts';
import { OneOf } from './shapes.ts';

/** The source of amounts. */
export const CodeSource = OneOf(financeSources, {
  examples: ['settlement'],
  description: 'The source of the amounts: the kind of financial document.',
});

/** The line on which amounts of a code are booked. */
export const CodeLine = OneOf(bookings, {
  examples: ['shippingFees'],
  description:
    'The line of the profit and loss; balance for amounts that only move money; sales.tax or refunds.tax for tax.',
});

/** A code missing from all lists, with its events. */
export const UnknownCode = Type.Object(
  {
    source: CodeSource,
    code: Type.String({
      examples: ['Order/ItemFees/Novel Fee'],
      description: 'Type, component and code, as the document has them.',
    }),
    line: OrNull(CodeLine, { description: 'The line that an owner has named; else null.' }),
    currency: Type.String({ description: 'The currency of the amount, ISO 4217.' }),
    amount: Type.Number({ description: 'The sum of its events, credits positive.' }),
    rows: Type.Integer({ description: 'The number of events.' }),
    firstAt: Type.Integer({ description: 'The first of them, epoch seconds.' }),
    lastAt: Type.Integer({ description: 'The last of them, epoch seconds.' }),
  },
  { component: 'UnknownCode', description: 'A financial code that no list knows.' },
);
