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
  summary: 'Read how far a report is',
  description:
    "Tells how far a report is, and where its file can be downloaded once it is done. A report is its creator's own, as long as that user reaches its " +
    'channel, and is kept for 30 days. When channelId or merchantId is given and is not that of the report, the answer is 404, as for a report that does not exist.',
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
  example: { reportId: '2b4c6241-3c58-43a1-9155-34f1ea4e1285' },
  answer: Type.Object({
    ...reportFields,
    downloadUrl: Type.Optional(
      Type.String({
        description:
          'Only of a report that is done: address of its CSV file, for GET without a key. It leads there for an hour, as long as its creator has access to the ' +
          'channel; every call makes a new one. Parts can be asked for by the header Range.',
      }),
    ),
  }),
});
