/** The configuration: the environment, read and checked once. */
import { resolve } from 'node:path';
import { readClickhouse } from './config/clickhouse.ts';
import {
  type Authorities,
  readAuthorities,
  requireTls,
  withAuthorities,
} from './config/encryption.ts';
import { defaultLimits, type Limits, limitVariables, servedLimits } from './config/limits.ts';
import { readMail, readMailDomains, type SmtpSettings } from './config/mail.ts';
import {
  readNetworks,
  readOrigins,
  readPublicUrl,
  readWebhookNetworks,
  type WebhookNetworks,
} from './config/networks.ts';
import {
  type ListeningAddress,
  type ObservationSettings,
  readAddress,
  readObservation,
} from './config/observation.ts';
import {
  type Several,
  severalOf,
  storedOperatorToken,
  storedSecret,
  type Variables,
  weakness,
  withSecretFiles,
} from './config/secrets.ts';
import { readBreachedPasswords, readSecondFactor } from './config/signIn.ts';
import { readSwitch } from './config/source.ts';
import type { Cluster } from './engine/cluster.ts';
import type { BucketAddress } from './files/s3.ts';

export { defaultLimits, type Limits } from './config/limits.ts';
export type { SmtpSettings } from './config/mail.ts';
export type { WebhookNetworks } from './config/networks.ts';
export type { ListeningAddress, LogSettings } from './config/observation.ts';
export { packageFolder, readPackage } from './config/package.ts';

/** Threads for passwords, files, packing and the questions that never wait. */
const otherThreads = 10;

/**
 * Threads of the process besides its own: questions of DuckDB and imports take one each, and must
 * leave some for everything else.
 */
export function threadsFor({ questions, imports }: Limits): number {
  return questions + imports + otherThreads;
}

/** How many records an organisation may have. */
export type Quotas = Pick<Limits, Extract<keyof Limits, `organisation${string}`>>;

/** The days that records are kept. */
export type Retention = Pick<Limits, 'usageDays' | 'importDays' | 'rejectionDays' | 'auditDays'>;

/** The days after which sessions end. */
export type SessionDays = Pick<Limits, 'sessionDays' | 'sessionIdleDays'>;

/** The settings of the service. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Where alone `/operator` is answered; undefined for where everything is. */
  readonly operatorAddress: ListeningAddress | undefined;
  /** Absolute path of the folder of the embedded stores. */
  readonly dataFolder: string;
  /** PostgreSQL for records; without it, SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** ClickHouse for facts; without it, DuckDB in the data folder. */
  readonly clickhouseUrl: string | undefined;
  /** The same servers with a user who may only read, for questions. */
  readonly clickhouseReaderUrl: string | undefined;
  /** The cluster that the servers of `clickhouseUrl` form, if there are several. */
  readonly clickhouseCluster: Cluster;
  /** Redis for rate limits; without it, PostgreSQL, or the memory of this process. */
  readonly redisUrl: string | undefined;
  /** The certificates that alone are trusted for the stores, in PEM; those of Node.js if none. */
  readonly storeAuthorities: string | undefined;
  /** The address that clients use, without a trailing slash. */
  readonly publicUrl: string;
  /** The operator's e-mail or https address. */
  readonly contact: string | undefined;
  /** Addresses or ranges of the proxies whose word on a client's address is trusted. */
  readonly trustedProxies: readonly string[];
  /** The origins whose pages may call the API from a browser; undefined for all. */
  readonly origins: readonly string[] | undefined;
  /** Whether every user must have a second factor. */
  readonly requiresSecondFactor: boolean;
  /** The range service that knows breached passwords; without it, none is asked. */
  readonly breachedPasswords: string | undefined;
  /** Where webhooks may go beyond https on public addresses. */
  readonly webhooks: WebhookNetworks;
  /** The server that takes e-mails; without it, none are sent. */
  readonly mail: SmtpSettings | undefined;
  /** The domains whose addresses get files unconfirmed; undefined where no e-mails are sent. */
  readonly mailDomains: readonly string[] | undefined;
  readonly environment: 'production' | 'staging';
  /** Exchange rates: updated daily, the shipped snapshot alone, or as the operator imports them. */
  readonly rates: 'daily' | 'snapshot' | 'off';
  /** Whether this node makes reports and carries out other jobs. */
  readonly runsJobs: boolean;
  /** The bucket for report files; without it, the data folder. */
  readonly reportStore: BucketAddress | undefined;
  /** The secrets that open the installation: the current one, and those that it replaces. */
  readonly secrets: Several;
  /** The tokens of the operator who needs no record: the current one, and those it replaces. */
  readonly operatorTokens: Several;
  readonly limits: Limits;
} & ObservationSettings;

/** Lists all problems of the environment, one per line. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The environment is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads variables and collects problems. Messages never repeat values, which hold passwords. */
class Environment {
  readonly problems: string[] = [];
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = withSecretFiles(variables, this.problems);
  }

  text(name: string): string | undefined {
    return this.#variables[name]?.trim() || undefined;
  }

  url(name: string, schemes: readonly string[], example: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !schemes.includes(URL.parse(text)?.protocol ?? ''))
      this.problems.push(`${name} must be an address such as ${example}`);
    return text;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      this.problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  }

  /** A secret, or several while it is replaced; undefined where the data folder keeps it. */
  secret(name: string, isRequired: boolean): Several | undefined {
    const texts = severalOf(this.#variables[name]);
    const problem = texts && weakness(name, texts);
    if (problem !== undefined) this.problems.push(problem);
    if (texts === undefined && isRequired)
      this.problems.push(
        `${name} must be set where DATABASE_URL or CLICKHOUSE_URL is, to the same value on every node`,
      );
    return texts;
  }
}

/**
 * Reads the environment; throws ConfigError. With embedded stores, a missing secret or token is
 * created once and kept in the data folder, readable by its owner only. `isTerminal` says whether
 * the log goes to a terminal.
 */
export function readConfig(variables: Variables, isTerminal = false): Config {
  const environment = new Environment(variables);
  const host = environment.text('VITRINE_HOST') ?? '127.0.0.1';
  const port = readPort(environment);
  const dataFolder = resolve(environment.text('VITRINE_DATA') ?? './data');
  const publicUrl =
    readPublicUrl(environment) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const authorities = readAuthorities(environment);
  const mail = readMail(environment, authorities?.certificates);
  requireTls(environment);
  const config = {
    host,
    port,
    operatorAddress: readAddress(environment, 'VITRINE_OPERATOR_ADDRESS', '127.0.0.1:8081'),
    dataFolder,
    ...readStores(environment, authorities),
    publicUrl: publicUrl.replace(/(?<!\/)\/+$/, ''),
    contact: readContact(environment),
    trustedProxies: readNetworks(
      environment,
      'VITRINE_TRUSTED_PROXIES',
      '10.0.0.7, 192.168.0.0/16',
    ),
    origins: readOrigins(environment),
    requiresSecondFactor: readSecondFactor(environment),
    breachedPasswords: readBreachedPasswords(environment),
    webhooks: readWebhookNetworks(environment),
    mail,
    mailDomains: readMailDomains(environment, mail),
    reportStore: readBucket(environment),
    environment: readStage(environment),
    rates: readRates(environment),
    runsJobs: readSwitch(environment, 'VITRINE_JOBS', 'on'),
    limits: readLimits(environment),
    ...readObservation(environment, isTerminal),
  };
  const isServed = config.databaseUrl !== undefined || config.clickhouseUrl !== undefined;
  const secrets = environment.secret('VITRINE_SECRET', isServed);
  const operatorTokens = environment.secret('VITRINE_OPERATOR_TOKEN', isServed);
  if (environment.problems.length > 0) throw new ConfigError(environment.problems);
  try {
    return {
      ...config,
      secrets: secrets ?? storedSecret(dataFolder),
      operatorTokens: operatorTokens ?? storedOperatorToken(dataFolder),
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      code === undefined
        ? message
        : `VITRINE_DATA must be a folder that can be written to (${message})`,
    ]);
  }
}

function readPort(environment: Environment): number {
  const text = environment.text('VITRINE_PORT') ?? '8080';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    environment.problems.push('VITRINE_PORT must be a port number, 0 to 65535');
  return port;
}

function readStores(environment: Environment, authorities: Authorities | undefined) {
  const databaseUrl = environment.url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/name',
  );
  return {
    databaseUrl: withAuthorities(databaseUrl, authorities),
    storeAuthorities: authorities?.certificates,
    ...readClickhouse(environment),
    redisUrl: environment.url(
      'REDIS_URL',
      ['redis:', 'rediss:'],
      'redis://user:password@host:6379/0',
    ),
  };
}

function readStage(environment: Environment): Config['environment'] {
  const stage = environment.text('VITRINE_ENVIRONMENT') ?? 'production';
  if (stage !== 'production' && stage !== 'staging')
    environment.problems.push('VITRINE_ENVIRONMENT must be production or staging');
  return stage as Config['environment'];
}

function readRates(environment: Environment): Config['rates'] {
  const rates = environment.text('VITRINE_RATES') ?? 'daily';
  if (rates !== 'daily' && rates !== 'snapshot' && rates !== 'off')
    environment.problems.push('VITRINE_RATES must be daily, snapshot or off');
  return rates as Config['rates'];
}

function readLimits(environment: Environment): Limits {
  const names = Object.keys(limitVariables) as (keyof Limits)[];
  const isServed = environment.text('CLICKHOUSE_URL') !== undefined;
  const defaults = { ...defaultLimits, ...(isServed && servedLimits) };
  return Object.fromEntries(
    names.map((name) => {
      const [variable, min, max] = limitVariables[name];
      return [name, environment.integer(variable, defaults[name], min, max)];
    }),
  ) as Limits;
}

function readContact(environment: Environment): string | undefined {
  const text = environment.text('VITRINE_CONTACT');
  if (
    text !== undefined &&
    !/^[^\s@/]+@[^\s@/]+$/.test(text) &&
    URL.parse(text)?.protocol !== 'https:'
  ) {
    environment.problems.push(
      'VITRINE_CONTACT must be an e-mail address or an address such as https://example.com/help',
    );
  }
  return text;
}

/** Reads the bucket for reports, with the credentials that S3 tools share. */
function readBucket(environment: Environment): BucketAddress | undefined {
  const text = environment.text('REPORT_STORE');
  if (text === undefined) return undefined;
  const [, bucket, folder = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    environment.problems.push('REPORT_STORE must be a bucket such as s3://bucket/folder');
  const credential = (name: string) => {
    const value = environment.text(name);
    if (value === undefined) environment.problems.push(`${name} must be set where REPORT_STORE is`);
    return value ?? '';
  };
  const region =
    environment.text('AWS_REGION') ?? environment.text('AWS_DEFAULT_REGION') ?? 'us-east-1';
  const endpoint =
    environment.url('REPORT_STORE_ENDPOINT', ['http:', 'https:'], 'https://storage.example.com') ??
    `https://s3.${region}.amazonaws.com`;
  return {
    bucket: bucket ?? '',
    prefix: folder.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/.$/, '$&/'),
    endpoint: endpoint.replace(/(?<!\/)\/+$/, ''),
    region,
    accessKeyId: credential('AWS_ACCESS_KEY_ID'),
    secretAccessKey: credential('AWS_SECRET_ACCESS_KEY'),
    sessionToken: environment.text('AWS_SESSION_TOKEN'),
  };
}
