/** The seller stores that a tool is about. */
import Type from 'typebox';
import type { AnswerOf, InputOf } from '../contract/endpoint.ts';
import { channelFields, List } from '../contract/shapes.ts';
import { listChannels } from '../endpoints/channels/contract.ts';
import { type Calls, ToolRefusal } from './api.ts';

const listing = 'listChannels lists the stores of the key';

/** A store of the key. */
export type Store = AnswerOf<typeof listChannels>[number];

/** The field that names the stores of a tool, at most `max` of them. */
export function storesField(max: number) {
  return {
    channelIds: Type.Optional(
      List(channelFields.channelId, {
        distinctMax: max,
        description:
          `The channelIds of seller stores, at most ${max}; by default all seller stores of the ` +
          'key, if they are no more.',
      }),
    ),
  };
}

/** The input of that field. */
export type StoresInput = { readonly channelIds?: readonly string[] };

/** The named stores, or all seller stores; throws ToolRefusal where there are none or too many. */
export async function storesOf(
  calls: Calls,
  { channelIds = [] }: StoresInput,
  max: number,
): Promise<Store[]> {
  const details: InputOf<typeof listChannels> = { include: ['details'] };
  const sellers = (await calls.ask(listChannels, details)).filter(({ kind }) => kind === 'seller');
  const known = new Map(sellers.map((store) => [store.channelId, store]));
  const unknown = channelIds.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const failures = unknown.map((id) => `channelIds: ${id} is no seller store of the key`);
    throw new ToolRefusal(`400: ${failures.join(', ')}; ${listing}`);
  }
  const stores =
    channelIds.length === 0 ? sellers : [...new Set(channelIds)].map((id) => known.get(id)!);
  if (stores.length === 0) throw new ToolRefusal('400: the key has no seller store');
  if (stores.length > max)
    throw new ToolRefusal(
      `400: channelIds is required: the key has ${stores.length} seller stores, and the tool takes ${max} at a time; ${listing}`,
    );
  return stores;
}
