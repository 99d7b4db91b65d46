/** Documents of the marketplace. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { documentKindNames } from '../../../contract/importable.ts';
import {
  ChannelId,
  coverage,
  coverageRules,
  ImportAnswer,
  promises,
} from '../../../contract/imports.ts';
import { OneOf } from '../../../contract/shapes.ts';

const coarse = Type.Optional(
  OneOf(['lastDay'], {
    description:
      'Accepts rows that cover several days, and books each on the last day of its period.',
  }),
);

const attribution = Type.Optional(
  OneOf(['7', '14'], {
    description:
      'Attribution window in days after a click, for documents of Sponsored Products; a document without this window is refused. Without it the document decides: of several windows, 14 days.',
  }),
);

const confirm = Type.Optional(
  OneOf(['fewRows'], {
    description:
      'Accepts an inventory report with at most 5 % of the rows of the one before. Without it such a report is refused, because the marketplace is known to send them by mistake, until a later report has the same size.',
  }),
);

/** Import a document of the marketplace. */
export const importDocument = contract({
  operation: 'importDocument',
  access: 'operator',
  method: 'POST',
  path: '/operator/documents',
  summary: 'Import a document of the marketplace',
  description:
    'Accepts a document as it was downloaded, plain, gzip or zip, and recognises its kind from its ' +
    `content. GET /operator/documents lists the kinds.\n\n${promises}`,
  query: Type.Object({
    channelId: Type.Optional(ChannelId),
    type: Type.Optional(
      OneOf(documentKindNames, {
        description: 'The document kind, to skip recognition.',
      }),
    ),
    coarse,
    attribution,
    confirm,
    ...coverage,
  }),
  rules: coverageRules,
  stream: ['application/octet-stream'],
  answer: ImportAnswer,
});

/** List what can be imported. */
export const listImportable = contract({
  operation: 'listImportable',
  access: 'operator',
  method: 'GET',
  path: '/operator/documents',
  summary: 'List what can be imported',
  description: 'The document kinds that are recognised, and the datasets with their fields.',
  answer: Type.Object({
    documents: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The document kind, as the parameter `type` takes it.' }),
        about: Type.String(),
      }),
    ),
    datasets: Type.Array(
      Type.Object({
        dataset: Type.String(),
        about: Type.String(),
        ofChannel: Type.Boolean({ description: 'Whether its rows belong to a channel.' }),
        fields: Type.Array(
          Type.Object({
            name: Type.String(),
            kind: Type.String({ description: 'The form of the value.' }),
            required: Type.Boolean(),
            about: Type.String(),
          }),
        ),
      }),
    ),
  }),
});
