/** The operator's interface to imports: what brings facts in, and how far they reach. */
import Type from 'typebox';
import { dayNumber } from '../../../calendar/period.ts';
import { type Contract, contract, type Rule } from '../../../contract/endpoint.ts';
import { OneOf, Text } from '../../../contract/shapes.ts';
import { date } from '../../../import/cells/fields.ts';
import { datasets } from '../../../import/datasets/datasets.ts';
import { documentKinds } from '../../../import/documents/kinds.ts';
import { Id, Instant, ListOf, OrNull, pages } from '../shapes.ts';

/** The media types in which rows of a dataset come. */
export const datasetMediaTypes = ['application/x-ndjson', 'text/csv'] as const;

const datasetNames = ['orders', ...Object.keys(datasets)];
const ChannelId = Text({
  maxLength: 200,
  description:
    'The channel that the rows belong to. Left out for what belongs to no channel: exchange rates.',
});
const CalendarDate = (description: string) =>
  Type.String({ format: 'date', description, words: { format: `must be ${date.words}` } });

const coverage = {
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
const coarse = Type.Optional(
  OneOf(['lastDay'], {
    description:
      'Takes rows that speak for several days all the same, and books each on the last day of its period.',
  }),
);

const attribution = OneOf(['7', '14'], {
  default: '14',
  description:
    'Days after a click in which sales count as attributed to it, where a document of Sponsored Products tells several or names its own; one that lacks them is refused.',
});

const coverageRules: Rule[] = [
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

const Rejection = Type.Object({
  line: Type.Integer({
    description:
      'Line of the document, the first being 1; in a single JSON document the position of the row.',
  }),
  reason: Type.String(),
});
const nullableDate = (description: string) =>
  Type.Union([Type.String({ format: 'date' }), Type.Null()], { description });

const counts = {
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

const Finance = Type.Object(
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

const ImportAnswer = Type.Object({
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

const promises =
  'All of a document becomes visible at once, or nothing of it; what was answered with 200 is durable. The same document twice leaves the ' +
  'same facts. Dated rows replace all that the channel held of their kind on the dates that the document covers, so rows that a restated document ' +
  'no longer has are gone; orders, order lines and products are kept by their key.';

const importDataset = contract({
  operation: 'importDataset',
  access: 'operator',
  method: 'POST',
  path: '/operator/imports/{dataset}',
  summary: 'Import rows of a dataset',
  description: `Takes rows as NDJSON or CSV, plain, gzip or zip, of any length. ${promises}`,
  pathParameters: Type.Object({
    dataset: OneOf(datasetNames as [string, ...string[]], { description: 'The dataset.' }),
  }),
  query: Type.Object({ channelId: Type.Optional(ChannelId), ...coverage }),
  rules: coverageRules,
  stream: datasetMediaTypes,
  answer: ImportAnswer,
});

const importDocument = contract({
  operation: 'importDocument',
  access: 'operator',
  method: 'POST',
  path: '/operator/documents',
  summary: 'Import a document of the marketplace',
  description: `Takes a document as it was downloaded, plain, gzip or zip; its kind is recognised from its content: ${documentKinds
    .map((kind) => kind.about)
    .join('; ')}. ${promises}`,
  query: Type.Object({
    channelId: Type.Optional(ChannelId),
    type: Type.Optional(
      OneOf(documentKinds.map((kind) => kind.name) as [string, ...string[]], {
        description: 'The kind, where it is not to be recognised.',
      }),
    ),
    coarse,
    attribution,
    ...coverage,
  }),
  rules: coverageRules,
  stream: ['application/octet-stream'],
  answer: ImportAnswer,
});

const Import = Type.Object({
  importId: Type.Integer(),
  channelId: OrNull(Type.String()),
  state: OneOf(['running', 'done', 'failed']),
  ...counts,
  from: nullableDate('First date.'),
  to: nullableDate('Last date.'),
  startedAt: Instant('When it began.'),
  finishedAt: OrNull(Instant('When it ended.')),
  error: OrNull(Type.String({ description: 'Why it failed.' })),
  finance: Type.Optional(Finance),
});

const listImports = contract({
  operation: 'listImports',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports',
  summary: 'List imports',
  description: 'Newest first; those of one channel, dataset or state where it is named.',
  query: Type.Object({
    channelId: Type.Optional(Id('channel')),
    dataset: Type.Optional(Text({ description: 'The dataset, or the kind of document.' })),
    state: Type.Optional(OneOf(['running', 'done', 'failed'])),
    ...pages,
  }),
  answer: ListOf('imports', Import),
});

const readImport = contract({
  operation: 'readImport',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports/{importId}',
  summary: 'Read how an import stands',
  description: 'While it runs, rowsRead tells how far it has come.',
  pathParameters: Type.Object({
    importId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  answer: Import,
});

const listImportRejections = contract({
  operation: 'listImportRejections',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports/{importId}/rejected',
  summary: 'List every refused row of an import',
  description: 'In the order in which they were found.',
  pathParameters: Type.Object({
    importId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  answer: Type.Object({ rejected: Type.Array(Rejection) }),
});

const readFreshness = contract({
  operation: 'readFreshness',
  access: 'operator',
  method: 'GET',
  path: '/operator/freshness',
  summary: 'Read how far the facts of a channel reach',
  description: 'Without channelId it tells of what belongs to no channel: exchange rates.',
  query: Type.Object({ channelId: Type.Optional(ChannelId) }),
  answer: Type.Object({
    channelId: Type.Union([Type.String(), Type.Null()]),
    datasets: Type.Array(
      Type.Object({
        dataset: Type.String(),
        from: nullableDate('First date with facts; null for what has no dates.'),
        to: nullableDate('Last date with facts.'),
        rows: Type.Integer(),
        rowsCoarse: Type.Integer({
          description: 'Rows of all imports that were booked on the last day of their period.',
        }),
        lastImport: Type.Union([
          Type.Object({
            importId: Type.Integer(),
            dataset: Type.String(),
            finishedAt: Type.Integer(),
            rowsAccepted: Type.Integer(),
            rowsCoarse: Type.Integer(),
          }),
          Type.Null(),
        ]),
      }),
    ),
  }),
});

/** Contracts by operation. */
export const importContracts = {
  importDataset,
  importDocument,
  listImports,
  readImport,
  listImportRejections,
  readFreshness,
} satisfies Readonly<Record<string, Contract>>;
