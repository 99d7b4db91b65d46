import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { reportFields } from '../../../contract/reports.ts';
import { channelFields, Text } from '../../../contract/shapes.ts';

/** GET /reports/status/{reportId} */
export const readReportStatus = contract({
  operation: 'readReportStatus',
  access: 'key',
  method: 'GET',
  path: '/reports/status/{reportId}',
  needs: 'reports:read',
  summary: 'Read the status of a report',
  description:
    'Returns the status of a report and, once it is done, a link to its file. A report ' +
    'belongs to the organisation: its owners and administrators can read it if they have access ' +
    'to its channel. Reports are kept for 30 days. If channelId or merchantId is given and does not match the report, the answer is 404, ' +
    'as for a report that does not exist.',
  pathParameters: Type.Object({
    reportId: Text({
      maxLength: 100,
      description: 'Identifier of the report, as its creation answered it.',
    }),
  }),
  query: Type.Object({
    channelId: Type.Optional(channelFields.channelId),
    merchantId: Type.Optional(channelFields.merchantId),
  }),
  // The link needs no key.
  personal: true,
  example: { reportId: '2b4c6241-3c58-43a1-9155-34f1ea4e1285' },
  answer: Type.Object({
    ...reportFields,
    downloadUrl: Type.Optional(
      Type.String({
        description:
          'The address of the file, once the report is done; GET it without a key. The link is ' +
          'valid for an hour, as long as the key is valid and the caller has access to the ' +
          'channel, and every request returns a new one. Range requests are supported.',
      }),
    ),
    error: Type.Optional(
      Type.String({ description: 'Why the report errored; only with that status.' }),
    ),
  }),
});
