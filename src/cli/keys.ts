/** `vitrine keys`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/keys/contract.ts';
import { addList, addOperation, addRemoval, addShow, printNew } from './operation.ts';
import { timeOf } from './table.ts';

/** Adds the commands for API keys. */
export function addKeys(command: Command): void {
  addList(command, {
    contract: contracts.listKeys,
    verb: 'list',
    rows: 'keys',
    columns: [
      'keyId',
      { field: 'name', canCut: true },
      { field: 'hint', heading: 'key' },
      { heading: 'state', show: stateOf },
      { field: 'lastUsedAt', heading: 'last used' },
      { heading: 'per second', show: ({ limits }) => limits.perSecond, canDrop: true },
      { heading: 'burst', show: ({ limits }) => limits.burst, canDrop: true },
      { heading: 'per day', show: ({ limits }) => limits.perDay, canDrop: true },
      { heading: 'grants', show: ({ grants }) => wordsOf(grants), canDrop: true },
      { heading: 'channels', show: ({ channels }) => wordsOf(channels), canDrop: true },
      { heading: 'addresses', show: ({ addresses }) => wordsOf(addresses), canDrop: true },
      { field: 'createdAt', canDrop: true },
      { field: 'userId', canDrop: true },
    ],
    examples: [
      'keys list',
      'keys list --organisation "$ORGANISATION"',
      'keys list --user "$USER_ID" --json',
    ],
  });
  addShow(command, contracts.readKey, 'keys show "$KEY_ID"');
  addOperation(command, {
    contract: contracts.issueKey,
    verb: 'issue',
    hasQuiet: true,
    print: ({ keyId, key }, options) =>
      printNew(key, `Key ${keyId} issued. Copy it now: it will not be shown again.`, options),
    examples: [
      'keys issue --user "$USER_ID"',
      'keys issue --user "$USER_ID" --name "Nightly reports" --per-second 50 --burst 100 --per-day 200000',
      'keys issue --user "$USER_ID" --name Claude --assistant --expires-at 2027-12-31',
      'keys issue --user "$USER_ID" --name ERP --grants orders:read buyers --addresses 203.0.113.0/24',
      'keys issue --user "$USER_ID" --quiet > key.txt',
    ],
  });
  addOperation(command, {
    contract: contracts.changeKey,
    verb: 'change',
    examples: [
      'keys change "$KEY_ID" --per-day 50000',
      'keys change "$KEY_ID" --expires-at 2026-12-31T18:00',
      'keys change "$KEY_ID" --expires-at never',
      'keys change "$KEY_ID" --grants read --channels all',
    ],
  });
  addOperation(command, {
    contract: contracts.rotateKey,
    verb: 'rotate',
    hasQuiet: true,
    print: ({ keyId, key }, options) =>
      printNew(key, `Replaced by key ${keyId}. Copy it now: it will not be shown again.`, options),
    examples: ['keys rotate "$KEY_ID" --grace-seconds 86400', 'keys rotate "$KEY_ID" --json'],
  });
  addRemoval(command, contracts.revokeKey, 'revoke', 'Key revoked.', 'keys revoke "$KEY_ID"');
}

const wordsOf = (entries: readonly string[] | 'all'): string =>
  entries === 'all' ? entries : entries.join(' ');

function stateOf({
  revokedAt,
  expiresAt,
}: {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return expiresAt * 1000 <= Date.now() ? 'expired' : `expires ${timeOf(expiresAt)}`;
}
