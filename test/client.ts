/** A client of a service that this process runs, over HTTP. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** Sends requests to a service at an address, also with its operator's token. */
export class Client {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Sends any request; a text is sent as CSV. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isText = typeof body === 'string';
    const response = await fetch(this.#address + path, {
      method,
      headers: { 'content-type': isText ? 'text/csv' : 'application/json', ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Sends a request to the operator's interface and expects 200. */
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
  async operate(method: string, path: string, body?: unknown): Promise<any> {
    const authorization = `Bearer ${this.#token}`;
    const { status, text } = await this.ask(method, path, body, { authorization });
    assert.equal(status, 200, text);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Makes an organisation with an owner, a key and a channel, whose names no observer may learn. */
  async connectCanary() {
    const name = 'Acme canary';
    const { organisationId } = await this.operate('POST', '/operator/organisations', { name });
    const email = `canary-${randomUUID()}@acme.example`;
    const user = { organisationId, email, role: 'owner' };
    const { userId } = await this.operate('POST', '/operator/users', user);
    const { keyId, key } = await this.operate('POST', '/operator/keys', { userId });
    const channel = { channelId: `canary-${randomUUID()}`, merchantId: 'A1CANARY @ ATVPDKIKX0DER' };
    await this.operate('PUT', `/operator/channels/${channel.channelId}`, {
      organisationId,
      merchantId: channel.merchantId,
      marketplace: 'primarymkt',
      kind: 'seller',
      countryCode: 'US',
      displayName: 'Canary',
      currency: 'USD',
      timezone: 'UTC',
      hasAdvertisingConnected: true,
    });
    return { ...channel, organisationId, email, userId, keyId, key } as Record<
      'channelId' | 'merchantId' | 'organisationId' | 'email' | 'userId' | 'keyId' | 'key',
      string
    >;
  }
}
