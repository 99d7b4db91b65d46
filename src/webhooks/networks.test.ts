import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRefused, guardLookup, urlFailure } from './networks.ts';

const publicOnly = { allowsHttp: false, networks: [] };
const hostOf = (url: string) => new URL(url).hostname;

test('addresses that are not public are refused, in whatever way they are written', async () => {
  const lookup = await guardLookup(publicOnly, async (host) => [{ address: host, family: 4 }]);
  for (const url of [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
  ])
    await assert.rejects(lookup(hostOf(url)), AddressRefused, url);
  for (const url of ['https://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'])
    assert.equal((await lookup(hostOf(url))).length, 1, url);
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
