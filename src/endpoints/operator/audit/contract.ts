/** The audit log. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { exampleId } from '../../../contract/examples.ts';
import { Instant, ListOf, pages } from '../../../contract/records.ts';
import { epochSecondsMax, OneOf, Text } from '../../../contract/shapes.ts';

const Bound = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: epochSecondsMax,
    examples: [1_793_516_399],
    description: `${description} Unix epoch time in whole seconds.`,
  });

const filters = {
  subject: Type.Optional(
    Text({
      examples: [exampleId],
      description: 'Only changes of this record, such as an organisationId.',
    }),
  ),
  actor: Type.Optional(
    Text({
      examples: ['operator:nightly-import'],
      description: 'Only entries of this author: operator, operator:NAME, a userId, or visitor.',
    }),
  ),
  action: Type.Optional(
    Text({ examples: ['revokeKey'], description: 'Only entries of this operation.' }),
  ),
  since: Type.Optional(Bound('Only entries from this time on.')),
  until: Type.Optional(Bound('Only entries before this time.')),
};

/** List the audit log. */
export const listAudit = contract({
  operation: 'listAudit',
  access: 'operator',
  method: 'GET',
  path: '/operator/audit',
  summary: 'List the audit log',
  description:
    'Newest first. Entries are never changed, and deleted only when they are older than the operator keeps them.',
  query: Type.Object({ ...filters, ...pages }),
  answer: ListOf(
    'entries',
    Type.Object({
      auditId: Type.Integer(),
      at: Instant('When the change was made.'),
      actor: Type.String({
        description:
          'Author: operator, operator:NAME, a userId, or visitor for attempts that were refused.',
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

/** Export the audit log. */
export const exportAudit = contract({
  operation: 'exportAudit',
  access: 'operator',
  method: 'GET',
  path: '/operator/audit/export',
  summary: 'Export the audit log',
  description:
    'Oldest first, in full: as NDJSON, an entry of the list per line, or as CSV with the columns ' +
    'auditId, at (ISO 8601), actor, action, subject and detail (JSON).',
  query: Type.Object({
    format: OneOf(['ndjson', 'csv'], {
      default: 'ndjson',
      description: 'The format of the export.',
    }),
    ...filters,
  }),
  streamedAnswer: true,
  streamedTypes: { ndjson: 'application/x-ndjson', csv: 'text/csv' },
  answer: Type.String({ description: 'The entries, one per line.' }),
});
