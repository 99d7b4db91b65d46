import type { Selectable } from 'kysely';
import { defined, listPage, readOne, seconds, secondsOrNull } from '../../../access/records.ts';
import { notFound } from '../../../contract/refusal.ts';
import type { ImportRecord, Registry } from '../../../engine/registry.ts';
import type { FinanceAnswer } from '../../../import/request.ts';
import type { Handler } from '../../handler.ts';
import { documentOf } from '../../importedDocument.ts';
import type * as contracts from './contract.ts';

/** Lists imports. */
export const listImports: Handler<typeof contracts.listImports> = async (
  { channelId, dataset, state, ...page },
  { registry },
) => {
  const imports = importsWithChannels(registry)
    .where(({ and }) =>
      and(
        defined({
          'channel.channelId': channelId,
          'import.dataset': dataset,
          'import.state': state,
        }),
      ),
    )
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

/** Lists the rejected rows of an import that are stored. */
export const listImportRejections: Handler<typeof contracts.listImportRejections> = async (
  { importId },
  { registry: { records } },
) => {
  await readOne(records, 'import', { importId });
  const rejected = await records
    .selectFrom('importRejection')
    .select(['line', 'reason'])
    .where('importId', '=', importId)
    .orderBy('rejectionId')
    .execute();
  return { rejected };
};

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
  documentHash,
  documentBytes,
  mediaType,
  fileName,
  coverage: _coverage,
  ...rest
}: Selectable<ImportRecord> & { channelId: string | null }) {
  return {
    ...rest,
    from: firstDate,
    to: lastDate,
    startedAt: seconds(startedAt),
    finishedAt: secondsOrNull(finishedAt),
    document: documentOf({ documentHash, documentBytes, mediaType, fileName }),
    ...(summary !== null && { finance: financeOf(summary) }),
  };
}

/** The result of a financial document. Records of earlier versions have other names. */
function financeOf(summary: string): FinanceAnswer {
  const names = { told: 'source', leftOut: 'skipped', gaveWay: 'superseded' };
  const renamed = Object.entries(names).reduce(
    (text, [earlier, name]) => text.replaceAll(`"${earlier}":`, `"${name}":`),
    summary,
  );
  return JSON.parse(renamed) as FinanceAnswer;
}
