/** The installation key: each secret that may open it does, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair } from '../../test/harness.ts';
import { openInstallationKey } from './installationKey.ts';

onEachPair('the installation key', (world) => {
  test('nodes that start together make one, and each secret that is named opens it', async () => {
    const open = (...secrets: [string, ...string[]]) =>
      openInstallationKey(world().registry, secrets, world().clock.now);
    const keys = await Promise.all([open('old'), open('old'), open('old')]);
    // Rolling restarts: nodes with the old secret alone start beside those that name both.
    keys.push(await open('new', 'old'), await open('old', 'new'), await open('new', 'old'));
    keys.push(await open('new'));
    assert.equal(new Set(keys).size, 1);
    await assert.rejects(open('old'), { name: 'StartRefusal' });
    assert.equal(await open('new', 'old'), keys[0]);
  });
});
