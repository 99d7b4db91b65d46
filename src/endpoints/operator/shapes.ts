/** Shapes and limits that the operator's contracts share. */
import Type, { type TProperties, type TSchema } from 'typebox';
import { type FieldOptions, pageIndexMax, Text } from '../../contract/shapes.ts';

/** Rows of a page in the operator's lists, at most. */
export const operatorPageSizeMax = 1_000;
/** Rows of a page in the operator's lists when none are asked for. */
export const operatorPageSizeDefault = 100;
/** The identifier of a record. */
export const Id = (of: string) => Text({ maxLength: 200, description: `Identifier of the ${of}.` });
/** A time of an answer. */
export const Instant = (description: string) =>
  Type.Integer({ description: `${description} Unix epoch time in whole seconds.` });
/** A value that may be missing. */
export const OrNull = <Schema extends TSchema>(schema: Schema, options: FieldOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Which page of a list is wanted. */
export const pages = {
  pageIndex: Type.Integer({
    minimum: 0,
    maximum: pageIndexMax,
    default: 0,
    description: 'Number of the page, the first being 0.',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: operatorPageSizeMax,
    default: operatorPageSizeDefault,
    description: 'Rows of a page.',
  }),
};

/** A page of a list, under the name of what it lists. */
export function ListOf<const Name extends string, Item extends TSchema>(name: Name, item: Item) {
  const properties = { [name]: Type.Array(item) } as {
    [Key in Name]: ReturnType<typeof Type.Array<Item>>;
  };
  return Type.Object({
    ...properties,
    total: Type.Integer({ description: 'Number of rows on all pages together.' }),
  });
}

/** Fields of which each may be left out. */
export function AllOptional<Properties extends TProperties>(properties: Properties) {
  return Type.Partial(Type.Object(properties));
}
