/** The promises of docs/reliability.md, measured with small numbers. */
import assert from 'node:assert/strict';
import { proofs } from '../prove/proofs.ts';
import { deepTest } from './level.ts';

for (const { name, promise, isTimed, measure } of proofs) {
  // Times depend on the machine, so no test judges them.
  if (isTimed) continue;
  deepTest(`${promise} (${name})`, async (context) => {
    const { verdict, figures } = await measure({
      ...{ isQuick: true, share: 1, minutes: 1 },
      say: (line) => context.diagnostic(line),
    });
    assert.notEqual(verdict, 'broken', figures);
  });
}
