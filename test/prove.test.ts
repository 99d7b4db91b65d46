/** The promises of docs/reliability.md, measured with small numbers. */
import assert from 'node:assert/strict';
import { proofs } from '../prove/proofs.ts';
import { deepTest } from './level.ts';

for (const { name, promise, isTimed, isSuite, measure } of proofs) {
  // Times depend on the machine, so no test judges them. Suites run by themselves.
  if (isTimed || isSuite) continue;
  deepTest(`${promise} (${name})`, async (context) => {
    const { verdict, figures } = await measure({
      isQuick: true,
      share: 1,
      minutes: 1,
      say: (line) => context.diagnostic(line),
    });
    assert.notEqual(verdict, 'broken', figures);
  });
}
