/** Organisations. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf, Text } from '../../../contract/shapes.ts';

/** The default limit on products of a Search Query Performance answer. */
export const searchQueryProductMaxDefault = 50;

const searchQueryProductMaxMax = 100_000;

const Plan = OneOf(['standard', 'enterprise'], {
  description: 'The plan; enterprise includes the orders endpoint.',
});

const Name = Text({ maxLength: 200, trimmed: true, description: 'Name of the organisation.' });

const SearchQueryProductMax = Type.Integer({
  minimum: 1,
  maximum: searchQueryProductMaxMax,
  description: `The most products that a Search Query Performance answer may hold; ${searchQueryProductMaxDefault} by default.`,
});

const organisationSettings = {
  apiAccess: Type.Boolean({ description: 'Whether keys of the organisation may be used.' }),
  searchQueryPerformance: Type.Boolean({
    description: 'Whether Search Query Performance may be read.',
  }),
  searchQueryProductMax: SearchQueryProductMax,
};

const Organisation = Type.Object(
  {
    organisationId: Type.String(),
    name: Type.String(),
    plan: Plan,
    ...organisationSettings,
    createdAt: Instant('When it was created.'),
  },
  { component: 'Organisation' },
);

/** Create an organisation. */
export const createOrganisation = contract({
  operation: 'createOrganisation',
  access: 'operator',
  method: 'POST',
  path: '/operator/organisations',
  summary: 'Create an organisation',
  description:
    'Unless the request says otherwise, the organisation may use everything: it has the enterprise plan, API access and Search Query Performance.',
  body: Type.Object({
    name: Name,
    plan: Type.Enum(['standard', 'enterprise'], { ...Plan, default: 'enterprise' }),
    ...AllOptional(organisationSettings).properties,
    apiAccess: Type.Boolean({ ...organisationSettings.apiAccess, default: true }),
    searchQueryPerformance: Type.Boolean({
      ...organisationSettings.searchQueryPerformance,
      default: true,
    }),
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
  description: 'Sorted by name, then identifier.',
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
  description: 'The plan and the entitlements of an organisation.',
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
  description: 'Absent fields stay unchanged.',
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
  description: 'Delete its channels first. Only the entries of the audit log remain.',
  pathParameters: Type.Object({ organisationId: Id('organisation') }),
  answer: NoAnswer,
});
