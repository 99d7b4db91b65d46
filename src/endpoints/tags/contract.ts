import Type from 'typebox';
import { contract, type Rule } from '../../contract/endpoint.ts';
import { exampleChannel } from '../../contract/examples.ts';
import { channelFields, List, Text } from '../../contract/shapes.ts';

/** The prefix of a tag that the whole organisation shares. */
export const sharedPrefix = 'org://';
/** Tags of one channel that a user may see, shared ones and the user's own together. */
export const tagsMax = 200;

const addedTagsMax = 5;
const tagLengthMax = 100;

const Tag = Text({ maxLength: tagLengthMax, trimmed: true });

type Lists = { readonly addTags?: readonly string[]; readonly removeTags?: readonly string[] };

function prefixAlone(at: keyof Lists): Rule {
  const text = `${at} must not hold ${sharedPrefix} alone: a name must follow it`;
  return { at, check: (asked: Lists) => (asked[at]?.includes(sharedPrefix) ? text : undefined) };
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
  answer: Type.Object({
    channelId: Type.String({ description: 'Identifier of the channel.' }),
    merchantId: Type.String({ description: 'Identifier of the merchant that owns the channel.' }),
    tags: Type.Array(Type.String(), {
      description:
        'All tags of the channel that the caller sees after the change, in order of their bytes.',
    }),
  }),
});
