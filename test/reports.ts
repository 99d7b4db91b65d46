/** Asks for a CSV report as a client does: creates it, waits until it is over, downloads it and reads it. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant, World } from './harness.ts';

const pollMilliseconds = 5;

/** A report: the names of its columns, and its rows as lists of cells. */
export type Csv = { readonly columns: string[]; readonly rows: string[][] };

/** Has a report made and reads it; expects that it comes to be done. */
export async function csvOf(
  world: World,
  tenant: Tenant,
  reportType: string,
  reportOptions?: object,
): Promise<Csv> {
  const { key, channelId, merchantId } = tenant;
  const created = await world.ask(key, 'POST', `/reports/create/${reportType}`, {
    channelId,
    merchantId,
    reportOptions,
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  for (;;) {
    const { body } = await world.ask(key, 'GET', `/reports/status/${created.body.reportId}`);
    assert.notEqual(body.status, 'errored', world.logLines.at(-1));
    if (body.status === 'done') {
      const { pathname, search } = new URL(body.downloadUrl);
      const answer = await world.ask(undefined, 'GET', pathname + search);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const [columns, ...rows] = recordsOf(answer.body);
      return { columns: columns!, rows };
    }
    await delay(pollMilliseconds);
  }
}

/** The rows of a report, each by the names of its columns. */
export function named({ columns, rows }: Csv): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]!])));
}

/** The records of RFC 4180: every one ends with CRLF, and a quoted cell may hold anything. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  for (const [whole, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    assert.ok(whole.length > 0);
    cells.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === ',') continue;
    records.push(cells);
    cells = [];
  }
  assert.deepEqual(cells, []);
  return records;
}
