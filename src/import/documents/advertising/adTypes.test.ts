/** Types of advertising are known by the names that documents give them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adTypeNamed } from './adTypes.ts';

test('the names of each type, and names that only contain one', () => {
  const names = {
    SP: 'SPONSORED_PRODUCTS|sponsoredProducts|Sponsored Products - Auto|sp|SP2',
    SB: 'Sponsored Brands video|HEADLINE_SEARCH|SB|sbv|sb2',
    SD: 'Sponsored Display|sd',
    ST: 'Sponsored TV|SPONSORED_TELEVISION|st',
    DSP: 'DSP|Amazon DSP|demand-side platform',
    GOOGLE: 'Google Ads|google',
    META: 'Meta|Meta Ads',
  };
  for (const [type, list] of Object.entries(names))
    for (const name of list.split('|')) assert.equal(adTypeNamed(name), type, name);
  const others = 'spring|sbx|sdn|stock|my Meta|not google|unsponsored products|';
  for (const name of [...others.split('|'), undefined, 3])
    assert.equal(adTypeNamed(name), undefined, String(name));
});
