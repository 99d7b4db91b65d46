/** Secrets of webhooks, with which deliveries are signed. */
import { randomBytes } from 'node:crypto';
import type { Seal } from '../access/secret.ts';
import type { WebhookRecord } from '../engine/registry.ts';

/** The purpose of the seal of webhooks' secrets. */
export const webhookSecretUse = 'webhook secret';

const secretBytes = 32;

/** Makes the secret of a webhook, in the form of Standard Webhooks. */
export function mintWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** The secrets that sign now: the current one, and its predecessor while both are valid. */
export function signingSecrets(
  {
    webhookId,
    sealed,
    previousSealed,
    previousUntil,
  }: Pick<WebhookRecord, 'webhookId' | 'sealed' | 'previousSealed' | 'previousUntil'>,
  seal: Seal,
  now: number,
): string[] {
  const isOverlapping = previousSealed !== null && (previousUntil ?? 0) > now;
  return [sealed, ...(isOverlapping ? [previousSealed] : [])].map((one) =>
    seal.open(one, webhookId),
  );
}
