/** `vitrine keys`. */
import type { Command } from 'commander';
import { operatorContracts as contracts } from '../endpoints/operator/contracts.ts';
import { addList, addOperation, tellNew } from './operation.ts';
import { timeOf } from './table.ts';

/** Adds the commands of keys. */
export function addKeys(command: Command): void {
  addList(command, {
    contract: contracts.listKeys,
    verb: 'list',
    rows: 'keys',
    columns: [
      'keyId',
      { heading: 'state', show: stateOf },
      { field: 'lastUsedAt', heading: 'last used' },
      { heading: 'per second', show: ({ limits }) => limits.perSecond, mayBeLeftOut: true },
      { heading: 'burst', show: ({ limits }) => limits.burst, mayBeLeftOut: true },
      { heading: 'per day', show: ({ limits }) => limits.perDay, mayBeLeftOut: true },
      { field: 'createdAt', mayBeLeftOut: true },
      { field: 'userId', mayBeLeftOut: true },
    ],
    examples: [
      'keys list',
      'keys list --organisation "$ORGANISATION"',
      'keys list --user "$SOMEBODY" --json',
    ],
  });
  addOperation(command, {
    contract: contracts.readKey,
    verb: 'show',
    examples: ['keys show "$KEY_ID"', 'keys show "$KEY_ID" --json'],
  });
  addOperation(command, {
    contract: contracts.issueKey,
    verb: 'issue',
    mayBeQuiet: true,
    tell: ({ keyId, key }, options) =>
      tellNew(key, `Key ${keyId} is issued. It is shown only now:`, options),
    examples: [
      'keys issue --user "$SOMEBODY"',
      'keys issue --user "$SOMEBODY" --per-second 50 --burst 100 --per-day 200000',
      'keys issue --user "$SOMEBODY" --quiet > key.txt',
    ],
  });
  addOperation(command, {
    contract: contracts.changeKey,
    verb: 'change',
    examples: [
      'keys change "$KEY_ID" --per-day 50000',
      'keys change "$KEY_ID" --expires-at 2026-12-31T18:00',
      'keys change "$KEY_ID" --expires-at never',
    ],
  });
  addOperation(command, {
    contract: contracts.rotateKey,
    verb: 'rotate',
    mayBeQuiet: true,
    tell: ({ keyId, key }, options) =>
      tellNew(key, `Key ${keyId} takes its place. It is shown only now:`, options),
    examples: ['keys rotate "$KEY_ID" --grace-seconds 86400', 'keys rotate "$KEY_ID" --json'],
  });
  addOperation(command, {
    contract: contracts.revokeKey,
    verb: 'revoke',
    tell: () => console.error('The key is revoked.'),
    examples: ['keys revoke "$KEY_ID"', 'keys revoke "$KEY_ID" --yes'],
  });
}

function stateOf({
  revokedAt,
  expiresAt,
}: {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return expiresAt * 1000 <= Date.now() ? 'expired' : `ends ${timeOf(expiresAt)}`;
}
