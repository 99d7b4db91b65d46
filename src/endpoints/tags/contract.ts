import Type from 'typebox';
import { contract, type Rule } from '../../contract/endpoint.ts';
import { exampleChannel } from '../../contract/examples.ts';
import { channelFields, List, pageFields, pageSizeMax, Text } from '../../contract/shapes.ts';

/** The prefix of a tag that the whole organisation shares. */
export const sharedPrefix = 'org://';
/** The most tags of one channel that a user may see: shared ones and the user's own. */
export const tagsMax = 200;

const addedTagsMax = 5;
const tagLengthMax = 100;

const Tag = Text({ maxLength: tagLengthMax, trimmed: true });

const pageSizeMin = 25;

/** The tags of a channel, as the caller sees them. */
const tagSetFields = (when: string) => ({
  channelId: Type.String({ description: 'Identifier of the channel.' }),
  merchantId: Type.String({ description: 'Identifier of the merchant that owns the channel.' }),
  tags: Type.Array(Type.String(), {
    description: `All tags of the channel that the caller sees${when}, in order of their bytes.`,
  }),
});

type Lists = { readonly addTags?: readonly string[]; readonly removeTags?: readonly string[] };

function prefixAlone(at: keyof Lists): Rule {
  const text = `${at} must not hold ${sharedPrefix} alone: a name must follow it`;
  return { at, check: (input: Lists) => (input[at]?.includes(sharedPrefix) ? text : undefined) };
}

const rules: readonly Rule[] = [
  {
    at: 'addTags',
    reads: ['removeTags'],
    check: ({ addTags = [], removeTags = [] }: Lists) =>
      addTags.length + removeTags.length === 0
        ? 'addTags or removeTags must hold at least one tag'
        : undefined,
  },
  prefixAlone('addTags'),
  prefixAlone('removeTags'),
  {
    at: 'removeTags',
    reads: ['addTags'],
    check: ({ addTags = [], removeTags = [] }: Lists) =>
      addTags.some((tag) => removeTags.includes(tag))
        ? 'removeTags must not hold a tag that addTags holds'
        : undefined,
  },
];

/** PATCH /tags/channel */
export const changeChannelTags = contract({
  operation: 'changeChannelTags',
  access: 'key',
  method: 'PATCH',
  path: '/tags/channel',
  needs: 'tags:write',
  summary: 'Change the tags of a channel',
  description:
    `Adds tags to a channel and removes others. A tag that begins with ${sharedPrefix} is seen ` +
    `and changed by the whole organisation, any other ` +
    'one by its user alone. Adding a tag that is there and removing one that is not change ' +
    'nothing. Letter case matters; white space at both ends ' +
    `of a tag does not. A user sees at most ${tagsMax} tags on one channel.`,
  body: Type.Object({
    ...channelFields,
    addTags: Type.Optional(List(Tag, { maxItems: addedTagsMax, description: 'Tags to be added.' })),
    removeTags: Type.Optional(List(Tag, { description: 'Tags to be removed.' })),
  }),
  rules,
  channel: true,
  idempotencyKey: true,
  example: { ...exampleChannel, addTags: ['watch', 'org://core'] },
  answer: Type.Object(tagSetFields(' after the change')),
});

/** GET /tags */
export const listTags = contract({
  operation: 'listTags',
  access: 'key',
  method: 'GET',
  path: '/tags',
  needs: 'tags:read',
  summary: 'List the tags of channels',
  description:
    'Lists the channels within reach that carry tags which the caller sees, by channelId, with ' +
    "these tags: shared ones and the caller's own.",
  query: Type.Object({
    pageIndex: pageFields.pageIndex,
    pageSize: Type.Integer({
      minimum: pageSizeMin,
      maximum: pageSizeMax,
      default: pageSizeMin,
      description: 'Channels per page.',
    }),
  }),
  example: { pageSize: pageSizeMin },
  answer: Type.Object({
    pageIndex: Type.Integer({ description: 'Number of this page, counted from 0.' }),
    pageSize: Type.Integer({ description: 'Channels per page.' }),
    totalCount: Type.Integer({ description: 'Channels on all pages.' }),
    totalPages: Type.Integer({ description: 'Pages that have channels.' }),
    items: Type.Array(Type.Object(tagSetFields(''), { component: 'TagSet' })),
  }),
});

/** GET /tags/channel */
export const readChannelTags = contract({
  operation: 'readChannelTags',
  access: 'key',
  method: 'GET',
  path: '/tags/channel',
  needs: 'tags:read',
  summary: 'Read the tags of a channel',
  description:
    "Reads the tags of a channel that the caller sees: shared ones and the caller's own.",
  query: Type.Object(channelFields),
  channel: true,
  example: exampleChannel,
  answer: Type.Object(tagSetFields('')),
});

const ownTagLengthMax = tagLengthMax - sharedPrefix.length;

/** POST /tags/convert */
export const convertTag = contract({
  operation: 'convertTag',
  access: 'key',
  method: 'POST',
  path: '/tags/convert',
  needs: 'tags:write',
  audience: 'sharers',
  summary: 'Share a tag or make it private',
  description:
    `Makes a tag of the caller a shared one, or a shared one (${sharedPrefix}) one of the caller ` +
    'alone, on every channel within reach that carries it. Channels that carry both afterwards ' +
    'carry the new one once. A shared tag on channels out of reach stays shared, and private tags ' +
    'of other users stay as they are.',
  body: Type.Object({ tag: Tag }),
  rules: [
    {
      at: 'tag',
      check: ({ tag }: { readonly tag: string }) =>
        tag === sharedPrefix
          ? `tag must not be ${sharedPrefix} alone: a name must follow it`
          : undefined,
    },
    {
      at: 'tag',
      check: ({ tag }: { readonly tag: string }) =>
        tag.startsWith(sharedPrefix + sharedPrefix)
          ? `tag must not begin with ${sharedPrefix} twice`
          : undefined,
    },
    {
      at: 'tag',
      check: ({ tag }: { readonly tag: string }) =>
        !tag.startsWith(sharedPrefix) && tag.length > ownTagLengthMax
          ? `tag must have at most ${ownTagLengthMax} characters to be shared`
          : undefined,
    },
  ],
  idempotencyKey: true,
  example: { tag: 'nowhere' },
  answer: Type.Object({
    tag: Type.String({ description: 'The new tag.' }),
    channels: Type.Integer({ description: 'Number of channels that were changed.' }),
  }),
});
