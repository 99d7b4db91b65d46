/** Asks for the tags of the stores. */

import { useMemo } from 'preact/hooks';
import { usePages } from '../queries.ts';
import { tagsOf } from './tags.ts';

/** The tags that the user sees, by their names; undefined until they are known. */
export function useTags(isWanted: boolean) {
  const { value, problem, retry } = usePages('listTags', isWanted ? {} : undefined);
  const tags = useMemo(() => value && tagsOf(value.rows), [value]);
  return { tags, problem, retry };
}
