/** Imports of rows that a proof makes. */
import type { Service } from '../test/service.ts';

/** Imports rows of a dataset and expects all of them to be accepted. */
export async function importRows(
  service: Service,
  dataset: string,
  channelId: string | undefined,
  rows: readonly object[],
): Promise<void> {
  const of = channelId === undefined ? '' : `?channelId=${channelId}`;
  const path = `/operator/imports/${dataset}${of}`;
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const answer = await service.operate('POST', path, body, {
    'content-type': 'application/x-ndjson',
  });
  if (answer.rowsAccepted !== rows.length) throw new Error(JSON.stringify(answer));
}
