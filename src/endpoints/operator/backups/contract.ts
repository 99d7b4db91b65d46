/** Backups of the installation, and exports of channels. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { ChannelId } from '../../../contract/imports.ts';

const streamedTypes = { tar: 'application/x-tar' } as const;

/** Make a backup. */
export const createBackup = contract({
  operation: 'createBackup',
  access: 'operator',
  method: 'POST',
  path: '/operator/backups',
  summary: 'Make a backup',
  description:
    'Answers all records and facts of one point, and the files of reports if they lie in the data ' +
    'folder, as a tar file whose last file is manifest.json. Requests and imports go on meanwhile. ' +
    'The secret is not in it; without the secret, nobody can restore it or open what is sealed.',
  scope: 'administer',
  streamedAnswer: true,
  streamedTypes,
  answer: Type.String({ description: 'The tar file.' }),
});

/** Export the facts of a channel. */
export const exportFacts = contract({
  operation: 'exportFacts',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels/{channelId}/facts',
  summary: 'Export the facts of a channel',
  description:
    'Answers a Parquet file for each kind of fact that the channel has, as a tar file whose last ' +
    'file is export.json. docs/exports.md names their columns.',
  scope: 'administer',
  pathParameters: Type.Object({ channelId: ChannelId }),
  streamedAnswer: true,
  streamedTypes,
  answer: Type.String({ description: 'The tar file.' }),
});
