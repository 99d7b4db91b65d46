/** The audit log. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { exampleId } from '../../../contract/examples.ts';
import { Instant, ListOf, pages } from '../../../contract/records.ts';
import { Text } from '../../../contract/shapes.ts';

/** List the audit log. */
export const listAudit = contract({
  operation: 'listAudit',
  access: 'operator',
  method: 'GET',
  path: '/operator/audit',
  summary: 'List the audit log',
  description: 'Newest first. Entries are never changed or deleted.',
  query: Type.Object({
    subject: Type.Optional(
      Text({
        examples: [exampleId],
        description: 'Only changes of this record, such as an organisationId.',
      }),
    ),
    ...pages,
  }),
  answer: ListOf(
    'entries',
    Type.Object({
      auditId: Type.Integer(),
      at: Instant('When the change was made.'),
      actor: Type.String({
        description: 'Author: operator, a userId, or visitor for attempts that were refused.',
      }),
      action: Type.String({ description: 'The operation.' }),
      subject: Type.String({ description: 'The record that was changed.' }),
      detail: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The input, without secrets.',
      }),
    }),
  ),
});
