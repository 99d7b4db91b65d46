/**
 * The configuration from the environment and the data folder: defaults, what is refused, and
 * secrets that are made once.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linesBeside } from '../test/table.ts';
import { secretVariables } from './config/secrets.ts';
import { type Config, ConfigError, defaultLimits, readConfig } from './config.ts';

const root = mkdtempSync(join(tmpdir(), 'vitrine-config-'));
after(() => rmSync(root, { recursive: true }));
const folder = (name: string) => join(root, name);
/** Long and varied enough to be a secret. */
const strong = 'Zq3vX8kLmP2wRt7yBn4c';

/** The configuration of an environment with this data folder. */
const read = (name: string, more: Record<string, string> = {}) =>
  readConfig({ VITRINE_DATA: folder(name), ...more });

test('an empty environment serves embedded, with secrets that are made once and kept for the owner only', () => {
  const first = read('new');
  const { secrets, operatorTokens, ...plain } = first;
  const defaults = linesBeside(import.meta.url, 'config.defaults.txt').map((line) => {
    const [name = '', value = ''] = line.split(' | ');
    return [name, value === 'undefined' ? undefined : JSON.parse(value)] as const;
  });
  const ofFolder = { dataFolder: folder('new'), limits: defaultLimits };
  assert.deepEqual(plain, { ...Object.fromEntries(defaults), ...ofFolder });
  for (const made of [secrets[0], operatorTokens[0]]) assert.ok(made!.length >= 43);
  assert.notEqual(secrets[0], operatorTokens[0]);
  assert.deepEqual(read('new'), first);
  assert.equal(statSync(folder('new')).mode & 0o777, 0o700);
  for (const name of ['secret', 'operator-token'])
    assert.equal(statSync(join(folder('new'), name)).mode & 0o777, 0o600);
});

test('what the environment gives goes before what is kept', () => {
  const given = {
    VITRINE_SECRET: `${strong}-new  ${strong}-old`,
    VITRINE_OPERATOR_TOKEN: strong,
    VITRINE_PUBLIC_URL: 'https://api.example.com/',
    VITRINE_PORT: '0',
    VITRINE_ENVIRONMENT: 'staging',
    VITRINE_DUCKDB_MEGABYTES: '2048',
  };
  const config = read('given', given);
  assert.deepEqual(config.limits, { ...defaultLimits, duckdbMegabytes: 2048 });
  assert.deepEqual(
    [config.secrets, config.operatorTokens, config.publicUrl, config.port, config.environment],
    [[`${strong}-new`, `${strong}-old`], [strong], 'https://api.example.com', 0, 'staging'],
  );
});

test('a secret that can be guessed is refused, wherever it is from and beside which stores', () => {
  for (const name of ['VITRINE_SECRET', 'VITRINE_OPERATOR_TOKEN']) {
    for (const weak of [
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'changeme',
      '0101010101010101010101010101',
      'secret-of-a-shop',
      // Each of several counts.
      `${strong} changeme`,
    ]) {
      const problem = new RegExp(`- ${name} must be harder to guess: use 32`);
      assert.throws(() => read('weak', { [name]: weak }), problem, weak);
    }
    // 16 bytes in hexadecimal digits, and 22 characters of base64.
    for (const enough of ['3f9a1c7be0d24685a7c91b3e5d8f0246', 'qT7vX2mLk9RzB4nWc1YdEg'])
      assert.doesNotThrow(() => read('weak', { [name]: enough }));
  }
});

test('secrets and addresses with passwords may be in files, each in one place only', () => {
  const files: Record<string, string> = {
    VITRINE_SECRET: `${strong}-new\n${strong}-old\n`,
    VITRINE_OPERATOR_TOKEN: `${strong}\n`,
    DATABASE_URL: 'postgres://user:canary@host/name\n',
    CLICKHOUSE_URL: 'http://user:canary@host:8123/name\n',
    CLICKHOUSE_READER_URL: 'http://reader:canary@host:8123/name\n',
    REDIS_URL: 'redis://:canary@host:6379\n',
    VITRINE_SMTP_URL: 'smtps://user:canary@mail.example.com\n',
    AWS_ACCESS_KEY_ID: 'id\n',
    AWS_SECRET_ACCESS_KEY: 'key\n',
    AWS_SESSION_TOKEN: 'token\n',
  };
  assert.deepEqual(Object.keys(files), [...secretVariables]);
  const given: Record<string, string> = {};
  for (const [name, text] of Object.entries(files)) {
    given[`${name}_FILE`] = folder(name);
    writeFileSync(folder(name), text);
  }
  const common = { REPORT_STORE: 's3://bucket', VITRINE_SMTP_FROM: 'reports@example.com' };
  const config = read('files', { ...common, ...given });
  assert.deepEqual(config.secrets, [`${strong}-new`, `${strong}-old`]);
  assert.deepEqual(config.operatorTokens, [strong]);
  assert.equal(config.databaseUrl, files.DATABASE_URL!.trim());
  assert.equal(config.clickhouseUrl, files.CLICKHOUSE_URL!.trim());
  assert.equal(config.redisUrl, files.REDIS_URL!.trim());
  assert.equal(config.mail!.url, files.VITRINE_SMTP_URL!.trim());
  const { accessKeyId, secretAccessKey, sessionToken } = config.reportStore!;
  assert.deepEqual([accessKeyId, secretAccessKey, sessionToken], ['id', 'key', 'token']);
  // The defaults of a node with ClickHouse, whose address is in a file.
  assert.equal(config.limits.questions, 16);
  writeFileSync(folder('empty'), ' \n');
  for (const [more, problem] of [
    [{ VITRINE_SECRET: strong }, 'VITRINE_SECRET and VITRINE_SECRET_FILE must not both be set'],
    [{ VITRINE_SECRET_FILE: folder('none') }, 'VITRINE_SECRET_FILE must name a file .* .ENOENT'],
    [
      { DATABASE_URL_FILE: folder('empty') },
      'DATABASE_URL_FILE must name a file that is not empty',
    ],
    [{ REDIS_URL_FILE: folder('VITRINE_SECRET') }, 'REDIS_URL must be an address'],
  ] as const) {
    const variables = { ...common, ...given, ...more };
    assert.throws(() => read('files', variables), new RegExp(`- ${problem}`));
  }
});

test('a kept secret or token that is empty, weak or lost is refused and never made anew', () => {
  const lost = folder('lost');
  const readLost = () => read('lost');
  const { secrets } = readLost();
  for (const name of ['secret', 'operator-token']) {
    const file = join(lost, name);
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, ' \n');
    assert.throws(readLost, new RegExp(`- ${file} is empty: (restore it|write a token)`));
    writeFileSync(file, 'guess\n');
    assert.throws(readLost, new RegExp(`- ${file} must be harder to guess`));
    writeFileSync(file, `${strong}\n${kept}`);
    assert.equal(readLost()[name === 'secret' ? 'secrets' : 'operatorTokens'].length, 2);
    writeFileSync(file, kept);
  }
  writeFileSync(join(lost, 'registry.sqlite'), '');
  rmSync(join(lost, 'secret'));
  assert.throws(readLost, /secret is missing: restore it from a backup/);
  assert.throws(readLost, /secret is missing/, 'the refusal must not make it');
  writeFileSync(join(lost, 'secret'), secrets[0]);
  assert.deepEqual(readLost().secrets, secrets);
});

test('every problem is named at once, without the values', () => {
  const problems = linesBeside(import.meta.url, 'config.problems.txt');
  const environment = Object.fromEntries(problems.map((line) => line.split('=')));
  assert.throws(
    () => readConfig(environment),
    (error: Error) => {
      assert.ok(error instanceof ConfigError);
      for (const name of [...Object.keys(environment), 'VITRINE_OPERATOR_TOKEN'])
        assert.match(error.message, new RegExp(`- ${name} must`));
      assert.doesNotMatch(error.message, /canary/);
      return true;
    },
  );
});

test('a data folder that cannot be written to is a problem of the environment', () => {
  writeFileSync(folder('file'), '');
  const problem = /VITRINE_DATA must be a folder that can be written to/;
  assert.throws(() => read('file'), problem);
});

test('the log is pretty and quiet on a terminal, JSON elsewhere, or as it is set', () => {
  const logOf = (more: Record<string, string>, isTerminal: boolean) =>
    readConfig({ VITRINE_DATA: folder('log'), ...more }, isTerminal).log;
  assert.deepEqual(logOf({}, true), { level: 'warn', format: 'pretty' });
  assert.deepEqual(logOf({}, false), { level: 'info', format: 'json' });
  const given = { VITRINE_LOG_LEVEL: 'debug', VITRINE_LOG_FORMAT: 'json' };
  assert.deepEqual(logOf(given, true), { level: 'debug', format: 'json' });
});

test('a setting that is wrong is refused, and says what it must be; what is right is taken', () => {
  for (const row of linesBeside(import.meta.url, 'config.refusals.txt')) {
    if (row.startsWith('#')) continue;
    const [settings = '', message] = row.split(' | ');
    const given = settings.split(' ').map((one) => one.split(/=(.*)/s, 2) as [string, string]);
    const secrets = { VITRINE_SECRET: strong, VITRINE_OPERATOR_TOKEN: strong };
    const begin = () => read('refused', { ...secrets, ...Object.fromEntries(given) });
    const isSaid = (error: Error) => error.message.includes(`  - ${message}`);
    if (message === undefined) assert.doesNotThrow(begin, row);
    else assert.throws(begin, isSaid, row);
  }
});

test('what is right is taken as it is given', () => {
  for (const row of linesBeside(import.meta.url, 'config.taken.txt')) {
    const [settings = '', field = '', value = ''] = row.split(' | ');
    const given = settings.split('; ').map((one) => one.split(/=(.*)/s, 2) as [string, string]);
    const config = read('taken', Object.fromEntries(given.filter(([name]) => name !== '')));
    const taken: unknown = JSON.parse(JSON.stringify(config[field as keyof Config] ?? null));
    assert.deepEqual(taken, JSON.parse(value), row);
  }
});
