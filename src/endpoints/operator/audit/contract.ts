/** The audit log. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, ListOf, pages } from '../../../contract/records.ts';
import { Text } from '../../../contract/shapes.ts';

/** List who changed what, and when. */
export const listAudit = contract({
  operation: 'listAudit',
  access: 'operator',
  method: 'GET',
  path: '/operator/audit',
  summary: 'List who changed what, and when',
  description: 'Newest first. Entries are only ever added.',
  query: Type.Object({
    subject: Type.Optional(
      Text({ description: 'Only what was done to this, such as an organisationId.' }),
    ),
    ...pages,
  }),
  answer: ListOf(
    'entries',
    Type.Object({
      auditId: Type.Integer(),
      at: Instant('When it was done.'),
      actor: Type.String({ description: 'Who did it: operator, or a userId.' }),
      action: Type.String({ description: 'The operation.' }),
      subject: Type.String({ description: 'What it was done to.' }),
      detail: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'What was asked, without secrets.',
      }),
    }),
  ),
});
