/** The settings of encryption towards other servers: whether it must be, and who is trusted. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { readSwitch, type SettingSource } from './source.ts';

/** The modes of PostgreSQL by which the certificate of the server is verified. */
const verifiedModes = ['prefer', 'require', 'verify-ca', 'verify-full'];

type Rule = {
  /** Whether the library behind the setting verifies the server at this address. */
  readonly isEncrypted: (url: URL, text: string) => boolean;
  /** An address as it must be. */
  readonly example: string;
  /** The host that the address leads to, where a parameter may name another one. */
  readonly hostOf?: (url: URL) => string;
};

const overHttps: Rule = {
  isEncrypted: ({ protocol }) => protocol === 'https:',
  example: 'https://server.example.com',
};

const lastOf = ({ searchParams }: URL, name: string) => searchParams.getAll(name).at(-1) ?? '';

const rules: Readonly<Record<string, Rule>> = {
  DATABASE_URL: {
    isEncrypted: (url) => lastOf(url, 'sslmode') === 'verify-full',
    example: 'postgres://user:password@host/name?sslmode=verify-full',
    hostOf: (url) => lastOf(url, 'host') || decodeURIComponent(url.hostname),
  },
  CLICKHOUSE_URL: overHttps,
  CLICKHOUSE_READER_URL: overHttps,
  REDIS_URL: {
    // The library reads an address in other letters as a plain one, and options from parameters.
    isEncrypted: ({ search }, text) => text.startsWith('rediss://') && search === '',
    example: 'rediss://user:password@host:6379 without parameters',
  },
  REPORT_STORE_ENDPOINT: overHttps,
  VITRINE_SMTP_URL: {
    // Other parameters could turn encryption or the verification of certificates off.
    isEncrypted: ({ protocol, search }) =>
      search === (protocol === 'smtps:' ? '' : '?requireTLS=true'),
    example: 'smtps://mail.example.com, or smtp://mail.example.com?requireTLS=true',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: overHttps,
  VITRINE_BREACHED_PASSWORDS: overHttps,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: overHttps,
};

/** Refuses addresses of other machines that are not of TLS, where the setting says so. */
export function requireTls(source: SettingSource): void {
  if (!readSwitch(source, 'VITRINE_REQUIRE_TLS', 'off')) return;
  const because = 'because VITRINE_REQUIRE_TLS is on';
  for (const [name, { isEncrypted, example, hostOf }] of Object.entries(rules)) {
    const texts = source.text(name)?.split(name.startsWith('CLICKHOUSE') ? ',' : '\n') ?? [];
    const isPlain = texts.some((text) => {
      const url = URL.parse(text.trim());
      return (
        url !== null && !isHere(hostOf?.(url) ?? url.hostname) && !isEncrypted(url, text.trim())
      );
    });
    if (isPlain)
      source.problems.push(`${name} must be ${example}, or an address of this machine, ${because}`);
  }
  if (source.text('VITRINE_WEBHOOK_HTTP') === 'on')
    source.problems.push(`VITRINE_WEBHOOK_HTTP must be off, ${because}`);
  if (source.text('NODE_TLS_REJECT_UNAUTHORIZED') === '0')
    source.problems.push(`NODE_TLS_REJECT_UNAUTHORIZED must not be set, ${because}`);
}

/** Whether a host is this machine: its loopback addresses, or a socket in its files. */
function isHere(host: string): boolean {
  const isLoopback = isIPv4(host) && host.startsWith('127.');
  return isLoopback || ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('/');
}

/** The only authorities that are trusted for the stores and the mail server. */
export type Authorities = {
  /** Their file. */
  readonly file: string;
  /** Their certificates, in PEM. */
  readonly certificates: string;
};

/** Reads them; undefined where those of Node.js are trusted. */
export function readAuthorities(source: SettingSource): Authorities | undefined {
  const file = source.text('VITRINE_STORE_AUTHORITIES');
  if (file === undefined) return undefined;
  try {
    const certificates = readFileSync(file, 'utf8');
    const found = certificates.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    for (const one of found ?? ['']) new X509Certificate(one);
    return { file, certificates };
  } catch {
    source.problems.push(
      'VITRINE_STORE_AUTHORITIES must name a file of certificates in PEM that can be read',
    );
    return undefined;
  }
}

/** The address of PostgreSQL with its authorities, if it is one of TLS. */
export function withAuthorities(
  url: string | undefined,
  authorities: Authorities | undefined,
): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !authorities) return url;
  if (!verifiedModes.includes(lastOf(parsed, 'sslmode'))) return url;
  // Of several the driver takes the last.
  return `${url}${parsed.search === '' ? '?' : '&'}sslrootcert=${encodeURIComponent(authorities.file)}`;
}
