/** Where the figures of a day of a store come from: a panel that the address opens. */

import type { Answer, Input } from '../client.ts';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { count, inDay, none } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { inMoment } from '../words.ts';

type Lineage = Answer<'readLineage'>;
type Dataset = NonNullable<Input<'readLineage'>['dataset']>;
type Props = { readonly view: View; readonly store: Store };

/** The parameter of the address with the day. */
const parameter = 'lineage';

const ofSellers: readonly (readonly [Dataset, string])[] = [
  ['orderLines', 'Orders'],
  ['traffic', 'Traffic'],
  ['campaignDays', 'Advertising'],
];
const ofVendors: readonly (readonly [Dataset, string])[] = [
  ['vendorSales', 'Vendor sales'],
  ['campaignDays', 'Advertising'],
];

/** The link that opens the panel for the last day of the period with data, or the panel. */
export function LineageOfDay({ view, store }: Props) {
  const { params, hrefOf } = view.address;
  const opened = params.get(parameter);
  const last = [view.range.last, ...Object.values(store.freshness ?? {})].sort()[0]!;
  const day = last < view.range.first ? view.range.last : last;
  if (opened === null || !/^\d{4}-\d{2}-\d{2}$/.test(opened))
    return (
      <p>
        <a href={hrefOf({ [parameter]: day })}>Where do these figures come from?</a>
      </p>
    );
  return <LineagePanel view={view} store={store} day={opened} />;
}

function LineagePanel({ view, store, day }: Props & { readonly day: string }) {
  const { params, hrefOf, change } = view.address;
  const datasets = store.kind === 'vendor' ? ofVendors : ofSellers;
  const [dataset] =
    datasets.find(([name]) => name === params.get('dataset')) ?? (datasets[0] as [Dataset, string]);
  const { channelId, merchantId } = store;
  const query = useQuery('readLineage', {
    channelId,
    merchantId,
    dataset,
    date: day,
    currency: store.currency,
  });
  return (
    <Panel
      title="Where the figures come from"
      isLoading={query.isLoading}
      tools={
        <>
          <label class="search">
            <span class="visually-hidden">Day</span>
            <input
              type="date"
              value={day}
              onChange={({ currentTarget: { value } }) =>
                value !== '' && change({ [parameter]: value })
              }
            />
          </label>
          <Segments
            name="Data"
            options={datasets.map(([id, name]) => ({ id, name }))}
            chosen={dataset}
            hrefOf={(id) => hrefOf({ dataset: id === datasets[0]![0] ? undefined : id })}
          />
          <a class="control small" href={hrefOf({ [parameter]: undefined, dataset: undefined })}>
            Close
          </a>
        </>
      }
    >
      <Body query={query} name="the imports of the day">
        {(lineage) => (
          <>
            <Imports lineage={lineage} day={day} />
            <UnknownCodes codes={lineage.unknownCodes} />
            <Rates rates={lineage.rates} />
          </>
        )}
      </Body>
    </Panel>
  );
}

/** The codes that no list knows, which the profit page asks about. */
function UnknownCodes({ codes }: { readonly codes: Lineage['unknownCodes'] }) {
  const open = codes.filter(({ line }) => line === null);
  if (open.length === 0) return null;
  return (
    <Note tools={<a href="/console/profit">Say what they are</a>}>
      Unknown codes count by their sign: {open.map(({ code }) => code).join(', ')}.
    </Note>
  );
}

type Import = Lineage['imports'][number];

const standings: Readonly<Record<Import['standing'], string>> = {
  counts: 'Counts',
  superseded: 'Superseded',
  empty: 'No facts of the day',
  undone: 'Undone',
  failed: 'Failed',
  running: 'Running',
};

function Imports({ lineage, day }: { readonly lineage: Lineage; readonly day: string }) {
  if (lineage.imports.length === 0)
    return (
      <Empty title="No imports">
        <p>Nothing that was imported covers {inDay(day)}.</p>
      </Empty>
    );
  return (
    <DataTable
      name="Imports of the day"
      rows={lineage.imports}
      keyOf={({ importId }) => String(importId)}
      columns={columnsOf(lineage)}
    />
  );
}

function columnsOf({ facts, superseded }: Lineage): readonly Column<Import>[] {
  const factsOf = ({ importId }: Import) => facts.filter((one) => one.importId === importId);
  const byOf = ({ importId }: Import) => [
    ...new Set(
      superseded.filter((one) => one.importId === importId).map((one) => one.supersededBy),
    ),
  ];
  return [
    {
      id: 'import',
      name: 'Import',
      isSortable: false,
      cell: ({ importId, document }) => (
        <span class="name two">
          <span>
            {importId}
            {document?.fileName != null && <small>{document.fileName}</small>}
          </span>
        </span>
      ),
    },
    { id: 'kind', name: 'Document', isSortable: false, cell: ({ dataset }) => dataset },
    {
      id: 'standing',
      name: 'Standing',
      isSortable: false,
      cell: (one) => {
        const by = byOf(one);
        const words = standings[one.standing];
        if (by.length === 0) return words;
        return one.standing === 'superseded'
          ? `Superseded by ${by.join(', ')}`
          : `${words}; superseded in part by ${by.join(', ')}`;
      },
    },
    {
      id: 'facts',
      name: 'Facts of the day',
      isNumber: true,
      isSortable: false,
      cell: (one) => count(factsOf(one).reduce((sum, { rows }) => sum + rows, 0)),
    },
    {
      id: 'finished',
      name: 'Finished',
      isSortable: false,
      cell: ({ finishedAt }) => (finishedAt === null ? none : inMoment(finishedAt)),
    },
    {
      id: 'hash',
      name: 'SHA-256',
      isSortable: false,
      cell: ({ document }) =>
        document === null ? (
          none
        ) : (
          <code title={document.sha256}>{document.sha256.slice(0, 12)}</code>
        ),
    },
  ];
}

/** The exchange rates by which amounts of other currencies were converted. */
function Rates({ rates }: { readonly rates: Lineage['rates'] }) {
  const foreign = rates.filter(({ from, to }) => from !== to);
  if (foreign.length === 0) return null;
  return (
    <footer>
      {foreign.map(({ from, to, rate, isMonthMean, published }) => (
        <span key={from}>
          {rate === null
            ? `There is no exchange rate of ${from}.`
            : `1 ${from} is ${exact(rate)} ${to}, ${
                isMonthMean ? 'the mean of the month' : publishedOn(published)
              }.`}
        </span>
      ))}
    </footer>
  );
}

const exact = (rate: number) => rate.toLocaleString(undefined, { maximumSignificantDigits: 8 });

const sourceWords = { published: 'published on', own: 'set by the operator for' } as const;

function publishedOn(published: Lineage['rates'][number]['published']): string {
  const dates = published.map(({ date, source }) => `${sourceWords[source]} ${inDay(date)}`);
  return dates.length === 0 ? 'by definition' : [...new Set(dates)].join(' and ');
}
