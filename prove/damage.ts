/** Bytes that change by themselves in any file: each change is found, or no answer differs. */
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomOf } from '../demonstration/random.ts';
import { checkBackup } from '../src/backup/read.ts';
import { findDamage } from '../src/engine/damage.ts';
import { flip } from '../test/flips.ts';
import { Installation, type ReportFile } from '../test/installation.ts';
import { temporaryRoot } from '../test/servers/process.ts';
import { amountOf, type Extent, type Finding, found, seedOf } from './promise.ts';

const flipsPerFile = { quick: 1, full: 25 };
const bytesMax = 64;
/** The secret and the token are the operator's own. */
const notStored = /^(?:secret|operator-token|staging|temporary)/;

type Outcome = 'found' | 'harmless' | 'silent';

/** The answers of an undamaged installation. */
type Expected = {
  readonly answers: ReadonlyMap<string, string>;
  readonly reports: readonly ReportFile[];
  readonly scheduleId: string;
  readonly ofRun: string;
};

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) =>
    join(parentPath, name).slice(folder.length + 1),
  );
  return names.filter((name) => !notStored.test(name)).sort();
}

/** Starts on damaged files, looks for damage and requests every answer. */
async function outcomeOf(installation: Installation, expected: Expected): Promise<Outcome> {
  try {
    await installation.start();
  } catch {
    return 'found';
  }
  try {
    if ((await findDamage(installation.running)).damaged.length > 0) return 'found';
    // An operation that refuses to answer is not silent.
    const answers = await installation.answers();
    for (const [operation, answer] of expected.answers)
      if (answers.get(operation) !== answer) return 'silent';
    for (const { reportId, content } of expected.reports)
      if ((await installation.fileOf(reportId)) !== content) return 'silent';
    const ofRun = await installation.fileOfRun(expected.scheduleId);
    return ofRun === expected.ofRun ? 'harmless' : 'silent';
  } catch {
    return 'found';
  } finally {
    await installation.stop();
  }
}

async function expectedOf(installation: Installation): Promise<Expected> {
  const reports = await installation.report();
  const scheduleId = await installation.runSchedule();
  const ofRun = await installation.fileOfRun(scheduleId);
  return { answers: await installation.answers(), reports, scheduleId, ofRun };
}

/** Changes bytes of files of an installation and of a backup. */
export async function measureDamage(extent: Extent): Promise<Finding> {
  const flips = amountOf(extent, flipsPerFile.full, flipsPerFile.quick);
  const seed = seedOf(extent);
  const random = randomOf(`${seed}`);
  const installation = await Installation.make('embedded');
  const data = installation.environment.VITRINE_DATA!;
  const aside = await mkdtemp(join(await temporaryRoot(), 'vitrine-damage-'));
  const counts = { found: 0, harmless: 0, silent: 0 };
  const note = (name: string, bytes: number, outcome: Outcome) => {
    counts[outcome]++;
    extent.say(`${name}, ${bytes} bytes: ${outcome}`);
  };
  try {
    await installation.start();
    await installation.fill();
    const expected = await expectedOf(installation);
    const backup = join(aside, 'backup');
    await installation.succeed(['backup', backup]);
    const running = join(aside, 'running');
    await cp(data, running, { recursive: true });
    await installation.stop();
    const stopped = join(aside, 'stopped');
    await cp(data, stopped, { recursive: true });
    for (const [state, pattern] of [
      [stopped, /./],
      [running, /^(?:registry\.sqlite|warehouse\.duckdb)/],
    ] as const)
      for (const name of (await filesIn(state)).filter((one) => pattern.test(one)))
        for (let number = 0; number < flips; number++) {
          await rm(data, { recursive: true });
          await cp(state, data, { recursive: true });
          const bytes = number % 2 === 0 ? 1 : bytesMax;
          if ((await stat(join(data, name))).size === 0) continue;
          await flip(join(data, name), bytes, random);
          note(
            `${name} of ${state === stopped ? 'a stop' : 'a crash'}`,
            bytes,
            await outcomeOf(installation, expected),
          );
        }
    for (const name of await filesIn(backup)) {
      const copy = join(aside, 'copy');
      await rm(copy, { recursive: true, force: true });
      await cp(backup, copy, { recursive: true });
      if ((await stat(join(copy, name))).size === 0) continue;
      await flip(join(copy, name), 1, random);
      const outcome = await checkBackup(copy).then(
        () => 'silent' as const,
        () => 'found' as const,
      );
      note(`${name} of the backup`, 1, outcome);
    }
    return found(
      counts.silent === 0,
      `seed ${seed}: ${counts.found} changes found, ${counts.harmless} that changed no answer, ` +
        `${counts.silent} answered silently`,
    );
  } finally {
    await installation.remove();
    await rm(aside, { recursive: true, force: true });
  }
}
