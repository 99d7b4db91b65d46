/** The configuration: the environment, read and checked once. */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { BucketAddress } from './files/s3.ts';

/** What the service runs with. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Absolute path of the folder that holds whatever is embedded. */
  readonly dataFolder: string;
  /** Where PostgreSQL holds the records; without it SQLite does, in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Where ClickHouse holds the facts; without it DuckDB does, in the data folder. */
  readonly clickhouseUrl: string | undefined;
  /** Where Redis holds the budgets of keys; without it the registry's server does, or this process. */
  readonly redisUrl: string | undefined;
  /** The address by which clients reach the service, without a slash at its end. */
  readonly publicUrl: string;
  /** How the operator of the service is reached: an e-mail address or one of the web. */
  readonly contact: string | undefined;
  /** Addresses, or ranges of them, of proxies that are believed whom a request comes from. */
  readonly trustedProxies: readonly string[];
  readonly environment: 'production' | 'staging';
  /** The bucket that holds the files of reports; without it the data folder does. */
  readonly reportStore: BucketAddress | undefined;
  /** What keys, links and hashes of this installation are made with. */
  readonly secret: string;
  readonly operatorToken: string;
};

/** Everything that is wrong with the environment, a line for each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The environment is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

const secretLengthMin = 16;
const operatorTokenLengthMin = 8;

/**
 * Reads the environment; throws ConfigError. Where everything is embedded, a secret and a token that are not given are made once and
 * kept in the data folder, readable by its owner only.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const given = (name: string) => environment[name]?.trim() || undefined;
  const host = given('VITRINE_HOST') ?? '127.0.0.1';
  const port = readPort(given('VITRINE_PORT') ?? '8080', problems);
  const dataFolder = resolve(given('VITRINE_DATA') ?? './data');
  const databaseUrl = readUrl(
    'DATABASE_URL',
    given('DATABASE_URL'),
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/name',
    problems,
  );
  const clickhouseUrl = readUrl(
    'CLICKHOUSE_URL',
    given('CLICKHOUSE_URL'),
    ['http:', 'https:'],
    'http://user:password@host:8123/name',
    problems,
  );
  const redisUrl = readUrl(
    'REDIS_URL',
    given('REDIS_URL'),
    ['redis:', 'rediss:'],
    'redis://user:password@host:6379/0',
    problems,
  );
  const publicUrl = readUrl(
    'VITRINE_PUBLIC_URL',
    given('VITRINE_PUBLIC_URL'),
    ['http:', 'https:'],
    'https://api.example.com',
    problems,
  );
  const contact = readContact(given('VITRINE_CONTACT'), problems);
  const trustedProxies = readProxies(given('VITRINE_TRUSTED_PROXIES') ?? '', problems);
  const reportStore = readBucket(given, problems);
  const stage = given('VITRINE_ENVIRONMENT') ?? 'production';
  if (stage !== 'production' && stage !== 'staging')
    problems.push('VITRINE_ENVIRONMENT must be production or staging');
  const isServed = given('DATABASE_URL') !== undefined || given('CLICKHOUSE_URL') !== undefined;
  let secret = given('VITRINE_SECRET');
  let operatorToken = given('VITRINE_OPERATOR_TOKEN');
  if (isServed) {
    requireSecret('VITRINE_SECRET', secret, secretLengthMin, problems);
    requireSecret('VITRINE_OPERATOR_TOKEN', operatorToken, operatorTokenLengthMin, problems);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  try {
    secret ??= keptSecret(dataFolder, 'secret');
    operatorToken ??= keptSecret(dataFolder, 'operator-token');
  } catch (error) {
    throw new ConfigError([
      `VITRINE_DATA must be a folder that can be written to (${(error as Error).message})`,
    ]);
  }
  return {
    host,
    port,
    dataFolder,
    databaseUrl,
    clickhouseUrl,
    redisUrl,
    publicUrl: (publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(
      /\/+$/,
      '',
    ),
    contact,
    trustedProxies,
    reportStore,
    environment: stage as Config['environment'],
    secret,
    operatorToken,
  };
}

function readPort(text: string, problems: string[]): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    problems.push('VITRINE_PORT must be a port number, 0 to 65535');
  return port;
}

/** The values themselves are not repeated in a problem, because they hold passwords. */
function readUrl(
  name: string,
  text: string | undefined,
  schemes: readonly string[],
  example: string,
  problems: string[],
): string | undefined {
  if (text !== undefined && !schemes.includes(URL.parse(text)?.protocol ?? ''))
    problems.push(`${name} must be an address such as ${example}`);
  return text;
}

function readContact(text: string | undefined, problems: string[]): string | undefined {
  if (
    text !== undefined &&
    !/^[^\s@/]+@[^\s@/]+$/.test(text) &&
    URL.parse(text)?.protocol !== 'https:'
  ) {
    problems.push(
      'VITRINE_CONTACT must be an e-mail address or an address such as https://example.com/help',
    );
  }
  return text;
}

function readProxies(text: string, problems: string[]): string[] {
  const proxies = text.split(',').map((one) => one.trim());
  const given = proxies.filter((one) => one !== '');
  if (!given.every(isAddressOrRange)) {
    problems.push(
      'VITRINE_TRUSTED_PROXIES must be addresses or ranges of them, separated by commas, such as 10.0.0.7, 192.168.0.0/16',
    );
  }
  return given;
}

function isAddressOrRange(text: string): boolean {
  const [, address = '', bits] = /^([\da-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 1) >= 1 && Number(bits ?? 1) <= (version === 4 ? 32 : 128);
}

/** Reads the bucket of the reports, which is reached with the credentials that the tools of S3 share. */
function readBucket(
  given: (name: string) => string | undefined,
  problems: string[],
): BucketAddress | undefined {
  const text = given('REPORT_STORE');
  if (text === undefined) return undefined;
  const [, bucket, folder = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    problems.push('REPORT_STORE must be a bucket such as s3://bucket/folder');
  const [accessKeyId, secretAccessKey] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map(
    (name) => {
      if (given(name) === undefined) problems.push(`${name} must be set where REPORT_STORE is`);
      return given(name) ?? '';
    },
  );
  const region = given('AWS_REGION') ?? given('AWS_DEFAULT_REGION') ?? 'us-east-1';
  const endpoint = readUrl(
    'REPORT_STORE_ENDPOINT',
    given('REPORT_STORE_ENDPOINT'),
    ['http:', 'https:'],
    'https://storage.example.com',
    problems,
  );
  return {
    bucket: bucket ?? '',
    prefix: folder.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/'),
    endpoint: (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, ''),
    region,
    accessKeyId: accessKeyId!,
    secretAccessKey: secretAccessKey!,
    sessionToken: given('AWS_SESSION_TOKEN'),
  };
}

function requireSecret(
  name: string,
  value: string | undefined,
  lengthMin: number,
  problems: string[],
): void {
  if (value === undefined)
    problems.push(
      `${name} must be set where DATABASE_URL or CLICKHOUSE_URL is, to the same value on every node`,
    );
  else if (value.length < lengthMin)
    problems.push(`${name} must have at least ${lengthMin} characters`);
}

/** Reads a secret that was kept earlier, or makes one; of several processes that start at once all get the same. */
function keptSecret(folder: string, name: string): string {
  const file = join(folder, name);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // A link fails where the file exists by now, and never leaves half a secret behind.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}
