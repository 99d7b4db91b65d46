/** Settings that are addresses or ranges of them. */
import { isIP } from 'node:net';
import { readSwitch, type SettingSource } from './source.ts';

/** Where webhooks may go beyond https on public addresses. */
export type WebhookNetworks = {
  /** Whether http is allowed. */
  readonly allowsHttp: boolean;
  /** Addresses or ranges that are not public and allowed nevertheless. */
  readonly networks: readonly string[];
};

/** Reads addresses and ranges, separated by commas. */
export function readNetworks(source: SettingSource, name: string, example: string): string[] {
  const networks = (source.text(name) ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '');
  if (!networks.every(isAddressOrRange)) {
    source.problems.push(
      `${name} must be addresses or ranges of them, separated by commas, such as ${example}`,
    );
  }
  return networks;
}

function isAddressOrRange(text: string): boolean {
  const [, address = '', bits] = /^([\da-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 1) >= 1 && Number(bits ?? 1) <= (version === 4 ? 32 : 128);
}

/**
 * Reads the address of the service in links, descriptions and answers. Everybody sees it, and paths
 * follow it.
 */
export function readPublicUrl(source: SettingSource): string | undefined {
  const text = source.url('VITRINE_PUBLIC_URL', ['http:', 'https:'], 'https://api.example.com');
  const { username, password, search, hash } = URL.parse(text ?? '') ?? {};
  if (username || password || search || hash)
    source.problems.push('VITRINE_PUBLIC_URL must have no user, password, ? or #');
  return text;
}

/** Reads the origins whose pages may call the API from a browser; undefined for all. */
export function readOrigins(source: SettingSource): readonly string[] | undefined {
  const origins = source
    .text('VITRINE_CORS_ORIGINS')
    ?.split(',')
    .map((origin) => origin.trim());
  if (origins === undefined || origins.join() === '*') return undefined;
  if (!origins.every((one) => /^https?:/.test(one) && URL.parse(one)?.origin === one))
    source.problems.push(
      'VITRINE_CORS_ORIGINS must be origins, separated by commas, such as https://shop.example.com',
    );
  return origins;
}

/** Reads where webhooks may go beyond https on public addresses. */
export function readWebhookNetworks(source: SettingSource): WebhookNetworks {
  return {
    allowsHttp: readSwitch(source, 'VITRINE_WEBHOOK_HTTP', 'off'),
    networks: readNetworks(source, 'VITRINE_WEBHOOK_NETWORKS', '10.0.0.0/8, 192.168.1.7'),
  };
}
