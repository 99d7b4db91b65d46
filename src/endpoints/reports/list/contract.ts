import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { reportFields } from '../../../contract/reports.ts';
import { pageFields } from '../../../contract/shapes.ts';

/** GET /reports */
export const listReports = contract({
  operation: 'listReports',
  access: 'key',
  method: 'GET',
  path: '/reports',
  needs: 'reports:read',
  summary: 'List reports',
  description:
    'The reports that the organisation requested in the last 30 days, of the channels within ' +
    'reach of the caller, the newest first. GET /reports/status/{reportId} gives the link to the ' +
    'file of one.',
  query: Type.Object(pageFields),
  // The answer follows from records, which may change without facts.
  personal: true,
  example: { pageSize: 25 },
  answer: Type.Object({
    reports: Type.Array(
      Type.Object(
        {
          ...reportFields,
          channelId: Type.String({ description: 'Identifier of the channel.' }),
          merchantId: Type.String({ description: 'Identifier of its merchant.' }),
          createdAt: Type.Integer({ description: 'When it was requested, in epoch seconds.' }),
          fileName: Type.String({ description: 'Name of its file.' }),
          error: Type.Optional(
            Type.String({ description: 'Why the report errored; only with that status.' }),
          ),
        },
        { component: 'ListedReport' },
      ),
    ),
    total: Type.Integer({ description: 'Number of reports on all pages together.' }),
  }),
});
