/** The reports under way, and the files of those that are over. */

import { countryAlpha2 } from '../../contract/countries.ts';
import { ask } from '../client.ts';
import { saveFile } from '../files.ts';
import { ActionButton } from '../parts/actionButton.tsx';
import { Icon } from '../parts/icons.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, Pages, pageOf, sortOf, TableSearch } from '../parts/table.tsx';
import { inMoment } from '../view/format.ts';
import { type Store, useStores } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { isType, kinds } from './kinds.ts';
import { isUnderWay, type ListedReport, readMax } from './listed.ts';

const pageSize = 25;
const sortStandard = '-created';

/** A report with the names that the tables show. */
type Row = ListedReport & { readonly name: string; readonly store: Store | undefined };

type FilesProps = {
  readonly view: View;
  readonly reports: readonly ListedReport[];
};

/** The reports under way first, then the files. */
export function Files({ view, reports }: FilesProps) {
  const { stores } = useStores();
  const rows = reports.map((report) => ({
    ...report,
    name: isType(report.reportType) ? kinds[report.reportType].name : report.reportType,
    store: stores.find(({ channelId }) => channelId === report.channelId),
  }));
  const underWay = rows.filter(isUnderWay);
  return (
    <>
      {underWay.length > 0 && (
        <Panel title="Under way" count={underWay.length}>
          <DataTable
            name="Reports under way"
            columns={columnsOf(view, stateColumn)}
            rows={underWay}
            keyOf={({ reportId }) => reportId}
          />
        </Panel>
      )}
      <FileTable view={view} rows={rows.filter((row) => !isUnderWay(row))} />
    </>
  );
}

function FileTable({ view, rows }: { readonly view: View; readonly rows: readonly Row[] }) {
  const { params } = view.address;
  const columns = columnsOf(view, fileColumn);
  const sort = sortOf(params, sortStandard, ['report', 'store', 'created']);
  const wanted = params.get('q')?.trim().toLowerCase() ?? '';
  const found = sorted(
    rows.filter((row) => textOf(row).includes(wanted)),
    sort.by,
    sort.isDescending,
  );
  const page = Math.min(pageOf(params), Math.max(1, Math.ceil(found.length / pageSize)));
  return (
    <Panel
      title="Files"
      count={rows.length || undefined}
      tools={rows.length > 0 && <TableSearch name="Report or store" />}
    >
      {rows.length === 0 ? (
        <Empty icon="report" title="No files yet">
          <p>
            Create a report here, or by <code>POST /reports/create</code>: the{' '}
            <a href="/reference">reference</a> lists them. Files are kept for 30 days.
          </p>
        </Empty>
      ) : found.length === 0 ? (
        <Empty icon="search" title="No such file">
          <p>No report of the last 30 days matches “{wanted}”.</p>
        </Empty>
      ) : (
        <DataTable
          name="Files of reports"
          columns={columns}
          rows={found.slice((page - 1) * pageSize, page * pageSize)}
          keyOf={({ reportId }) => reportId}
          sort={sort}
          standard={sortStandard}
        />
      )}
      {rows.length > 0 && (
        <footer>
          <span>
            {rows.length >= readMax ? `The newest ${readMax} reports.` : 'Kept for 30 days.'}
          </span>
          <Pages page={page} size={pageSize} total={found.length} />
        </footer>
      )}
    </Panel>
  );
}

const storeNameOf = ({ store, channelId }: Row) => store?.shortName ?? channelId;

const textOf = (row: Row) => `${row.name} ${row.fileName} ${storeNameOf(row)}`.toLowerCase();

function sorted(rows: readonly Row[], by: string, isDescending: boolean): Row[] {
  const order = isDescending ? -1 : 1;
  const nameOf = by === 'store' ? storeNameOf : ({ name }: Row) => name;
  return rows.toSorted(
    (one, other) =>
      order *
        (by === 'created'
          ? one.createdAt - other.createdAt
          : nameOf(one).localeCompare(nameOf(other))) || other.createdAt - one.createdAt,
  );
}

/** The columns; what came of a report is second, so that phones show it without scrolling. */
function columnsOf({ zone }: View, outcome: Column<Row>): readonly Column<Row>[] {
  return [
    { id: 'report', name: 'Report', cell: ({ name }) => name },
    outcome,
    {
      id: 'store',
      name: 'Store',
      cell: (row) => (
        <span class="name">
          {row.store && <span class="country">{countryAlpha2(row.store.countryCode)}</span>}
          <span>{storeNameOf(row)}</span>
        </span>
      ),
    },
    {
      id: 'created',
      name: 'Asked for',
      cell: ({ createdAt }) => (
        <time dateTime={new Date(createdAt * 1000).toISOString()}>
          {inMoment(new Date(createdAt * 1000).toISOString(), zone)}
        </time>
      ),
    },
  ];
}

const stateColumn: Column<Row> = {
  id: 'state',
  name: 'State',
  cell: ({ status }) => (
    <span class="badge">
      <Icon name="clock" />
      {status === 'started' ? 'Waiting' : 'Running'}
    </span>
  ),
};

const fileColumn: Column<Row> = {
  id: 'file',
  name: 'File',
  isSortable: false,
  cell: (row) => (row.status === 'done' ? <Download report={row} /> : <Failure report={row} />),
};

function Failure({ report: { error } }: { readonly report: Row }) {
  return (
    <>
      <span class="badge bad">
        <Icon name="alert" />
        Failed
      </span>
      {error !== undefined && <div class="reason">{error}</div>}
    </>
  );
}

function Download({ report: { reportId, fileName } }: { readonly report: Row }) {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1);
  const words = `Download ${ending === 'parquet' ? 'Parquet' : ending.toUpperCase()}`;
  return (
    <ActionButton
      className="file"
      icon="download"
      words={words}
      name={`${words}: ${fileName}`}
      title={fileName}
      act={async () => {
        // Links end after an hour, so each download requests one.
        saveFile((await ask('readReportStatus', { reportId })).downloadUrl!);
        return undefined;
      }}
    />
  );
}
