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

const CampaignGroup = Type.Object({
  groupId: Type.String(),
  organisationId: Type.String(),
  name: Type.String(),
  campaignIds: Type.Array(Type.String(), {
    description: 'Campaigns, in the order of their identifiers.',
  }),
  createdAt: Instant('When it was made.'),
  updatedAt: Instant('When it was last changed.'),
});

/** Make a group of campaigns, or replace it. */
export const saveCampaignGroup = contract({
  operation: 'saveCampaignGroup',
  access: 'operator',
  method: 'PUT',
  path: '/operator/campaignGroups/{groupId}',
  summary: 'Make a group of campaigns, or replace it',
  description:
    'GET /advertising/campaigns takes the group as customCampaignGroupId. A group stays with its organisation. ' +
    'Of two calls at the same moment one replaces all that the other has saved.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  body: Type.Object({
    ...campaignGroupSettings,
    campaignIds: Type.Array(Text({ maxLength: 200 }), {
      minItems: 1,
      maxItems: campaignIdsMax,
      description: 'Identifiers of campaigns; what is named twice is kept once.',
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
  description: 'By identifier; those of one organisation where it is named.',
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
  description: 'Its name and its campaigns.',
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
  description: 'The campaigns themselves stay as they are.',
  pathParameters: Type.Object({ groupId: Id('group') }),
  answer: NoAnswer,
});
