/** Imports facts into a world through the operator API, and reads the results. */
import assert from 'node:assert/strict';
import { question } from '../src/engine/question.ts';
import type { Answer, Tenant, World } from './harness.ts';
import { channelNumberOf } from './records.ts';

/** Posts a body to an import route with the operator's token. */
export async function postImport(
  world: World,
  path: string,
  body: string | Buffer,
  contentType: string,
): Promise<Answer> {
  // Rows without a channel, such as exchange rates, apply to all of them.
  if (!path.includes('channelId=')) world.spoil();
  const response = await world.server.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${world.operatorToken}`, 'content-type': contentType },
    // The bytes of a document belong to its import, which frees them.
    payload: typeof body === 'string' ? body : Buffer.from(body),
  });
  return {
    status: response.statusCode,
    body: JSON.parse(response.body),
    headers: response.headers,
  };
}

/** Imports rows of a dataset as NDJSON and expects every one of them to be taken. */
export async function importRows(
  world: World,
  dataset: string,
  channelId: string | undefined,
  rows: readonly object[],
  query = '',
): Promise<Answer> {
  const of = channelId === undefined ? '' : `channelId=${encodeURIComponent(channelId)}`;
  const path = `/operator/imports/${dataset}?${of}${query}`;
  const answer = await postImport(world, path, lines(rows), 'application/x-ndjson');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(answer.body.rejected, []);
  return answer;
}

/** Imports a document as it was downloaded. */
export async function importDocument(
  world: World,
  channelId: string | undefined,
  document: string | Buffer,
  query = '',
): Promise<Answer> {
  const of = channelId === undefined ? '' : `channelId=${encodeURIComponent(channelId)}`;
  const path = `/operator/documents?${of}${query}`;
  return postImport(world, path, document, 'application/octet-stream');
}

/** Rows of a table of the channel, each as the list of its values; amounts in millionths. */
export async function held(
  world: Pick<World, 'registry' | 'warehouse'>,
  { channelId }: Pick<Tenant, 'channelId'>,
  table: string,
  columns: string,
): Promise<unknown[][]> {
  const channel = await channelNumberOf(world, channelId);
  const sql = `SELECT ${columns} FROM ${table} WHERE channel = {channel:Int32} ORDER BY ${columns}`;
  const statement = question('held', sql);
  const rows = await world.warehouse.ask(
    statement,
    { channel },
    { deadlineMilliseconds: 3_600_000 },
  );
  return rows.map((row) => columns.split(', ').map((name) => row[name]));
}

/** Expects that a document was found to be of a kind, and every row of it taken. */
export function taken({ status, body }: Answer, dataset: string, rows: number): void {
  assert.equal(status, 200, JSON.stringify(body));
  const { rowsRead, rowsAccepted, rowsRejected, rowsOlder, rejected } = body;
  const found = [body.dataset, rowsRead, rowsAccepted, rowsRejected, rowsOlder];
  assert.deepEqual(found, [dataset, rows, rows, 0, 0], JSON.stringify(rejected));
}

/** Expects that an import was refused as a whole, or all of its rows were, for a reason. */
export function refused({ status, body }: Answer, reason: RegExp): void {
  assert.equal(status, body.rowsRejected > 0 ? 422 : 400, JSON.stringify(body));
  assert.match(body.error, reason);
}

/**
 * Expects the same with a reason that begins with the text that follows, in which `…` stands for
 * any text and `#` for a number. Where the text is wrapped counts for nothing.
 */
export function assertRefused(answer: Answer) {
  return (texts: TemplateStringsArray, ...values: unknown[]): void => {
    const text = String.raw({ raw: texts }, ...values).trim();
    const pattern = text
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('…', '.*')
      .replaceAll('#', '\\d+');
    refused(answer, new RegExp(`^${pattern}`));
  };
}

/** The rejected lines of an import with their reasons; with 422 none of its rows was accepted. */
export function reasons({ status, body }: Answer): [number, string][] {
  assert.equal(status, body.rowsAccepted === 0 && body.rowsRejected > 0 ? 422 : 200, body.error);
  return body.rejected.map(({ line, reason }: { line: number; reason: string }) => [line, reason]);
}

/**
 * Expects the rejected lines of an import to equal the text that follows: a number and its reason
 * on a line, which continues on the next one if that has no number in front.
 */
export function assertReasons(
  answer: Answer,
  order: 'of the answer' | 'of lines' = 'of the answer',
) {
  return (texts: TemplateStringsArray, ...values: unknown[]): void => {
    const whole = String.raw({ raw: texts }, ...values).trim();
    const text = whole.replaceAll(/\s*\n\s*(?!\s|\d+ )/g, ' ');
    const expected = [...text.matchAll(/^\s*(\d+) (.*)$/gm)];
    const found = reasons(answer);
    if (order === 'of lines') found.sort(([one], [other]) => one - other);
    assert.deepEqual(
      found,
      expected.map(([, line, reason]) => [Number(line), reason]),
    );
  };
}

/** The rows that an import has read, accepted and rejected, and the dates that it covers. */
export function counted({ status, body }: Answer): unknown[] {
  assert.equal(status, body.rowsAccepted === 0 && body.rowsRejected > 0 ? 422 : 200, body.error);
  return [body.rowsRead, body.rowsAccepted, body.rowsRejected, body.from, body.to];
}

/** Rows of a dataset as NDJSON. */
export function lines(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
