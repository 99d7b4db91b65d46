/** Webhooks reach public addresses, and those that the operator allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsOf, textBeside } from '../../test/table.ts';
import { AddressRefused, guardLookup, urlFailure } from './networks.ts';

const publicOnly = { allowsHttp: false, networks: [] };
const hostOf = (url: string) => new URL(url).hostname;

test('addresses that are not public are refused, in whatever way they are written', async () => {
  const lookup = await guardLookup(publicOnly, async (host) => [{ address: host, family: 4 }]);
  const refused = listsOf(textBeside(import.meta.url, 'networks.refused.csv'));
  for (const host of refused.flat())
    await assert.rejects(lookup(hostOf(`https://${host}/`)), AddressRefused, host);
  for (const host of ['93.184.216.34', '[2606:2800:220:1:248:1893:25c8:1946]'])
    assert.equal((await lookup(hostOf(`https://${host}/`))).length, 1, host);
});

test('a name is refused when any of its addresses is not public, or when it has none', async () => {
  const found = [
    { address: '93.184.216.34', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
  const lookup = await guardLookup(publicOnly, async (host) =>
    host === 'none.example' ? [] : found.slice(0, host === 'both.example' ? 2 : 1),
  );
  assert.deepEqual(await lookup('one.example'), found.slice(0, 1));
  await assert.rejects(lookup('both.example'), AddressRefused);
  await assert.rejects(lookup('none.example'), AddressRefused);
});

test('networks that the operator allows are reached, and no others', async () => {
  const networks = ['10.0.0.0/8', '192.168.1.7', 'fd00::/8'];
  const lookup = await guardLookup({ networks }, async () => []);
  for (const host of ['10.1.2.3', '192.168.1.7', '[fd00::1]', '::ffff:10.0.0.1'])
    assert.equal((await lookup(host)).length, 1, host);
  for (const host of ['192.168.1.8', '127.0.0.1', '[fe80::1]'])
    await assert.rejects(lookup(host), AddressRefused, host);
});

test('http is refused unless the operator allows it', () => {
  assert.equal(urlFailure('http://example.com/', publicOnly), 'must begin with https://');
  assert.equal(urlFailure('https://example.com/', publicOnly), undefined);
  assert.equal(urlFailure('http://example.com/', { ...publicOnly, allowsHttp: true }), undefined);
});
