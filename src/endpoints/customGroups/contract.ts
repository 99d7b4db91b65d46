import Type from 'typebox';
import { contract, type Rule } from '../../contract/endpoint.ts';
import { exampleChannel } from '../../contract/examples.ts';
import { isObject } from '../../contract/jsonSchema.ts';
import { channelFields, List, NoAnswer, pageFields, Text } from '../../contract/shapes.ts';

/** The most products or brands of one group. */
export const entriesMax = 10_000;

const groupNameLengthMax = 100;
const entryLengthMax = 200;
const digitsMax = 100;

const GroupId = Type.Union(
  [Type.Integer(), Type.String({ pattern: '^-?\\d+$', maxLength: digitsMax })],
  {
    description: 'Identifier of the group: an integer, or its digits.',
    words: { anyOf: 'must be an integer' },
  },
);
const GroupName = Text({
  maxLength: groupNameLengthMax,
  trimmed: true,
  description: 'Name of the group.',
});
const Product = Type.Object(
  {
    sellerSku: Text({
      maxLength: entryLengthMax,
      trimmed: true,
      description: "The seller's SKU of the product.",
    }),
  },
  { component: 'GroupProduct' },
);
const Brand = Text({ maxLength: entryLengthMax, trimmed: true });

const Products = (description: string) =>
  Type.Optional(List(Product, { maxItems: entriesMax, description }));
const Brands = (description: string) =>
  Type.Optional(List(Brand, { maxItems: entriesMax, description }));

const groupPath = Type.Object({ id: GroupId });
const ownChannel = Type.Partial(Type.Object(channelFields));

/** POST /customGroups */
export const saveCustomGroup = contract({
  operation: 'saveCustomGroup',
  access: 'key',
  method: 'POST',
  path: '/customGroups',
  needs: 'customGroups:write',
  audience: 'sharers',
  summary: 'Create or overwrite a custom group',
  description:
    'Creates a group of products or of brands of a channel. With groupId an existing group of ' +
    'the same channel is replaced completely; it may ' +
    'change from products to brands and back. Duplicates count once. Letter case matters; white ' +
    'space at both ends of a text does not.',
  body: Type.Object({
    ...channelFields,
    groupId: Type.Optional(GroupId),
    groupName: GroupName,
    products: Products('Products of the group.'),
    brands: Brands('Brands of the group.'),
  }),
  rules: [
    {
      at: 'products',
      reads: ['brands'],
      // An empty list counts as absent, so that a group can be sent back as it was read.
      check: ({
        products = [],
        brands = [],
      }: {
        products?: readonly unknown[];
        brands?: readonly unknown[];
      }) =>
        products.length > 0 === brands.length > 0
          ? 'exactly one of products and brands must be given and not be empty'
          : undefined,
    },
  ],
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleChannel,
    groupName: 'Best sellers',
    products: [{ sellerSku: 'NW-PACK25-FOREST' }, { sellerSku: 'NW-POLES' }],
  },
  answer: Type.Object({ groupId: Type.Integer({ description: 'Identifier of the group.' }) }),
});

/** GET /customGroups/{id} */
export const readCustomGroup = contract({
  operation: 'readCustomGroup',
  access: 'key',
  method: 'GET',
  path: '/customGroups/{id}',
  needs: 'customGroups:read',
  summary: 'Read a custom group',
  description:
    'A group holds products or brands; the other list is empty. They come in the order in which ' +
    'they were given.',
  pathParameters: groupPath,
  query: ownChannel,
  example: { id: 1, ...exampleChannel },
  answer: Type.Object({
    group: Type.Object(
      {
        groupId: Type.Integer({ description: 'Identifier of the group.' }),
        groupName: Type.String({ description: 'Name of the group.' }),
        products: Type.Array(
          Type.Object({
            sellerSku: Type.String({ description: "The seller's SKU of the product." }),
          }),
        ),
        brands: Type.Array(Type.String()),
      },
      { component: 'CustomGroup' },
    ),
  }),
});

/** DELETE /customGroups/{id} */
export const deleteCustomGroup = contract({
  operation: 'deleteCustomGroup',
  access: 'key',
  method: 'DELETE',
  path: '/customGroups/{id}',
  needs: 'customGroups:write',
  audience: 'sharers',
  summary: 'Delete a custom group',
  description: 'Its products and brands stay what they are; only the group is gone.',
  pathParameters: groupPath,
  query: ownChannel,
  example: { id: 1, ...exampleChannel },
  answer: NoAnswer,
});

type Changes = {
  readonly groupName?: string;
  readonly addProducts?: readonly { readonly sellerSku: string }[];
  readonly removeProducts?: readonly { readonly sellerSku: string }[];
  readonly addBrands?: readonly string[];
  readonly removeBrands?: readonly string[];
};

const changeRules: readonly Rule[] = [
  {
    at: 'groupName',
    reads: ['addProducts', 'removeProducts', 'addBrands', 'removeBrands'],
    check: ({
      groupName,
      addProducts = [],
      removeProducts = [],
      addBrands = [],
      removeBrands = [],
    }: Changes) =>
      groupName === undefined &&
      addProducts.length + removeProducts.length + addBrands.length + removeBrands.length === 0
        ? 'at least one change must be given: groupName or addProducts or removeProducts or addBrands or removeBrands'
        : undefined,
  },
  {
    at: 'removeProducts',
    reads: ['addProducts'],
    check: ({ addProducts = [], removeProducts = [] }: Changes) =>
      overlap(skusOf(addProducts), skusOf(removeProducts))
        ? 'removeProducts must not hold a product that addProducts holds'
        : undefined,
  },
  {
    at: 'addBrands',
    reads: ['addProducts', 'removeProducts', 'removeBrands'],
    check: ({
      addProducts = [],
      removeProducts = [],
      addBrands = [],
      removeBrands = [],
    }: Changes) =>
      addProducts.length + removeProducts.length > 0 && addBrands.length + removeBrands.length > 0
        ? 'products and brands must not be changed together: a group holds products or brands'
        : undefined,
  },
  {
    at: 'removeBrands',
    reads: ['addBrands'],
    check: ({ addBrands = [], removeBrands = [] }: Changes) =>
      overlap(addBrands, removeBrands)
        ? 'removeBrands must not hold a brand that addBrands holds'
        : undefined,
  },
];

/** The SKU by which a group holds a product. */
export function skuOf({ sellerSku }: { readonly sellerSku: string }): string {
  return sellerSku;
}

/** The SKUs of products, some of which may be malformed. */
function skusOf(products: readonly unknown[]): unknown[] {
  return products.filter(isObject).flatMap(({ sellerSku }) => sellerSku ?? []);
}

function overlap(some: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new Set(some);
  return others.some((other) => known.has(other));
}

/** PATCH /customGroups/{id} */
export const changeCustomGroup = contract({
  operation: 'changeCustomGroup',
  access: 'key',
  method: 'PATCH',
  path: '/customGroups/{id}',
  needs: 'customGroups:write',
  audience: 'sharers',
  summary: 'Change a custom group',
  description:
    'Renames a group of the channel, adds to it and removes from it. Adding what is there and ' +
    'removing what is not change nothing. A group of products ' +
    `takes products only, one of brands brands only; it must keep at least one and may hold at ` +
    `most ${entriesMax}.`,
  pathParameters: groupPath,
  body: Type.Object({
    ...channelFields,
    groupName: Type.Optional(GroupName),
    addProducts: Products('Products to be added, after those that are there.'),
    removeProducts: Products('Products to be removed.'),
    addBrands: Brands('Brands to be added, after those that are there.'),
    removeBrands: Brands('Brands to be removed.'),
  }),
  rules: changeRules,
  channel: true,
  idempotencyKey: true,
  example: {
    id: 1,
    ...exampleChannel,
    groupName: 'Bottles and cookware',
    addProducts: [{ sellerSku: 'NW-COOK' }],
  },
  answer: NoAnswer,
});

/** GET /customGroups */
export const listCustomGroups = contract({
  operation: 'listCustomGroups',
  access: 'key',
  method: 'GET',
  path: '/customGroups',
  needs: 'customGroups:read',
  summary: 'List custom groups',
  description: 'The groups of a channel by groupName, in order of its bytes, and then groupId.',
  query: Type.Object({ ...channelFields, ...pageFields }),
  channel: true,
  example: exampleChannel,
  answer: Type.Object({
    groups: Type.Array(
      Type.Object(
        {
          groupId: Type.Integer({ description: 'Identifier of the group.' }),
          groupName: Type.String({ description: 'Name of the group.' }),
        },
        { component: 'ListedCustomGroup' },
      ),
    ),
    total: Type.Integer({ description: 'Number of groups on all pages together.' }),
  }),
});
