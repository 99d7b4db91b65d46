/** How often the embedded stores wait for the disk before a change is acknowledged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freshService, makeCustomer, type Service } from '../test/service.ts';
import { importRows } from './importRows.ts';
import { amountOf, type Extent, type Finding, found, notMeasured } from './promise.ts';

const commitsInFull = 200;
const commitsInQuick = 10;
const pollMilliseconds = 20;
const traceable = '/usr/bin/strace';
/** Statements that a quiet service may still write, such as the usage of keys. */
const settleMilliseconds = 6_000;

/** Counts the calls by which a process waits for the disk, while `work` runs. */
async function syncsDuring(pid: number, trace: string, work: () => Promise<void>): Promise<number> {
  const calls = 'trace=fsync,fdatasync,sync_file_range,msync';
  const tracer = spawn(traceable, ['-f', '-qq', '-e', calls, '-o', trace, '-p', `${pid}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(tracer, 'exit');
  let refusal = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
    refusal += text;
  });
  while (!isTraced(pid)) {
    if (tracer.exitCode !== null) throw new Error(refusal.trim());
    await wait(pollMilliseconds);
  }
  await work();
  tracer.kill('SIGINT');
  await ended;
  const called = /^\d+ +(?:fsync|fdatasync|sync_file_range|msync)\(/gm;
  return readFileSync(trace, 'utf8').match(called)?.length ?? 0;
}

function isTraced(pid: number): boolean {
  return !/^TracerPid:\s+0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** Changes of a kind, one after the other. */
function changesOf(service: Service, channelId: string) {
  return {
    'a change of a record (SQLite)': async (number: number) => {
      await service.operate('POST', '/operator/organisations', { name: `Acme ${number}` });
    },
    'an import (SQLite and DuckDB)': (number: number) =>
      importRows(service, 'traffic', channelId, [{ date: '2025-03-01', pageViews: number }]),
  };
}

/** Counts the syncs of acknowledged changes on the embedded pair. */
export async function measureSyncs(extent: Extent): Promise<Finding> {
  if (!existsSync(traceable))
    return notMeasured('there is no strace: install it (apt-get install strace)');
  const commits = amountOf(extent, commitsInFull, commitsInQuick);
  await using service = await freshService();
  try {
    const { channelId } = await makeCustomer(service, 'synced');
    const shown: string[] = [];
    let isKept = true;
    for (const [name, change] of Object.entries(changesOf(service, channelId))) {
      await change(0);
      await wait(settleMilliseconds);
      const syncs = await syncsDuring(service.pid, join(service.folder, 'trace'), async () => {
        for (let number = 1; number <= commits; number++) await change(number);
      });
      isKept &&= syncs >= commits;
      shown.push(`${(syncs / commits).toFixed(2)} for ${name}`);
    }
    return found(isKept, `${shown.join(', ')}, of ${commits} each`);
  } catch (error) {
    if (/ptrace|not permitted/i.test(String(error)))
      return notMeasured('this user may not trace a process: run it as root');
    throw error;
  }
}
