/**
 * Documents that are not imported yet take no more room on a node than they may, and leave nothing
 * behind.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { test } from 'node:test';
import { onOnePair, until } from './harness.ts';

onOnePair(
  'documents that have not been imported yet',
  (world) => {
    const rows = (bytes: number) => '{"date":"2025-03-01","pageViews":7}\n'.padEnd(bytes, ' \n');
    const imports = () => world().registry.records.selectFrom('import');
    const send = async (channelId: string, body: string | Readable) => {
      const { statusCode, headers, payload } = await world().server.inject({
        method: 'POST',
        url: `/operator/imports/traffic?channelId=${channelId}`,
        headers: {
          authorization: `Bearer ${world().operatorToken}`,
          'content-type': 'application/x-ndjson',
        },
        payload: body,
      });
      return { status: statusCode, headers, body: JSON.parse(payload) };
    };

    test('take no more room than they may, and leave none behind', async () => {
      const { channelId } = await world().tenant();
      const files = () => readdirSync(world().warehouse.stagingFolder);
      const large = await send(channelId, rows(1_100_000));
      assert.equal(large.status, 413);
      const pattern =
        /^the document is too large: documents that are not imported yet may take 1 MB on this node/;
      assert.match(large.body.error, pattern);
      assert.deepEqual(files(), []);

      const slow = new PassThrough();
      const first = send(channelId, slow);
      slow.write(rows(700_000));
      await until(() => files().length === 1 && slow.readableLength === 0);
      const second = await send(channelId, rows(700_000));
      assert.equal(second.status, 503);
      assert.equal(second.headers['retry-after'], '30');
      assert.match(second.body.error, /1 MB on this node, and all of it is taken: try again later/);
      // One that fits beside it is imported before it.
      assert.equal((await send(channelId, rows(200_000))).status, 200);
      slow.end();
      assert.equal((await first).status, 200);
      assert.equal((await send(channelId, rows(700_000))).status, 200);
      assert.deepEqual(files(), []);
      const recorded = await imports().select(['state', 'error']).orderBy('importId').execute();
      const states = recorded.map(({ state }) => state);
      assert.deepEqual(states, ['failed', 'done', 'failed', 'done', 'done']);
    });

    test('a document that the sender breaks off leaves nothing', async () => {
      const { channelId } = await world().tenant();
      const broken = new PassThrough();
      const answer = send(channelId, broken);
      broken.write(rows(700_000));
      await until(() => readdirSync(world().warehouse.stagingFolder).length === 1);
      broken.destroy(new Error('gone'));
      await answer.catch(() => undefined);
      await until(() => readdirSync(world().warehouse.stagingFolder).length === 0);
      assert.equal((await send(channelId, rows(700_000))).status, 200);
    });
  },
  { limits: { spoolMegabytes: 1 } },
);
