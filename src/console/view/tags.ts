/** The tags of the stores: those of the organisation, and the user's own. */
import type { sharedPrefix as prefixOfContract } from '../../endpoints/tags/contract.ts';

const sharedPrefix: typeof prefixOfContract = 'org://';

/** A tag with the stores that carry it. */
export type Tag = {
  /** The tag as the API writes it. */
  readonly id: string;
  /** Its name without the prefix of shared tags. */
  readonly name: string;
  readonly isShared: boolean;
  readonly channelIds: ReadonlySet<string>;
};

/** The name of a tag, without the prefix of shared ones. */
export const nameOfTag = (id: string): string =>
  id.startsWith(sharedPrefix) ? id.slice(sharedPrefix.length) : id;

/** The tags of a store, as the API lists them. */
export type TagSet = { readonly channelId: string; readonly tags: readonly string[] };

/** The tags of all stores, by their names. */
export function tagsOf(sets: readonly TagSet[]): readonly Tag[] {
  const ids = [...new Set(sets.flatMap(({ tags }) => tags))];
  return ids
    .map((id) => ({
      id,
      name: nameOfTag(id),
      isShared: id.startsWith(sharedPrefix),
      channelIds: new Set(
        sets.flatMap(({ channelId, tags }) => (tags.includes(id) ? channelId : [])),
      ),
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}
