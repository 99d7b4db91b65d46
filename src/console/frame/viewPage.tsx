/** A view: its head with title and filters, one line on what it shows, and its content. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Empty, Failed, Note, Skeleton } from '../parts/panel.tsx';
import { inRange } from '../view/format.ts';
import { type Store, useStores } from '../view/stores.tsx';
import { useView, type View } from '../view/view.ts';
import { FreshnessBadge } from './freshness.tsx';
import { PeriodPicker } from './periodPicker.tsx';
import { CopyLink, CurrencyPicker, StorePicker } from './pickers.tsx';
import { TagPicker } from './tagPicker.tsx';

type ViewPageProps = {
  readonly title: string;
  /** The filters that mean something to this view. */
  readonly filters?: {
    readonly period?: boolean;
    readonly comparison?: boolean;
    readonly stores?: 'many' | 'one' | false;
    readonly currency?: boolean;
  };
  /** Words on the dates that are shown, in the place of the period. */
  readonly dates?: (view: View) => string;
  /** The store that is shown where the address names none and only one can be. */
  readonly store?: Store | undefined;
  /** The address of a store where only one is shown; by default this view with that store. */
  readonly storeHref?: (store: Store) => string;
  /** Links to the parts of the view, below its head. */
  readonly parts?: ComponentChildren;
  /** Words on what the figures leave out, after the dates. */
  readonly caveats?: readonly (string | undefined)[];
  readonly children: (view: View) => ComponentChildren;
};

let isFirst = true;

/** The page of a view, once the stores are known. */
export function ViewPage(props: ViewPageProps) {
  const { title, filters = {}, caveats = [], dates, children } = props;
  const { period = true, comparison = true, stores = 'many', currency = true } = filters;
  const { stores: all, query, tags, tagsQuery } = useStores();
  const view = useView();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The name of a store comes with the stores.
    if (title === '') return;
    document.title = `${title} – Vitrine`;
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [title]);
  return (
    <main id="content" class="view" tabIndex={-1}>
      <div class="head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        <div class="filters">
          {period && <PeriodPicker hasComparison={comparison} />}
          {stores && (
            <StorePicker
              view={view}
              one={stores === 'one'}
              shown={props.store}
              {...(props.storeHref && { hrefOf: props.storeHref })}
            />
          )}
          {stores === 'many' && <TagPicker view={view} />}
          {currency && <CurrencyPicker view={view} />}
          <CopyLink />
        </div>
      </div>
      <div class="sub">
        {dates !== undefined && query.value !== undefined && <span>{dates(view)}</span>}
        {dates === undefined && period && <Dates view={view} hasComparison={comparison} />}
        {caveats.map((text) => text && <span key={text}>{text}</span>)}
        <FreshnessBadge stores={view.stores} today={view.today} />
      </div>
      {props.parts}
      {view.ignored.length > 0 && (
        <Note>The address names {view.ignored.join(', ')}, which this view does not know.</Note>
      )}
      <div class="stack">
        {query.problem !== undefined ? (
          <Failed problem={query.problem} name="your stores" retry={query.retry} />
        ) : view.tags.length > 0 && tagsQuery.problem !== undefined ? (
          <Failed problem={tagsQuery.problem} name="the tags" retry={tagsQuery.retry} />
        ) : query.value === undefined || (view.tags.length > 0 && tags === undefined) ? (
          <Skeleton lines={6} height={400} />
        ) : all.length === 0 ? (
          <NoStores />
        ) : view.stores.length === 0 ? (
          <NoneTagged view={view} />
        ) : (
          children(view)
        )}
      </div>
    </main>
  );
}

function Dates({ view, hasComparison }: { readonly view: View; readonly hasComparison: boolean }) {
  const { range, prior, comparison, zone } = view;
  const against =
    hasComparison && comparison !== 'none'
      ? ` against ${inRange(prior, prior.first.slice(0, 4) !== range.first.slice(0, 4))}`
      : '';
  // Some languages end the short name of a month with a full stop.
  const text = `${inRange(range)}${against}`;
  return (
    <span>
      {text.endsWith('.') ? text : `${text}.`}
      <span class="wide-only"> Time zone: {zone.replaceAll('_', ' ')}.</span>
    </span>
  );
}

function NoneTagged({ view }: { readonly view: View }) {
  return (
    <section class="panel">
      <Empty icon="tag" title="No chosen store has this tag">
        <p>
          <a href={view.address.hrefOf({ tag: undefined, page: undefined })}>Clear the tags</a>
        </p>
      </Empty>
    </section>
  );
}

function NoStores() {
  return (
    <div class="panel">
      <div class="nothing">
        <h2>No stores yet</h2>
        <p>
          Ask your administrator for access to a store, or connect one: the guide on{' '}
          <a href="/guides">imports</a> shows how.
        </p>
      </div>
    </div>
  );
}
