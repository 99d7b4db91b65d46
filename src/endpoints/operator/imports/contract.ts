/** Imports of datasets, and the list of imports. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { datasetNames } from '../../../contract/importable.ts';
import {
  ChannelId,
  counts,
  coverage,
  coverageRules,
  Finance,
  ImportAnswer,
  nullableDate,
  promises,
  Rejection,
} from '../../../contract/imports.ts';
import { Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { OneOf, Text } from '../../../contract/shapes.ts';

/** The media types in which rows of a dataset come. */
export const datasetMediaTypes = ['application/x-ndjson', 'text/csv'] as const;

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

/** Import rows of a dataset. */
export const importDataset = contract({
  operation: 'importDataset',
  access: 'operator',
  method: 'POST',
  path: '/operator/imports/{dataset}',
  summary: 'Import rows of a dataset',
  description: `Takes rows as NDJSON or CSV, plain, gzip or zip, of any length. ${promises}`,
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
  description: 'Newest first; those of one channel, dataset or state where it is named.',
  query: Type.Object({
    channelId: Type.Optional(Id('channel')),
    dataset: Type.Optional(Text({ description: 'The dataset, or the kind of document.' })),
    state: Type.Optional(OneOf(['running', 'done', 'failed'])),
    ...pages,
  }),
  answer: ListOf('imports', Import),
});

/** Read how an import stands. */
export const readImport = contract({
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

/** List every refused row of an import. */
export const listImportRejections = contract({
  operation: 'listImportRejections',
  access: 'operator',
  method: 'GET',
  path: '/operator/imports/{importId}/rejected',
  summary: 'List every refused row of an import',
  description: 'In the order in which they were found.',
  pathParameters: Type.Object({
    importId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  streamedAnswer: true,
  answer: Type.Object({ rejected: Type.Array(Rejection) }),
});
