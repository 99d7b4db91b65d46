/** A channel: the place for its documents, what came of them, its freshness and its imports. */

import { Icon } from '../parts/icons.tsx';
import { Body, Empty, Failed, Note, Panel } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { useGathered, useQuery } from '../queries.ts';
import type { Refused } from '../refused.ts';
import { count, inDay, none } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { useAccess } from './access.tsx';
import { ChooseButton, DropArea } from './drop.tsx';
import { inFields, type OptionValues } from './importOptions.ts';
import { ImportList } from './imports.tsx';
import { Counts, datesOf, RefusedRows, RefusedTools } from './recap.tsx';
import { Retry } from './retry.tsx';
import { addressOf } from './sections.ts';
import { staleOf } from './stale.ts';
import { TaxRatesPanel } from './taxRates.tsx';
import type { Upload } from './uploads.ts';

const latest = 10;

/** A channel of the address. */
export function OneChannel({ channelId }: { readonly channelId: string }) {
  const { uploads } = useAccess();
  const query = useQuery('readChannel', { channelId });
  if (query.problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={query.problem} name={`the channel ${channelId}`} retry={query.retry} />
      </div>
    );
  const channel = query.value;
  return (
    <>
      <p class="crumbs">
        <a href={addressOf('channels')}>Channels</a> /{' '}
        <strong>{channel?.displayName ?? channelId}</strong>
        {channel && (
          <span class="muted">
            {' '}
            {channelId}, {channel.kind}, {channel.currency}, {channel.timezone}
          </span>
        )}
      </p>
      <ImportPanel channelId={channelId} />
      {uploads.all
        .filter((one) => one.channelId === channelId)
        .map((upload) => (
          <UploadPanel key={upload.id} upload={upload} />
        ))}
      <LatestImports channelId={channelId} />
      <Freshness channelId={channelId} />
      <TaxRatesPanel channelId={channelId} />
    </>
  );
}

function ImportPanel({ channelId }: { readonly channelId: string }) {
  const { uploads } = useAccess();
  const start = (files: readonly File[]) => uploads.start(channelId, files);
  return (
    <Panel title="Import documents">
      <DropArea onFiles={start}>
        <div class="drop-place">
          <Icon name="download" />
          <p>
            Drop documents of the marketplace here, as they were downloaded: plain, gzip or zip.
            Their kind is recognised.
          </p>
          <ChooseButton onFiles={start} />
          <Kinds />
        </div>
      </DropArea>
    </Panel>
  );
}

/** The kinds that are recognised, in a list that opens. */
function Kinds() {
  const query = useQuery('listImportable', {});
  if (query.value === undefined) return null;
  const { documents } = query.value;
  return (
    <details class="kinds">
      <summary>{documents.length} kinds of documents</summary>
      <dl>
        {documents.map(({ type, about }) => (
          <div key={type}>
            <dt>
              <code>{type}</code>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function UploadPanel({ upload }: { readonly upload: Upload }) {
  const { uploads } = useAccess();
  const { id, name, recap, problem } = upload;
  return (
    <Panel
      title={name}
      className="upload"
      isLoading={recap === undefined && problem === undefined}
      tools={
        <>
          {recap !== undefined && recap.rejected.length > 0 && (
            <UploadTools name={name} importId={recap.importId} />
          )}
          {(recap !== undefined || problem !== undefined) && (
            <button
              type="button"
              class="icon-button"
              aria-label={`Close the recap of ${name}`}
              title="Close"
              onClick={() => uploads.remove(id)}
            >
              <Icon name="close" />
            </button>
          )}
        </>
      }
    >
      {recap === undefined && problem === undefined && <Progress upload={upload} />}
      {problem !== undefined && (
        <Refusal
          problem={problem}
          given={upload.options}
          retry={(options) => {
            uploads.remove(id);
            uploads.start(upload.channelId, [upload.file], options);
          }}
        />
      )}
      {recap !== undefined && (
        <>
          {problem === undefined && (
            <p class="recap-line" role="status">
              <Icon name="check" tone="good" /> Imported as {recap.dataset}
              {recap.from !== null && `, ${datesOf(recap)}`}.
            </p>
          )}
          <Counts counts={recap} />
          {recap.rowsRejected > 0 && (
            <RefusedRows name={name} rows={recap.rejected} total={recap.rowsRejected} />
          )}
          <footer>
            <a href={addressOf('imports', { import: String(recap.importId) })}>
              Import {recap.importId}
            </a>
          </footer>
        </>
      )}
    </Panel>
  );
}

type RefusalProps = {
  readonly problem: Refused;
  readonly given: OptionValues;
  readonly retry: (options: OptionValues) => void;
};

/** Why a document was refused, with the fields of the options that it needs. */
function Refusal({ problem, given, retry }: RefusalProps) {
  return (
    <div class="failed" role="alert">
      <Icon name="alert" tone="bad" />
      <div>
        <p>
          <strong>Not imported.</strong> {inFields(problem.message)}
        </p>
        <Retry refusal={problem.message} given={given} retry={retry} />
        {problem.requestId !== undefined && (
          <p class="muted">
            Request <code>{problem.requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}

/** The CSV of the refused rows: also those that the recap leaves out. */
function UploadTools({ name, importId }: { readonly name: string; readonly importId: number }) {
  const { value } = useQuery('listImportRejections', { importId });
  return value === undefined ? null : <RefusedTools name={name} rows={value.rejected} />;
}

function Progress({ upload: { name, sent } }: { readonly upload: Upload }) {
  const percent = Math.floor(sent * 100);
  return (
    <div class="body">
      <progress aria-label={`Sending ${name}`} max={100} value={percent} />
      <p class="muted small">
        {percent === 100 ? 'Sent. The service is importing its rows.' : `${percent}% sent`}
      </p>
    </div>
  );
}

function Freshness({ channelId }: { readonly channelId: string }) {
  const query = useGathered(`freshness ${channelId}`, async (ask) => {
    const [channel, freshness] = await Promise.all([
      ask('readChannel', { channelId }),
      ask('readFreshness', { channelId }),
    ]);
    const late = staleOf(channel, freshness).map(({ dataset }) => dataset);
    return { ...freshness, late };
  });
  return (
    <Panel title="Freshness" isLoading={query.isLoading}>
      <Body query={query} name="the freshness">
        {({ datasets, notes, late, heldBack }) =>
          datasets.length === 0 ? (
            <Empty icon="clock" title="No data yet">
              <p>Import a document to bring the first facts.</p>
            </Empty>
          ) : (
            <>
              {heldBack.map((reason) => (
                <Note key={reason}>{inFields(reason)}</Note>
              ))}
              {notes.map(({ about, text, from, to, imports }) => (
                <Note key={about}>
                  {dayOf(from)} to {dayOf(to)}: {text}
                  {imports.length > 0 && ' Imports:'}
                  {imports.map((importId) => (
                    <>
                      {' '}
                      <a key={importId} href={addressOf('imports', { import: String(importId) })}>
                        {importId}
                      </a>
                    </>
                  ))}
                </Note>
              ))}
              <DataTable
                name="Freshness"
                rows={datasets}
                keyOf={({ dataset }) => dataset}
                columns={[
                  { id: 'dataset', name: 'Data', cell: ({ dataset }) => dataset },
                  { id: 'from', name: 'From', isNumber: true, cell: ({ from }) => dayOf(from) },
                  {
                    id: 'to',
                    name: 'To',
                    isNumber: true,
                    cell: ({ dataset, to }) => (
                      <span class={late.includes(dataset) ? 'low' : undefined}>{dayOf(to)}</span>
                    ),
                  },
                  { id: 'rows', name: 'Rows', isNumber: true, cell: ({ rows }) => count(rows) },
                  {
                    id: 'last',
                    name: 'Last import',
                    cell: ({ lastImport }) => (lastImport ? inMoment(lastImport.finishedAt) : none),
                  },
                ]}
              />
            </>
          )
        }
      </Body>
    </Panel>
  );
}

const dayOf = (day: string | null) => (day === null ? none : inDay(day));

function LatestImports({ channelId }: { readonly channelId: string }) {
  const href = addressOf('imports', { channel: channelId });
  return (
    <ImportList
      title="Latest imports"
      query={useQuery('listImports', { channelId, pageSize: latest })}
      all={{ href, words: 'All imports of this channel' }}
    />
  );
}
