import type { Selectable } from 'kysely';
import { listPage, seconds, secondsOrNull } from '../../../access/records.ts';
import { notFound } from '../../../contract/refusal.ts';
import type { ImportRecord, Registry } from '../../../engine/registry.ts';
import type { Rejection } from '../../../import/messages.ts';
import type { FinanceAnswer } from '../../../import/request.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

const rejectionsPerRead = 1_000;

/** Lists imports. */
export const listImports: Handler<typeof contracts.listImports> = async (
  { channelId, dataset, state, ...page },
  { registry },
) => {
  const imports = importsWithChannels(registry)
    .$if(channelId !== undefined, (query) => query.where('channel.channelId', '=', channelId!))
    .$if(dataset !== undefined, (query) => query.where('import.dataset', '=', dataset!))
    .$if(state !== undefined, (query) => query.where('import.state', '=', state!))
    .orderBy('import.importId', 'desc');
  const { rows, total } = await listPage(imports, page);
  return { imports: rows.map(answerOf), total };
};

/** Reads one import. */
export const readImport: Handler<typeof contracts.readImport> = async (
  { importId },
  { registry },
) => {
  const found = await importsWithChannels(registry)
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow(() => notFound('import'));
  return answerOf(found);
};

/** Lists every rejected row of an import; millions of rows are answered as they are read. */
export const listImportRejections: Handler<typeof contracts.listImportRejections> = async (
  { importId },
  { registry },
) => {
  await registry.records
    .selectFrom('import')
    .select('importId')
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow(() => notFound('import'));
  return rejections(registry, importId);
};

async function* rejections({ records }: Registry, importId: number): AsyncGenerator<string> {
  let after = 0;
  let separator = '{"rejected":[';
  for (;;) {
    const rows = await records
      .selectFrom('importRejection')
      .select(['rejectionId', 'line', 'reason'])
      .where('importId', '=', importId)
      .where('rejectionId', '>', after)
      .orderBy('rejectionId')
      .limit(rejectionsPerRead)
      .execute();
    for (const { line, reason } of rows) {
      yield separator + JSON.stringify({ line, reason } satisfies Rejection);
      separator = ',';
    }
    if (rows.length < rejectionsPerRead) break;
    after = rows.at(-1)!.rejectionId;
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}

function importsWithChannels({ records }: Registry) {
  return records
    .selectFrom('import')
    .leftJoin('channel', 'channel.channelNumber', 'import.channelNumber')
    .selectAll('import')
    .select('channel.channelId');
}

function answerOf({
  channelNumber: _,
  firstDate,
  lastDate,
  startedAt,
  finishedAt,
  summary,
  ...rest
}: Selectable<ImportRecord> & { channelId: string | null }) {
  return {
    ...rest,
    from: firstDate,
    to: lastDate,
    startedAt: seconds(startedAt),
    finishedAt: secondsOrNull(finishedAt),
    ...(summary !== null && { finance: JSON.parse(summary) as FinanceAnswer }),
  };
}
