/** Organisations. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf, Text } from '../../../contract/shapes.ts';

/** How many products one Search Query Performance answer holds when the organisation's entitlement does not say. */
export const searchQueryProductMaxDefault = 50;

const searchQueryProductMaxMax = 100_000;

const Plan = OneOf(['standard', 'enterprise'], {
  description: 'The plan of the organisation; enterprise brings the orders endpoint.',
});

const Name = Text({ maxLength: 200, trimmed: true, description: 'Name of the organisation.' });

const SearchQueryProductMax = Type.Integer({
  minimum: 1,
  maximum: searchQueryProductMaxMax,
  description: `How many products one Search Query Performance answer may hold; ${searchQueryProductMaxDefault} unless it is said.`,
});

const organisationSettings = {
  apiAccess: Type.Boolean({ description: 'Whether keys of the organisation may be used.' }),
  searchQueryPerformance: Type.Boolean({
    description: 'Whether Search Query Performance may be read.',
  }),
  searchQueryProductMax: SearchQueryProductMax,
};

const Organisation = Type.Object({
  organisationId: Type.String(),
  name: Type.String(),
  plan: Plan,
  ...organisationSettings,
  createdAt: Instant('When it was made.'),
});

/** Create an organisation. */
export const createOrganisation = contract({
  operation: 'createOrganisation',
  access: 'operator',
  method: 'POST',
  path: '/operator/organisations',
  summary: 'Create an organisation',
  description:
    'API access is enabled and Search Query Performance is not, unless the body says otherwise.',
  body: Type.Object({
    name: Name,
    plan: Type.Enum(['standard', 'enterprise'], { ...Plan, default: 'standard' }),
    ...AllOptional(organisationSettings).properties,
  }),
  idempotencyKey: true,
  answer: Type.Object({ organisationId: Type.String() }),
});

/** List organisations. */
export const listOrganisations = contract({
  operation: 'listOrganisations',
  access: 'operator',
  method: 'GET',
  path: '/operator/organisations',
  summary: 'List organisations',
  description: 'By name and then identifier.',
  query: Type.Object(pages),
  answer: ListOf('organisations', Organisation),
});

/** Read an organisation. */
export const readOrganisation = contract({
  operation: 'readOrganisation',
  access: 'operator',
  method: 'GET',
  path: '/operator/organisations/{organisationId}',
  summary: 'Read an organisation',
  description: 'Its plan and what it is entitled to.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  answer: Organisation,
});

/** Change an organisation. */
export const changeOrganisation = contract({
  operation: 'changeOrganisation',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/organisations/{organisationId}',
  summary: 'Change an organisation',
  description: 'Fields that are left out stay as they are.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  body: AllOptional({ name: Name, plan: Plan, ...organisationSettings }),
  idempotencyKey: true,
  answer: Organisation,
});

/** Delete an organisation with its users and their keys. */
export const deleteOrganisation = contract({
  operation: 'deleteOrganisation',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/organisations/{organisationId}',
  summary: 'Delete an organisation with its users and their keys',
  description:
    'Its channels must have been deleted before. Nothing is left but the entries of the audit.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  answer: NoAnswer,
});
