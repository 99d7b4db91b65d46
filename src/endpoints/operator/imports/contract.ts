/** Imports of datasets, and the list of imports. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { datasetNames } from '../../../contract/importable.ts';
import {
  ChannelId,
  counts,
  coverage,
  coverageRules,
  documentField,
  Finance,
  ImportAnswer,
  nullableDate,
  promises,
  Rejection,
} from '../../../contract/imports.ts';
import { Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { dryRun, FactsRemoved } from '../../../contract/removals.ts';
import { OneOf, Text } from '../../../contract/shapes.ts';

/** The media types of the rows of a dataset. */
export const datasetMediaTypes = ['application/x-ndjson', 'text/csv'] as const;

/** The states of an import. */
const states = ['running', 'done', 'failed', 'undone'] as const;

const Import = Type.Object(
  {
    importId: Type.Integer(),
    channelId: OrNull(Type.String()),
    state: OneOf(states),
    ...counts,
    from: nullableDate("First date, in the channel's time zone."),
    to: nullableDate('Last date.'),
    startedAt: Instant('When the import began.'),
    finishedAt: OrNull(Instant('When the import ended.')),
    error: OrNull(Type.String({ description: 'Why the import failed.' })),
    document: documentField,
    finance: Type.Optional(Finance),
  },
  { component: 'Import' },
);

/** Import rows of a dataset. */
export const importDataset = contract({
  operation: 'importDataset',
  access: 'operator',
  method: 'POST',
  path: '/operator/imports/{dataset}',
  summary: 'Import rows of a dataset',
  description: `Accepts NDJSON or CSV of any length, plain, gzip or zip.\n\n${promises}`,
  pathParameters: Type.Object({
    dataset: OneOf(datasetNames, { description: 'The dataset.' }),
  }),
  query: Type.Object({ channelId: Type.Optional(ChannelId), ...coverage }),
  rules: coverageRules,
  stream: datasetMediaTypes,
  answer: ImportAnswer,
});

/** List imports. */
export const listImports = contract({
  operation: 'listImports',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports',
  summary: 'List imports',
  description: 'Newest first; optionally of one channel, dataset or state.',
  query: Type.Object({
    channelId: Type.Optional(Id('channel')),
    dataset: Type.Optional(
      Text({ examples: ['orderLines'], description: 'The dataset, or the document kind.' }),
    ),
    state: Type.Optional(OneOf(states)),
    ...pages,
  }),
  answer: ListOf('imports', Import),
});

/** Read an import. */
export const readImport = contract({
  operation: 'readImport',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports/{importId}',
  summary: 'Read an import',
  description: 'While the import runs, rowsRead shows its progress.',
  pathParameters: Type.Object({
    importId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  answer: Import,
});

/** List the rejected rows of an import. */
export const listImportRejections = contract({
  operation: 'listImportRejections',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports/{importId}/rejected',
  summary: 'List the rejected rows of an import',
  description:
    'The first 1000, in the order of the document; `rowsRejected` of the import counts all of them.',
  pathParameters: Type.Object({
    importId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  answer: Type.Object({ rejected: Type.Array(Rejection) }),
});

/** Undo an import. */
export const undoImport = contract({
  operation: 'undoImport',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/imports/{importId}/facts',
  summary: 'Undo an import',
  scope: 'import',
  description:
    'Removes the facts that the import brought and no later import has replaced, and computes the ' +
    'sums of their dates again. What the import itself had replaced does not come back: import it ' +
    'once more. The removal becomes visible as a whole.',
  pathParameters: Type.Object({
    importId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The number of the import.',
    }),
  }),
  query: Type.Object(dryRun),
  answer: FactsRemoved,
});
