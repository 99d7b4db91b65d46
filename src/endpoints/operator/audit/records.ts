import type { Selectable } from 'kysely';
import { defined, listPage, seconds } from '../../../access/records.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { AuditEntryRecord, Registry } from '../../../engine/registry.ts';
import { type Column, createCsvWriter } from '../../../report/csv.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

type Filters = Omit<InputOf<typeof contracts.exportAudit>, 'format'>;
type Entry = Selectable<AuditEntryRecord>;

const entriesPerRead = 1_000;

/** Lists the audit log. */
export const listAudit: Handler<typeof contracts.listAudit> = async (
  { pageIndex, pageSize, ...filters },
  { registry, refusedAttempts },
) => {
  await refusedAttempts.write();
  const entries = entriesOf(registry, filters).orderBy('auditId', 'desc');
  const { rows, total } = await listPage(entries, { pageIndex, pageSize });
  return { entries: rows.map(answerOf), total };
};

/** Exports the audit log. */
export const exportAudit: Handler<typeof contracts.exportAudit> = async (
  { format, ...filters },
  { registry, refusedAttempts },
) => {
  await refusedAttempts.write();
  return linesOf(registry, filters, format === 'csv' ? csvFormat() : ndjsonFormat);
};

function entriesOf({ records }: Registry, { subject, actor, action, since, until }: Filters) {
  return records
    .selectFrom('auditEntry')
    .where(({ and }) => and(defined({ subject, actor, action })))
    .$if(since !== undefined, (query) => query.where('at', '>=', since! * 1000))
    .$if(until !== undefined, (query) => query.where('at', '<', until! * 1000))
    .selectAll();
}

function answerOf(entry: Entry) {
  return { ...entry, at: seconds(entry.at), detail: JSON.parse(entry.detail) };
}

type Format = { readonly header: string; readonly rows: (entries: readonly Entry[]) => string };

const ndjsonFormat: Format = {
  header: '',
  rows: (entries) => entries.map((entry) => `${JSON.stringify(answerOf(entry))}\n`).join(''),
};

function csvFormat(): Format {
  const writer = createCsvWriter(columns);
  return { header: writer.header(), rows: writer.rows };
}

const columns: readonly Column<Entry>[] = [
  { name: 'auditId', type: 'number', cell: ({ auditId }) => auditId },
  { name: 'at', type: 'text', cell: ({ at }) => new Date(at).toISOString() },
  { name: 'actor', type: 'text', cell: ({ actor }) => actor },
  { name: 'action', type: 'text', cell: ({ action }) => action },
  { name: 'subject', type: 'text', cell: ({ subject }) => subject },
  { name: 'detail', type: 'text', cell: ({ detail }) => detail },
];

async function* linesOf(
  registry: Registry,
  filters: Filters,
  { header, rows }: Format,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  let after = 0;
  for (;;) {
    const found = await entriesOf(registry, filters)
      .where('auditId', '>', after)
      .orderBy('auditId')
      .limit(entriesPerRead)
      .execute();
    if (found.length > 0) yield rows(found);
    if (found.length < entriesPerRead) return;
    after = found.at(-1)!.auditId;
  }
}
