/** The tags of the stores: those of the organisation, and the user's own. */
import { useMemo } from 'preact/hooks';
import type { sharedPrefix as prefixOfContract } from '../../endpoints/tags/contract.ts';
import { usePages } from '../queries.ts';

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

/** The tags that the user sees, by their names; undefined until they are known. */
export function useTags(isWanted: boolean) {
  const { value, problem, retry } = usePages('listTags', isWanted ? {} : undefined);
  const tags = useMemo(() => value && tagsOf(value.rows), [value]);
  return { tags, problem, retry };
}

type TagSet = { readonly channelId: string; readonly tags: readonly string[] };

function tagsOf(sets: readonly TagSet[]): readonly Tag[] {
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
