/** The files of reports as anyone with a link downloads them: whole, in part, compressed or not at all. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { clockStart } from './harness.ts';
import { file, fromDate, onMadeReports, unknown } from './madeReports.ts';
import { listsOf } from './table.ts';

onMadeReports('downloads of reports', (it) => {
  const { test, create, made, done, statusOf, download, refused, colleague, keyOf } = it;

  test('the log names no link, and no one-time address of a file is logged', async () => {
    const url = await made();
    await download(url);
    const token = url.split('/').at(-2)!;
    assert.ok(
      it
        .world()
        .logLines.some((line) => line.includes('/reports/files/:reportId/:token/:fileName')),
    );
    assert.ok(!it.world().logLines.some((line) => line.includes(token)));
  });

  test('404: a file missing from the store is reported as gone', async () => {
    const reportId = await create();
    const url = await done(reportId);
    await it.world().files.remove([`${reportId}.csv`]);
    const { status, text } = await download(url);
    const expected = [404, 'the file of this report is not there any more: create the report anew'];
    assert.deepEqual([status, JSON.parse(text).error], expected);
  });

  test('403: a link that was changed, is of another report or is older than an hour leads to nothing', async () => {
    const reportId = await create();
    const url = await done(reportId);
    const other = await made({ fromDate: fromDate - 1 });
    const [id, token, name] = url.split('/').slice(-3) as [string, string, string];
    const [otherId, otherToken] = other.split('/').slice(-3) as [string, string, string];
    const [expires, user, signature] = token.split('.') as [string, string, string];
    assert.equal(user, it.acme.keyId);
    const at = (...parts: string[]) => `http://vitrine.test/reports/files/${parts.join('/')}`;
    assert.equal(Number(expires), clockStart / 1000 + 3600);
    const otherSignature = signature.replace(/^./, (letter) => (letter === '0' ? '1' : '0'));
    for (const wrong of [
      at(id, otherToken, name),
      at(otherId, token, name),
      at(randomUUID(), token, name),
      at(id, `${Number(expires) + 1}.${user}.${signature}`, name),
      at(id, `0${expires}.${user}.${signature}`, name),
      at(id, `${expires}.${user}.${signature.slice(1)}`, name),
      at(id, `${expires}.${user}.${otherSignature}`, name),
      at(id, `${expires}.${user}.`, name),
      at(id, `${expires}.${randomUUID()}.${signature}`, name),
      at(id, `${expires}..${signature}`, name),
      at(id, 'x', name),
      at(id, token, 'other.csv'),
      at(id, token, `${name}x`),
      at(id, encodeURIComponent(`${token}ü`), name),
    ])
      await refused(wrong, wrong);
    // A new one at every call; the old one holds for its hour all the same.
    it.world().clock.now += 3_600_000;
    const again = await done(reportId);
    assert.notEqual(again, url);
    assert.equal((await download(url)).text, file);
    it.world().clock.now += 1000;
    await refused(url);
    assert.equal((await download(again)).text, file);
  });

  test('403: access that was withdrawn after the status holds for the download', async () => {
    const { userId } = await colleague();
    const mine = await keyOf({ userId });
    const reportId = await create({}, { tenant: mine });
    let url = await done(reportId, mine);
    const withdrawn = async (change: () => Promise<unknown>, restore: () => Promise<unknown>) => {
      assert.equal((await download(url)).status, 200);
      await change();
      await refused(url);
      await restore();
    };
    const { operate } = it.world();
    const user = `/operator/users/${userId}`;
    const organisation = `/operator/organisations/${it.acme.organisationId}`;
    await withdrawn(
      () => operate('PATCH', organisation, { apiAccess: false }),
      () => operate('PATCH', organisation, { apiAccess: true }),
    );
    await withdrawn(
      async () => {
        await operate('PATCH', user, { role: 'member' });
        // A member may reach channels, and use the interface for none of them.
        await operate('PUT', `${user}/channels`, { channelIds: [it.acme.channelId] });
      },
      () => operate('PATCH', user, { role: 'administrator' }),
    );
    await withdrawn(
      () => operate('PUT', `${user}/channels`, { channelIds: [] }),
      () => operate('PUT', `${user}/channels`, { channelIds: [it.acme.channelId] }),
    );
    await operate('PUT', `${user}/channels`, { channelIds: [] });
    assert.deepEqual((await statusOf(reportId, mine)).body, unknown);
    await operate('PUT', `${user}/channels`, { channelIds: [it.acme.channelId] });
    const own = `/operator/keys/${mine.keyId}`;
    // While the old key is still valid, so is its link.
    const { key } = await operate('POST', `${own}/rotate`, { graceSeconds: 60 });
    await withdrawn(
      async () => {
        it.world().clock.now += 61_000;
      },
      async () => {
        url = await done(reportId, { ...it.acme, key });
      },
    );
    const { keys } = await operate('GET', `/operator/keys?userId=${userId}`);
    const newest = keys.find((one: { keyId: string }) => one.keyId !== mine.keyId);
    const other = await keyOf({ userId });
    await withdrawn(
      () => operate('DELETE', `/operator/keys/${newest.keyId}`),
      async () => {
        url = await done(reportId, other);
      },
    );
    await withdrawn(
      () => operate('DELETE', user),
      async () => {},
    );
  });

  test('403: the channel of a report that was deleted takes its file along', async () => {
    const url = await made();
    await it.world().operate('DELETE', `/operator/channels/${it.acme.channelId}`);
    await refused(url);
  });

  test('requested parts of a file are sent, so that a download can be resumed', async () => {
    const url = await made();
    const bytes = Buffer.from(file);
    const etag = String((await download(url)).headers.etag);
    const part = async (range: string, more: Record<string, string> = {}) => {
      const { status, bytes, headers } = await download(url, { range, ...more });
      return [status, bytes.toString(), headers['content-range'], headers['content-length']];
    };
    const slice = (first: number, last: number) => [
      206,
      bytes.subarray(first, last + 1).toString(),
      `bytes ${first}-${last}/33`,
      String(last - first + 1),
    ];
    assert.equal(bytes.length, 33);
    for (const [range, first, last] of listsOf(`
      bytes=0-9,     0,  9
      bytes=10-,     10, 32
      bytes=32-32,   32, 32
      bytes=30-1000, 30, 32
      bytes=-5,      28, 32
      bytes=-1000,   0,  32`))
      assert.deepEqual(await part(range), slice(first, last), range);
    assert.deepEqual(await part('bytes=10-', { 'if-range': etag }), slice(10, 32));
    assert.deepEqual(await part('bytes=10-', { 'accept-encoding': 'gzip' }), slice(10, 32));
    const whole = [200, file, undefined, '33'];
    assert.deepEqual(await part('bytes=10-', { 'if-range': '"another"' }), whole);
    for (const range of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=5-1', 'bytes=-'])
      assert.deepEqual(await part(range), whole, range);
    const json = 'application/json; charset=utf-8';
    for (const range of ['bytes=33-', 'bytes=33-40', 'bytes=-0', 'bytes=999999999999-']) {
      const { status, text, headers } = await download(url, { range });
      assert.deepEqual(
        [status, JSON.parse(text).error, headers['content-range'], headers['content-type']],
        [416, 'the file has 33 bytes: the range begins after them', 'bytes */33', json],
      );
      assert.equal(headers['content-disposition'], undefined);
    }
    const first = await download(url, { range: 'bytes=0-20' });
    const continued = { range: 'bytes=21-', 'if-range': String(first.headers.etag) };
    const rest = await download(url, continued);
    assert.equal(Buffer.concat([first.bytes, rest.bytes]).toString(), file);
  });

  test('HEAD answers with the headers of GET, without the file', async () => {
    const url = await made();
    const got = await download(url);
    const head = await download(url, {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const name of [
      ...['content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges'],
      'cache-control',
    ]) {
      assert.ok(head.headers[name]);
      assert.equal(head.headers[name], got.headers[name], name);
    }
    const part = await download(url, { range: 'bytes=1-2' }, 'HEAD');
    const found = [part.status, part.headers['content-range'], part.headers['content-length']];
    assert.deepEqual(found, [206, 'bytes 1-2/33', '2']);
    assert.equal((await download(`${url}x`, {}, 'HEAD')).status, 403);
  });

  test('a file is compressed for clients that accept it', async () => {
    const url = await made();
    const plain = await download(url);
    for (const encoding of ['gzip', 'br;q=1.0, gzip;q=0.8', 'GZIP', 'deflate,gzip ; q=0.01']) {
      const { status, bytes, headers } = await download(url, { 'accept-encoding': encoding });
      const found = [status, headers['content-encoding'], gunzipSync(bytes).toString()];
      assert.deepEqual(found, [200, 'gzip', file], encoding);
      assert.notEqual(headers.etag, plain.headers.etag);
      assert.equal(headers['accept-ranges'], undefined);
      assert.equal(headers['content-length'], undefined);
    }
    for (const encoding of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000', 'x-gzipped']) {
      const { bytes, headers } = await download(url, { 'accept-encoding': encoding });
      const expected = [undefined, file];
      assert.deepEqual([headers['content-encoding'], bytes.toString()], expected, encoding);
      assert.equal(headers.vary, 'accept-encoding');
    }
  });

  test('429: downloads have a rate of their own for each user, and cost nothing of any key', async () => {
    const url = await made();
    const other = await done(
      await create({}, { tenant: await it.world().tenant() }),
      it.acme,
    ).catch(() => undefined);
    assert.equal(other, undefined);
    let status = 200;
    let requests = 0;
    while (status === 200 && requests < 200) {
      ({ status } = await download(url, {}, 'HEAD'));
      requests++;
    }
    assert.deepEqual([status, requests], [429, 121]);
    const { text, headers } = await download(url);
    const seconds = Number(headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60);
    const found = JSON.parse(text).error;
    assert.equal(found, `too many downloads in a minute: try again in ${seconds} s`);
    const tenant = await it.world().tenant();
    assert.equal((await download(await done(await create({}, { tenant }), tenant))).status, 200);
    const usage = await it
      .world()
      .operate('GET', `/operator/usage?keyId=${it.acme.keyId}`)
      .catch(() => undefined);
    assert.ok(usage === undefined || !JSON.stringify(usage).includes('files'));
  });

  test('405: a link is for reading', async () => {
    const url = await made();
    const { status, headers } = await it
      .world()
      .ask(undefined, 'POST', url.replace('http://vitrine.test', ''), {});
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
  });
});
