/** Advertising: what to cut, and what to fund. */
import { useCallback, useMemo } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { TimeSeries } from '../charts/timeSeries.tsx';
import { gapsOf } from '../frame/freshness.tsx';
import { ViewPage } from '../frame/viewPage.tsx';
import type { Meaning } from '../parts/change.tsx';
import { Empty, Failed, Note, Panel } from '../parts/panel.tsx';
import { type Tile, Tiles } from '../parts/tiles.tsx';
import { useAddress } from '../view/address.ts';
import { inDay, numberOf, percent } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { useView } from '../view/view.ts';
import { counted } from '../words.ts';
import { type Filters, filtersOf, passes } from './filters.ts';
import { useOverTime } from './overTime.ts';
import { type AdRow, type Part, partOf } from './parts.ts';
import { useRows } from './rows.ts';
import { RowsTable } from './rowsTable.tsx';
import { type Scope, useScope } from './scope.ts';
import { type Target, Where } from './where.tsx';

/** The view. */
export function Advertising() {
  const view = useView();
  const scope = useScope(view);
  const { params } = useRoute();
  const part = partOf(params.part);
  return (
    <ViewPage title="Advertising" caveats={[scope.caveat, 'The last 14 days may still grow.']}>
      {(shown) => <Content view={shown} scope={scope} part={part} />}
    </ViewPage>
  );
}

type ContentProps = { readonly view: View; readonly scope: Scope; readonly part: Part };

function Content({ view, scope, part }: ContentProps) {
  if (scope.stores?.length === 0)
    return (
      <Panel title="Advertising">
        <Empty icon="advertising" title="No advertising in these stores">
          <p>Reports of Sponsored Products, Brands and Display bring it.</p>
          <a class="control" href="/guides/importing">
            How to import them
          </a>
        </Empty>
      </Panel>
    );
  // Rows of one part say nothing in another.
  return <Shown key={part} view={view} scope={scope} part={part} />;
}

function Shown({ view, scope, part }: ContentProps) {
  const { params } = useAddress();
  const filters = useMemo(() => filtersOf(params), [params]);
  const query = useRows(view, scope, part, filters);
  const passing = useMemo(
    () => query.value?.rows.filter((row) => passes(row, filters, part)) ?? [],
    [query.value, filters, part],
  );
  const target = targetOf(params.get('target'), scope);
  const hrefOf = useHrefOf(part, filters);
  const { route } = useLocation();
  const { change } = useAddress();
  const open = (row: AdRow) => {
    const href = hrefOf(row);
    if (href === undefined) change({ q: row.name, page: undefined });
    else route(href);
  };
  return (
    <>
      <Stale view={view} scope={scope} />
      <Totals view={view} scope={scope} />
      {scope.isTooLong ? (
        <Panel title="Campaigns and their figures">
          <Empty icon="calendar" title="This period is too long">
            <p>Lists of advertising reach six months. Choose a shorter period.</p>
          </Empty>
        </Panel>
      ) : (
        <>
          <div class="columns">
            <Where
              view={view}
              scope={scope}
              part={part}
              query={query}
              passing={passing}
              target={target}
              open={open}
            />
            <Lines view={view} scope={scope} target={target} />
          </div>
          <RowsTable
            view={view}
            scope={scope}
            part={part}
            filters={filters}
            query={query}
            passing={passing}
            hrefOf={hrefOf}
            target={target?.acos}
          />
        </>
      )}
    </>
  );
}

/** The ACOS of the address, or that of all stores together. */
function targetOf(text: string | null, { current }: Scope): Target | undefined {
  const chosen = numberOf(text);
  if (chosen !== undefined && chosen > 0)
    return {
      acos: chosen,
      name: `Target ${percent(chosen, chosen % 1 === 0 ? 0 : 1)}`,
      isChosen: true,
    };
  const own = current?.acos;
  if (own === undefined) return undefined;
  return { acos: own, name: `All ${percent(own)}`, isChosen: false };
}

/** The address of what lies below a row: ad groups of campaigns, keywords of ad groups. */
function useHrefOf(part: Part, { campaigns }: Filters) {
  const { viewOf, params } = useAddress();
  const target = params.getAll('target');
  return useCallback(
    ({ campaignId, adGroupId }: AdRow) => {
      if (part === 'campaigns' && campaignId !== undefined)
        return viewOf('/console/advertising/ad-groups', { campaign: campaignId, target });
      if (part === 'ad-groups' && adGroupId !== undefined)
        return viewOf('/console/advertising/keywords', {
          campaign: [...campaigns],
          'ad-group': adGroupId,
          target,
        });
      return undefined;
    },
    [part, viewOf, params],
  );
}

/** Warns of stores whose advertising ends before the period does. */
function Stale({ view, scope }: Omit<ContentProps, 'part'>) {
  const gaps = gapsOf(scope.stores ?? [], view.today).filter(
    ({ dataset, last }) => dataset === 'campaignDays' && last < view.range.last,
  );
  if (gaps.length === 0) return null;
  const [first] = gaps;
  return (
    <Note tools={<a href="/guides/importing">How to import it</a>}>
      {gaps.length === 1
        ? `${first!.store.displayName} has no advertising data since ${inDay(first!.last)}. `
        : `${counted(gaps.length, 'store')} have no advertising data of the last days. `}
      The figures read too low.
    </Note>
  );
}

/** Metrics that the second line shows; no call answers the others by day. */
const metrics = ['sales', 'acos'] as const;
type Metric = (typeof metrics)[number];
const standardMetric: Metric = 'acos';
const isMetric = (id: string | null): id is Metric => metrics.some((metric) => metric === id);
const metricOf = (id: string | null): Metric => (isMetric(id) ? id : standardMetric);

function Totals({ view, scope }: Omit<ContentProps, 'part'>) {
  const { params } = useAddress();
  const { query, current, prior } = scope;
  if (query.problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={query.problem} name="the totals" retry={query.retry} />
      </div>
    );
  const tile = (
    id: keyof NonNullable<typeof current>,
    name: string,
    unit: Tile['unit'],
    meaning: Meaning,
  ): Tile => ({
    id,
    name,
    unit,
    meaning,
    value: current?.[id],
    prior: prior?.[id],
    isLink: isMetric(id),
    isWaiting: current === undefined,
  });
  return (
    <Tiles
      tiles={[
        tile('spend', 'Spend', 'amount', 'neither'),
        tile('sales', 'Ad sales', 'amount', 'good'),
        tile('acos', 'ACOS', 'percent', 'bad'),
        tile('tacos', 'TACoS', 'percent', 'bad'),
        tile('costPerClick', 'Cost per click', 'amount', 'bad'),
        tile('newToBrand', 'New to brand', 'percent', 'good'),
      ]}
      chosen={metricOf(params.get('metric'))}
      standard={standardMetric}
      currency={view.currency}
      hasComparison={view.comparison !== 'none'}
      isLoading={query.isLoading}
    />
  );
}

const lineHeight = 168;

type LinesProps = Omit<ContentProps, 'part'> & { readonly target: Target | undefined };

function Lines({ view, scope, target }: LinesProps) {
  const { params } = useAddress();
  const { of, lines, isLoading, problem, retry, requests } = useOverTime(view, scope);
  const metric = metricOf(params.get('metric'));
  const hasPrior = view.comparison !== 'none';
  if (problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={problem} name="the days" retry={retry} />
      </div>
    );
  const shared = {
    of,
    hasPrior,
    request: requests,
    currency: view.currency,
    height: lineHeight,
    isLoading,
    isReady: lines !== undefined,
  };
  return (
    <div class="stack">
      <TimeSeries {...shared} title="Spend" unit="amount" points={lines?.spend ?? []} />
      {metric === 'acos' ? (
        <TimeSeries
          {...shared}
          title="ACOS"
          unit="percent"
          points={lines?.acos ?? []}
          goal={target?.isChosen ? { value: target.acos, name: target.name } : undefined}
        />
      ) : (
        <TimeSeries {...shared} title="Ad sales" unit="amount" points={lines?.sales ?? []} />
      )}
    </div>
  );
}
