/** Damaged documents: every row read must be accounted for, and a refusal changes nothing. */
import fc, { type Arbitrary } from 'fast-check';
import { operatorContracts } from '../src/endpoints/contracts.ts';
import { changed, spoiltStream, streams } from '../test/fuzz/documents.ts';
import { openWorld, type Pair, type World } from '../test/harness.ts';
import { postImport } from '../test/imports.ts';
import { amountOf, type Extent, type Finding, found, seedOf } from './promise.ts';

type Variant = { readonly path: string; readonly body: string | Uint8Array };
type Counts = Readonly<
  Record<'rowsRead' | 'rowsAccepted' | 'rowsMerged' | 'rowsRejected' | 'rowsSkipped', number>
>;

const variantsInFull = { embedded: 6_000, served: 1_500 };
const variantsInQuick = { embedded: 150, served: 40 };
const failuresShown = 5;
const rejectionsStoredMax = 1_000;
/** Each row of these datasets becomes one row of facts. */
const rowForRow = /^\/operator\/imports\/(traffic|campaignDays|orderLines)\?/;
const statuses = [200, 400, 413, 422];
const { importDocument, importDataset } = operatorContracts;

/** The place of a changed line or byte, and its replacement. */
type Damage = { readonly way: number; readonly at: number; readonly value: number };

/** The text with lines and bytes lost, repeated, exchanged and overwritten. */
function damaged(text: string, damages: readonly Damage[]): Buffer {
  const lines = text.split('\n');
  const bytes: Damage[] = [];
  for (const damage of damages) {
    if (lines.length === 0) break;
    const [at, other] = [damage.at % lines.length, damage.value % lines.length];
    const line = lines[at]!;
    if (damage.way === 0) lines.splice(at, 1);
    else if (damage.way === 1) lines.splice(other, 0, line);
    else if (damage.way === 2) [lines[at], lines[other]] = [lines[other]!, line];
    else if (damage.way === 3) lines[at] = line.slice(0, damage.value % (line.length + 1));
    else bytes.push(damage);
  }
  const made = Buffer.from(lines.join('\n'));
  for (const { at, value } of bytes) if (made.length > 0) made[at % made.length] = value % 256;
  return made;
}

const damages = fc.array(fc.record({ way: fc.nat({ max: 6 }), at: fc.nat(), value: fc.nat() }), {
  minLength: 1,
  maxLength: 6,
});

/** Whole, changed, damaged and spoilt documents of every kind, and rows of datasets. */
function variants(): Arbitrary<Variant> {
  const ofContract = (contract: typeof importDocument | typeof importDataset) => {
    const whole = streams(contract);
    const broken = fc.tuple(whole, damages).map(([{ path, body }, list]) => ({
      path,
      body: typeof body === 'string' ? damaged(body, list) : flipped(body, list),
    }));
    return fc.oneof(
      { weight: 1, arbitrary: whole },
      { weight: 3, arbitrary: changed(whole) },
      { weight: 6, arbitrary: broken },
    );
  };
  const spoilt = spoiltStream(streams(importDocument)).map((body = '') => ({
    path: `${importDocument.path}?channelId=`,
    body,
  }));
  return fc.oneof(
    { weight: 8, arbitrary: ofContract(importDocument) },
    { weight: 4, arbitrary: ofContract(importDataset) },
    { weight: 1, arbitrary: spoilt },
  );
}

function flipped(body: Uint8Array, list: readonly Damage[]): Buffer {
  const made = Buffer.from(body);
  for (const { at, value } of list) if (made.length > 0) made[at % made.length] = value % 256;
  return made;
}

/** Whether each row that was read was accepted, merged, rejected or skipped. */
function addsUp(counts: Counts): boolean {
  const { rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped } = counts;
  const parts = [rowsAccepted, rowsMerged, rowsRejected, rowsSkipped];
  const isCount = (value: number) => Number.isInteger(value) && value >= 0;
  return parts.every(isCount) && rowsRead === parts.reduce((sum, part) => sum + part, 0);
}

class Poisoning {
  readonly failures: string[] = [];
  readonly statuses = new Map<number, number>();
  readonly kinds = new Set<string>();
  rows = 0;
  readonly #world: World;
  readonly #organisationId: string;

  constructor(world: World, organisationId: string) {
    this.#world = world;
    this.#organisationId = organisationId;
  }

  /** Imports a variant into its own channel and checks the result. */
  async take({ path, body }: Variant, number: number): Promise<void> {
    const world = this.#world;
    const channelId = await world.channel(this.#organisationId, `poisoned-${number}`);
    const own = path.replace(/channelId=[^&]*/, `channelId=${channelId}`);
    const type = path.startsWith(importDocument.path)
      ? 'application/octet-stream'
      : 'application/x-ndjson';
    const answer = await postImport(world, own, Buffer.from(body), type);
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const fail = (reason: string) => {
      const start = Buffer.from(body).subarray(0, 200).toString('latin1');
      const shown = JSON.stringify(answer.body).slice(0, 300);
      this.failures.push(
        `variant ${number}, ${own}: ${reason}: ${shown} of ${JSON.stringify(start)}`,
      );
    };
    if (!statuses.includes(answer.status)) return fail(`status ${answer.status}`);
    if (/reading the document failed/.test(answer.body.error)) return fail('the reader failed');
    const importId = answer.body.importId ?? /\(import (\d+)\)/.exec(answer.body.error)?.[1];
    if (importId === undefined) return;
    await this.#checkRecord(importId, answer.status === 200, answer.body, fail);
    if (own.includes('channelId=')) await this.#checkFacts(own, channelId, answer, fail);
  }

  async #checkRecord(
    importId: number,
    isDone: boolean,
    answer: Partial<Counts>,
    fail: (reason: string) => void,
  ): Promise<void> {
    const record = await this.#world.operate('GET', `/operator/imports/${importId}`);
    if (record.state !== (isDone ? 'done' : 'failed')) fail(`the import is ${record.state}`);
    if (!addsUp(record)) fail(`the record does not add up: ${JSON.stringify(record)}`);
    if (isDone) {
      this.kinds.add(record.dataset);
      this.rows += record.rowsRead;
      if (!addsUp(answer as Counts)) fail('the answer does not add up');
      if (record.rowsAccepted !== answer.rowsAccepted) fail('record and answer differ');
    }
    const path = `/operator/imports/${importId}/rejected`;
    const { rejected } = await this.#world.operate('GET', path);
    if (rejected.length !== Math.min(rejectionsStoredMax, record.rowsRejected))
      fail(`${rejected.length} reasons for ${record.rowsRejected} rejected rows`);
  }

  async #checkFacts(
    path: string,
    channelId: string,
    { status, body }: { status: number; body: Partial<Counts> },
    fail: (reason: string) => void,
  ): Promise<void> {
    const query = `/operator/freshness?channelId=${channelId}`;
    const { datasets } = await this.#world.operate('GET', query);
    const rows = datasets.reduce((sum: number, one: { rows: number }) => sum + one.rows, 0);
    if (status !== 200 && rows !== 0) fail(`a refused document left ${rows} rows`);
    if (status === 200 && rowForRow.test(path) && rows !== body.rowsAccepted)
      fail(`${rows} rows of facts`);
  }
}

/** Imports damaged documents on a pair of stores. */
export async function measurePoison(pair: Pair, extent: Extent): Promise<Finding> {
  const { say } = extent;
  const count = amountOf(extent, variantsInFull[pair], variantsInQuick[pair]);
  const seed = seedOf(extent);
  const world = await openWorld(pair, { logLevel: 'fatal' });
  try {
    const { organisationId } = await world.tenant();
    const poisoning = new Poisoning(world, organisationId);
    for (const [number, variant] of fc.sample(variants(), { numRuns: count, seed }).entries()) {
      await poisoning.take(variant, number);
      if (number % 500 === 499)
        say(`${number + 1} variants, ${poisoning.failures.length} failures`);
    }
    const { failures, kinds, rows } = poisoning;
    for (const failure of failures.slice(0, failuresShown)) say(failure);
    const answered = [...poisoning.statuses]
      .sort()
      .map(([status, times]) => `${times} × ${status}`);
    return found(
      failures.length === 0,
      `${count.toLocaleString('en')} variants of ${kinds.size} kinds and datasets, seed ${seed} ` +
        `(${answered.join(', ')}), ${rows.toLocaleString('en')} rows read: ` +
        `${failures.length} not accounted for`,
    );
  } finally {
    await world.close();
  }
}
