/** Organisations with all that a proof needs of them. */
import type { Service } from '../test/service.ts';

/** An organisation with a seller channel and a key that is hardly limited. */
export type Tenant = {
  readonly key: string;
  readonly channelId: string;
  readonly merchantId: string;
};

const merchantId = 'A1PROOF @ ATVPDKIKX0DER';
const limits = { perSecond: 100_000, burst: 100_000, perDay: 1_000_000_000 };

/** Makes an organisation with an owner, a key and a channel in UTC. */
export async function makeTenant(
  service: Service,
  channelId: string,
  channel: object = {},
): Promise<Tenant> {
  const { organisationId } = await service.operate('POST', '/operator/organisations', {
    name: 'Acme',
  });
  const { userId } = await service.operate('POST', '/operator/users', {
    ...{ organisationId, role: 'owner' },
    email: `owner-of-${channelId}@example.com`,
  });
  const { key } = await service.operate('POST', '/operator/keys', { userId, limits });
  await connectChannel(service, organisationId, channelId, channel);
  return { key, channelId, merchantId };
}

/** Connects a seller channel in UTC to an organisation. */
export async function connectChannel(
  service: Service,
  organisationId: string,
  channelId: string,
  channel: object = {},
): Promise<void> {
  await service.operate('PUT', `/operator/channels/${channelId}`, {
    ...{ organisationId, merchantId, marketplace: 'primarymkt', kind: 'seller' },
    ...{ countryCode: 'US', displayName: 'Acme', currency: 'USD', timezone: 'UTC' },
    hasAdvertisingConnected: true,
    ...channel,
  });
}

/** Imports rows of a dataset and expects all of them to be accepted. */
export async function importRows(
  service: Service,
  dataset: string,
  channelId: string | undefined,
  rows: readonly object[],
): Promise<void> {
  const of = channelId === undefined ? '' : `?channelId=${channelId}`;
  const path = `/operator/imports/${dataset}${of}`;
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const answer = await service.operate('POST', path, body, {
    'content-type': 'application/x-ndjson',
  });
  if (answer.rowsAccepted !== rows.length) throw new Error(JSON.stringify(answer));
}

/** Asks the public interface and expects 200. */
export async function askAs(
  service: Service,
  { key }: Tenant,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: a proof says itself which shape it expects.
): Promise<any> {
  const response = await service.ask(method, path, body, { 'x-api-key': key, ...headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
