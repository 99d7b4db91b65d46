/** The table of campaigns, ad groups, keywords or products. */
import { useMemo } from 'preact/hooks';
import { Body, Empty } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { DataTable, Pages, pageOf, sortOf, TableSearch, useColumns } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { type AdColumn, columnsOf, sorted } from './columns.tsx';
import { FilterBar } from './filterBar.tsx';
import { type Filters, noFilters, passes } from './filters.ts';
import { type AdRow, type Part, parts } from './parts.ts';
import { type AdRows, rowsMax, useCounts, type useRows } from './rows.ts';
import type { Scope } from './scope.ts';
import { type Trends, TrendsProvider, trendSheet, useTrends } from './trends.tsx';

const pageSize = 50;
const standardSort = '-spend';

type TableProps = {
  readonly view: View;
  readonly scope: Scope;
  readonly part: Part;
  readonly filters: Filters;
  readonly target: number | undefined;
  readonly query: ReturnType<typeof useRows>;
  /** The rows that pass the filters. */
  readonly passing: readonly AdRow[];
  readonly hrefOf: (row: AdRow) => string | undefined;
};

/** The panel with the table. */
export function RowsTable(props: TableProps) {
  const { view, scope, part, filters, target, query, passing } = props;
  const { params } = useAddress();
  const { name, one } = parts.find(({ id }) => id === part)!;
  const columns = useAllColumns(props);
  const sort = sortOf(
    params,
    standardSort,
    columns.flatMap(({ id, value }) => (value ? [id] : [])),
  );
  const rows = useMemo(
    () => sorted(passing, columns, sort),
    [passing, columns, sort.by, sort.isDescending],
  );
  const { shown, menu } = useColumns(columns);
  const trends = useTrends(view, scope, part, filters, query.value !== undefined);
  const sheet = async () => csvOf(await allOf(props, rows, columns, sort), columns, trends);
  return (
    <section class="panel" aria-label={name} aria-busy={query.isLoading}>
      <header>
        <PartChoice view={view} scope={scope} part={part} filters={filters} listed={query.value} />
        <FilterBar
          filters={filters}
          part={part}
          target={target}
          currency={view.currency}
          names={namesOf(query.value)}
        />
        <div class="tools">
          <TableSearch name={`Find a ${one}`.replace('a ad', 'an ad')} />
          {menu}
          <Toolbar
            name={name}
            request={[query.request ?? [], trends.request ?? []].flat()}
            rows={sheet}
          />
        </div>
      </header>
      <Body query={query} name={name.toLowerCase()} lines={8} height={320}>
        {(listed) =>
          rows.length === 0 ? (
            <NoRows name={name} hasRows={listed.count > 0} />
          ) : (
            <TrendsProvider value={trends}>
              <Found
                rows={rows}
                listed={listed}
                columns={columns}
                sort={sort}
                shown={shown}
                name={name}
                part={part}
                filters={filters}
                page={pageOf(params)}
              />
            </TrendsProvider>
          )
        }
      </Body>
    </section>
  );
}

/** All columns of the part, shown or not. */
function useAllColumns({ view, scope, part, target, passing, hrefOf }: TableProps) {
  return useMemo(
    () =>
      columnsOf(
        {
          part,
          target,
          hrefOf,
          currency: view.currency,
          stores: scope.stores ?? [],
          hasPrior: view.comparison !== 'none',
        },
        passing,
      ),
    [part, target, hrefOf, view, scope, passing],
  );
}

type PartChoiceProps = Pick<TableProps, 'view' | 'scope' | 'part' | 'filters'> & {
  readonly listed: AdRows | undefined;
};

/** Links to the parts, each with the number of its rows. */
function PartChoice({ view, scope, part, filters, listed }: PartChoiceProps) {
  const { params, viewOf } = useAddress();
  const counts = useCounts(view, scope, part, filters, listed);
  const sharedFilters = Object.fromEntries(
    ['campaign', 'ad-group', 'target'].map((id) => [id, params.getAll(id)]),
  );
  return (
    <Segments
      name="Table"
      options={parts.map((option) => {
        const known = counts?.[option.id];
        return known === undefined ? option : { ...option, count: known };
      })}
      chosen={part}
      hrefOf={(id) => viewOf(`/console/advertising/${id}`, sharedFilters)}
    />
  );
}

/** All rows that pass, including those that were not read yet. */
async function allOf(
  { query, filters, part }: TableProps,
  rows: readonly AdRow[],
  columns: readonly AdColumn[],
  sort: ReturnType<typeof sortOf>,
): Promise<readonly AdRow[]> {
  const { value } = query;
  if (value === undefined || value.count <= value.rows.length) return rows;
  const all = await query.all();
  return sorted(
    all.filter((row) => passes(row, filters, part)),
    columns,
    sort,
  );
}

type FoundProps = {
  readonly rows: readonly AdRow[];
  readonly listed: AdRows;
  readonly columns: readonly AdColumn[];
  readonly sort: ReturnType<typeof sortOf>;
  readonly shown: ReturnType<typeof useColumns<AdRow>>['shown'];
  readonly name: string;
  readonly part: Part;
  readonly filters: Filters;
  readonly page: number;
};

function Found({ rows, listed, columns, sort, shown, name, part, filters, page }: FoundProps) {
  const { hrefOf } = useAddress();
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const at = Math.min(page, last);
  const isNarrowed = rows.length < listed.rows.length;
  const isOfCampaign = filters.campaigns.length + filters.adGroups.length > 0;
  return (
    <>
      <DataTable
        name={name}
        sort={sort}
        shown={shown}
        columns={columns}
        rows={rows.slice((at - 1) * pageSize, at * pageSize)}
        keyOf={({ key }) => key}
        standard={standardSort}
        hasTotal
      />
      <footer>
        <span>
          {isNarrowed
            ? `${count(rows.length)} of ${count(listed.rows.length)} ${name.toLowerCase()}`
            : `${count(rows.length)} ${name.toLowerCase()}`}
          {listed.count > listed.rows.length &&
            `, the ${count(rowsMax)} with the most spend of ${count(listed.count)}`}
          {part === 'products' && isOfCampaign && ', of all campaigns of these stores'}
        </span>
        {isNarrowed && <a href={hrefOf(noFilters)}>Show all</a>}
        <Pages page={at} size={pageSize} total={rows.length} />
      </footer>
    </>
  );
}

function NoRows({ name, hasRows }: { readonly name: string; readonly hasRows: boolean }) {
  const { hrefOf } = useAddress();
  const words = name.toLowerCase();
  if (hasRows)
    return (
      <Empty icon="search" title={`No ${words} match the filters`}>
        <a class="control" href={hrefOf(noFilters)}>
          Show all
        </a>
      </Empty>
    );
  return (
    <Empty icon="advertising" title={`No ${words} in these stores`}>
      <p>Reports of Sponsored Products, Brands and Display bring them.</p>
      <a class="control" href="/guides/importing">
        How to import them
      </a>
    </Empty>
  );
}

/** Names of campaigns and ad groups by their numbers. */
function namesOf(listed: AdRows | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { campaignId, adGroupId, campaignName, adGroupName } of listed?.rows ?? []) {
    if (campaignId && campaignName) names.set(campaignId, campaignName);
    if (adGroupId && adGroupName) names.set(adGroupId, adGroupName);
  }
  return names;
}

function csvOf(rows: readonly AdRow[], columns: readonly AdColumn[], { points }: Trends) {
  const single = columns.filter(({ value }) => value !== undefined);
  const { names, cells } = trendSheet(points);
  return [
    ['Store', ...single.map(({ name }) => name), ...names],
    ...rows.map((row) => [row.channelId, ...single.map(({ value }) => value!(row)), ...cells(row)]),
  ];
}
