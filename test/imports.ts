/** Brings facts into a world by the operator's interface, as an operator would. */
import assert from 'node:assert/strict';
import type { Answer, World } from './harness.ts';

/** Posts a body to an import route with the operator's token. */
export async function postImport(world: World, path: string, body: string | Buffer, contentType: string): Promise<Answer> {
  const response = await world.server.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${world.operatorToken}`, 'content-type': contentType },
    payload: body,
  });
  return { status: response.statusCode, body: JSON.parse(response.body), headers: response.headers };
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
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const answer = await postImport(world, `/operator/imports/${dataset}?${of}${query}`, body, 'application/x-ndjson');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(answer.body.rejected, []);
  return answer;
}

/** Imports a document as it was downloaded. */
export async function importDocument(world: World, channelId: string | undefined, document: string | Buffer, query = ''): Promise<Answer> {
  const of = channelId === undefined ? '' : `channelId=${encodeURIComponent(channelId)}`;
  return postImport(world, `/operator/documents?${of}${query}`, document, 'application/octet-stream');
}
