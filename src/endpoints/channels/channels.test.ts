import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, type Tenant } from '../../../test/harness.ts';

onEachPair('POST /channels', (world) => {
  let acme: Tenant;

  before(async () => {
    acme = await world().tenant({
      channelId: 'us',
      channel: { displayName: 'Bravo', merchantId: 'M1 @ US' },
    });
    const { organisationId } = acme;
    await world().channel(organisationId, 'de', {
      displayName: 'Alpha',
      countryCode: 'de',
      marketplace: 'PrimaryMkt',
    });
    await world().channel(organisationId, 'gb', {
      displayName: 'Alpha',
      countryCode: 'GBR',
      marketplace: 'shopify',
      hasAdvertisingConnected: false,
    });
    await world().tenant({ channelId: 'foreign', channel: { displayName: 'Foreign' } });
  });

  const list = (body?: unknown) => world().ask(acme.key, 'POST', '/channels', body);
  const ids = async (filter: unknown) =>
    (await list({ filter })).body.map((channel: { channelId: string }) => channel.channelId);

  test('200: a body of {} lists all accessible channels by name and then identifier', async () => {
    const { status, body } = await list({});
    assert.equal(status, 200);
    assert.deepEqual(body, [
      {
        channelId: 'de',
        merchantId: 'A1MERCHANT @ ATVPDKIKX0DER',
        marketplace: 'PrimaryMkt',
        countryCode: 'DEU',
        displayName: 'Alpha',
        hasAdvertisingConnected: true,
      },
      {
        channelId: 'gb',
        merchantId: 'A1MERCHANT @ ATVPDKIKX0DER',
        marketplace: 'shopify',
        countryCode: 'GBR',
        displayName: 'Alpha',
        hasAdvertisingConnected: false,
      },
      {
        channelId: 'us',
        merchantId: 'M1 @ US',
        marketplace: 'primarymkt',
        countryCode: 'USA',
        displayName: 'Bravo',
        hasAdvertisingConnected: true,
      },
    ]);
  });

  test('200: no body at all lists all accessible channels', async () => {
    assert.equal((await list()).body.length, 3);
  });

  test('200: an empty filter, empty lists and unknown fields restrict nothing', async () => {
    assert.deepEqual(await ids({}), ['de', 'gb', 'us']);
    assert.deepEqual(await ids({ marketplaces: [], countryCodes: [], shoeSize: 44 }), [
      'de',
      'gb',
      'us',
    ]);
  });

  test('200: marketplaces are compared in any letter case', async () => {
    assert.deepEqual(await ids({ marketplaces: ['PRIMARYMKT'] }), ['de', 'us']);
    assert.deepEqual(await ids({ marketplaces: ['Shopify', 'primarymkt'] }), ['de', 'gb', 'us']);
  });

  test('200: a marketplace may be named by its identifier, the second part of merchantId', async () => {
    assert.deepEqual(await ids({ marketplaces: ['ATVPDKIKX0DER'] }), ['de', 'gb']);
    assert.deepEqual(await ids({ marketplaces: ['us'] }), ['us']);
    assert.deepEqual(await ids({ marketplaces: ['ATVPDKIKX0DER', 'primarymkt'] }), [
      'de',
      'gb',
      'us',
    ]);
    assert.deepEqual(await ids({ marketplaces: ['A1MERCHANT', 'ATVPDKIKX0DE'] }), []);
  });

  test('200: countries are taken as alpha-2 or alpha-3 in any letter case', async () => {
    assert.deepEqual(await ids({ countryCodes: ['US'] }), ['us']);
    assert.deepEqual(await ids({ countryCodes: ['deu', 'gb'] }), ['de', 'gb']);
    assert.deepEqual(await ids({ countryCodes: ['UK'] }), ['gb']);
  });

  test('200: a channel must pass both lists', async () => {
    assert.deepEqual(await ids({ marketplaces: ['primarymkt'], countryCodes: ['GB', 'US'] }), [
      'us',
    ]);
  });

  test('200: what is well-formed but unknown finds nothing', async () => {
    assert.deepEqual(await ids({ countryCodes: ['ZZ'] }), []);
    assert.deepEqual(await ids({ marketplaces: ['nowhere'] }), []);
    assert.deepEqual(await ids({ countryCodes: ['ZZ', 'US'] }), ['us']);
  });

  test('200: null is no filter, and as a list of the filter no restriction', async () => {
    const all = (await list({})).body;
    assert.deepEqual((await list({ filter: null })).body, all);
    assert.deepEqual((await list({ filter: { marketplaces: null, countryCodes: [] } })).body, all);
  });

  test('400: every failing rule of the filter is listed in the order of the fields', async () => {
    const { status, body } = await list({
      filter: { countryCodes: ['U', 'DE', 'D3'], marketplaces: ['a', 7] },
    });
    assert.equal(status, 400);
    assert.deepEqual(body, {
      status: 'error',
      error:
        'filter.marketplaces[1] must be a string, filter.countryCodes[0] must be a country code of two or three letters, ' +
        'filter.countryCodes[2] must be a country code of two or three letters',
    });
  });

  for (const [filter, error] of [
    [[], 'filter must be an object'],
    ['us', 'filter must be an object'],
    [{ marketplaces: 'primarymkt' }, 'filter.marketplaces must be an array'],
    [{ countryCodes: { 0: 'US' } }, 'filter.countryCodes must be an array'],
    [{ countryCodes: [null] }, 'filter.countryCodes[0] must be a string'],
    [
      { countryCodes: ['Germany'] },
      'filter.countryCodes[0] must be a country code of two or three letters',
    ],
  ] as const) {
    test(`400: a filter of ${JSON.stringify(filter)} is refused because ${error}`, async () => {
      const answer = await list({ filter });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body, { status: 'error', error });
    });
  }

  test('200: a restricted administrator is shown only what was granted', async () => {
    const { organisationId } = acme;
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email: 'some@example.com',
      role: 'administrator',
    });
    const { key } = await world().operate('POST', '/operator/keys', { userId });
    const seen = async () =>
      (await world().ask(key, 'POST', '/channels', {})).body.map(
        (channel: { channelId: string }) => channel.channelId,
      );
    assert.deepEqual(await seen(), ['de', 'gb', 'us']);
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: ['gb'] });
    assert.deepEqual(await seen(), ['gb']);
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [] });
    assert.deepEqual(await seen(), []);
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: 'all' });
    assert.deepEqual(await seen(), ['de', 'gb', 'us']);
  });
});
