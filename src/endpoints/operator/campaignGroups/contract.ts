/** Groups of campaigns. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Id, Instant, ListOf, pages } from '../../../contract/records.ts';
import { NoAnswer, Text } from '../../../contract/shapes.ts';

const campaignIdsMax = 10_000;

const campaignGroupSettings = {
  organisationId: Id('organisation'),
  name: Text({ maxLength: 200, trimmed: true, description: 'Name of the group.' }),
};

const CampaignGroup = Type.Object(
  {
    groupId: Type.String(),
    organisationId: Type.String(),
    name: Type.String(),
    campaignIds: Type.Array(Type.String(), {
      description: 'Campaigns, sorted by identifier.',
    }),
    createdAt: Instant('When it was created.'),
    updatedAt: Instant('When it was last changed.'),
  },
  { component: 'CampaignGroup' },
);

/** Create or replace a group of campaigns. */
export const saveCampaignGroup = contract({
  operation: 'saveCampaignGroup',
  access: 'operator',
  method: 'PUT',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Create or replace a group of campaigns',
  description:
    'GET /advertising/campaigns takes the group as customCampaignGroupId. A group cannot move to another ' +
    'organisation. Of two requests at the same time one replaces the other completely.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  body: Type.Object({
    ...campaignGroupSettings,
    campaignIds: Type.Array(Text({ maxLength: 200 }), {
      minItems: 1,
      maxItems: campaignIdsMax,
      description: 'Identifiers of campaigns; duplicates are stored once.',
    }),
  }),
  answer: CampaignGroup,
});

/** List groups of campaigns. */
export const listCampaignGroups = contract({
  operation: 'listCampaignGroups',
  access: 'operator',
  method: 'GET',
  path: '/operator/campaignGroups',
  summary: 'List groups of campaigns',
  description: 'Sorted by identifier; optionally of one organisation.',
  query: Type.Object({ organisationId: Type.Optional(Id('organisation')), ...pages }),
  answer: ListOf('campaignGroups', CampaignGroup),
});

/** Read a group of campaigns. */
export const readCampaignGroup = contract({
  operation: 'readCampaignGroup',
  access: 'operator',
  method: 'GET',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Read a group of campaigns',
  description: 'The name and the campaigns of a group.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  answer: CampaignGroup,
});

/** Delete a group of campaigns. */
export const deleteCampaignGroup = contract({
  operation: 'deleteCampaignGroup',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Delete a group of campaigns',
  description: 'The campaigns themselves are not changed.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  answer: NoAnswer,
});
