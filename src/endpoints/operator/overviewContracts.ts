/** The operator's overviews: who changed what, how keys are used, which rates hold, what can be imported, and how the service is. */
import Type from 'typebox';
import { type Contract, contract } from '../../contract/endpoint.ts';
import { Currency, OneOf, Text } from '../../contract/shapes.ts';
import { Id, Instant, ListOf, OrNull, pages } from './shapes.ts';

const CalendarDate = (description: string) =>
  Type.String({
    format: 'date',
    description,
    words: { format: 'must be a date such as 2026-01-31' },
  });

const listAudit = contract({
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

/** Days of usage when none are asked for, today included. */
export const usageDaysDefault = 30;

const count = (description: string) => Type.Integer({ description });
const listUsage = contract({
  operation: 'listUsage',
  access: 'operator',
  method: 'GET',
  path: '/operator/usage',
  summary: 'List how keys were used',
  description:
    'A row for each key, day of UTC and operation with requests, newest day first, then by key and operation. What was counted up to this moment on this node is in it; ' +
    'other nodes are a few seconds behind.',
  query: Type.Object({
    organisationId: Type.Optional(Id('organisation')),
    userId: Type.Optional(Id('user')),
    keyId: Type.Optional(Id('key')),
    from: Type.Optional(
      CalendarDate(`First day; ${usageDaysDefault} days in all unless it is said.`),
    ),
    to: Type.Optional(CalendarDate('Last day; today unless it is said.')),
    ...pages,
  }),
  rules: [
    {
      at: 'to',
      reads: ['from'],
      check: ({ from, to }: { from?: string; to?: string }) =>
        from !== undefined && to !== undefined && to < from
          ? 'to must not be before from'
          : undefined,
    },
  ],
  answer: ListOf(
    'usage',
    Type.Object({
      date: Type.String({ format: 'date' }),
      organisationId: Type.String(),
      userId: Type.String(),
      keyId: Type.String(),
      operation: Type.String({
        description: 'The operation, as the description of the public interface names it.',
      }),
      requests: count('All requests, whatever came of them.'),
      refused: count('Requests that were answered with a status of 400 to 499, but not 429.'),
      limited: count('Requests beyond the limits of the key, answered with 429.'),
      failed: count('Requests that were answered with a status of 500 or more.'),
    }),
  ),
});

const listRates = contract({
  operation: 'listRates',
  access: 'operator',
  method: 'GET',
  path: '/operator/rates',
  summary: 'List the exchange rates that hold on a day',
  description:
    'By currency: the last rate published on or before the day. Currencies whose first rate is later are left out.',
  query: Type.Object({
    date: Type.Optional(CalendarDate('The day; today unless it is said.')),
    currency: Type.Optional(
      Currency({ description: 'Only this currency: a code of three letters.' }),
    ),
  }),
  answer: Type.Object({
    date: Type.String({ format: 'date' }),
    rates: Type.Array(
      Type.Object({
        currency: Type.String(),
        perEuro: Type.Number({ description: 'Units of the currency for one euro.' }),
        publishedOn: Type.String({
          format: 'date',
          description: 'The date of the rate that holds.',
        }),
      }),
    ),
  }),
});

const listImportable = contract({
  operation: 'listImportable',
  access: 'operator',
  method: 'GET',
  path: '/operator/documents',
  summary: 'List what can be imported',
  description: 'The kinds of documents that are recognised, and the datasets with their fields.',
  answer: Type.Object({
    documents: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The kind, as `type` names it.' }),
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
            kind: Type.String({ description: 'What the value must be.' }),
            required: Type.Boolean(),
            about: Type.String(),
          }),
        ),
      }),
    ),
  }),
});

const diagnose = contract({
  operation: 'diagnose',
  access: 'operator',
  method: 'GET',
  path: '/operator/diagnosis',
  summary: 'Examine the service',
  description:
    'Looks at configuration, stores, disk, clocks and versions, and says what to do about what is not well. It changes nothing.',
  answer: Type.Object({
    state: OneOf(['well', 'warning', 'failed'], { description: 'The worst of the findings.' }),
    /** Lets a caller compare its clock. */
    at: Instant('The time of the service.'),
    findings: Type.Array(
      Type.Object({
        subject: Type.String({ description: 'What was looked at, such as registry or disk.' }),
        state: OneOf(['well', 'warning', 'failed']),
        finding: Type.String({ description: 'What was seen.' }),
        advice: OrNull(
          Type.String({ description: 'What to do; null where nothing has to be done.' }),
        ),
      }),
    ),
  }),
});

/** Contracts by operation. */
export const overviewContracts = {
  listAudit,
  listUsage,
  listRates,
  listImportable,
  diagnose,
} satisfies Readonly<Record<string, Contract>>;
