/** The picker of tags, which narrow the stores of a view. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { Skeleton } from '../parts/panel.tsx';
import { Popover } from '../parts/popover.tsx';
import { useStores } from '../view/stores.tsx';
import { nameOfTag, type Tag } from '../view/tags.ts';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';

/** Chooses tags: stores that carry one of them stay. */
export function TagPicker({ view }: { readonly view: View }) {
  const { tags } = view;
  const name =
    tags.length === 0 ? 'Tags' : tags.length === 1 ? nameOfTag(tags[0]!) : `${tags.length} tags`;
  return (
    <Popover
      title="Tags"
      name={tags.length === 0 ? 'Tags' : `Tags: ${tags.map(nameOfTag).join(', ')}`}
      label={
        <>
          <Icon name="tag" />
          {name}
          <Icon name="down" />
        </>
      }
    >
      {(close) => <TagList view={view} close={close} />}
    </Popover>
  );
}

type TagListProps = { readonly view: View; readonly close: () => void };

function TagList({ view, close }: TagListProps) {
  const { tags, tagsQuery, wantTags } = useStores();
  const [text, setText] = useState('');
  const [chosen, choose] = useState(view.tags);
  useEffect(wantTags, []);
  const apply = (ids: readonly string[]) => {
    view.address.change({ tag: ids, page: undefined });
    close();
  };
  const toggle = (id: string) =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const found = tags?.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <div class="choices">
      <label class="search">
        <Icon name="search" />
        <span class="visually-hidden">Find a tag</span>
        <input
          type="search"
          placeholder="Find a tag"
          value={text}
          onInput={({ currentTarget: { value } }) => setText(value)}
        />
      </label>
      {tagsQuery.problem !== undefined ? (
        <p class="said-in-pane">The tags could not be loaded. {tagsQuery.problem.message}</p>
      ) : tags === undefined || found === undefined ? (
        <Skeleton lines={3} height={96} name="the tags" />
      ) : tags.length === 0 ? (
        <NoTags />
      ) : (
        <>
          <ul class="menu">
            {found.map((tag) => (
              <li key={tag.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(tag.id)}
                    onChange={() => toggle(tag.id)}
                  />
                  <TagWords tag={tag} />
                </label>
              </li>
            ))}
            {found.length === 0 && <li class="muted">No tag is called “{text}”.</li>}
          </ul>
          <div class="foot">
            <button type="button" class="control" onClick={() => apply([])}>
              Clear
            </button>
            <button type="button" class="control primary" onClick={() => apply(chosen)}>
              Apply
            </button>
          </div>
        </>
      )}
    </div>
  );
}

function TagWords({ tag }: { readonly tag: Tag }) {
  return (
    <>
      <span>{tag.name}</span>
      <span class="muted">
        {counted(tag.channelIds.size, 'store')}
        {tag.isShared ? '' : ', yours alone'}
      </span>
    </>
  );
}

const NoTags = () => (
  <p class="said-in-pane">
    No store has a tag yet. Tags group stores, such as those of a region.{' '}
    <a href="/reference">The reference</a> shows the call that adds them.
  </p>
);
