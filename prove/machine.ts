/** The machine that measures. */
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const bytesPerGibibyte = 2 ** 30;

/** The machine in a line, without its name. */
export function machine(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  const memory = Math.round(totalmem() / bytesPerGibibyte);
  return `${cpus().length} cores (${model.trim()}), ${memory} GiB, Node ${process.version}`;
}

/** The average number of processes that ran or waited in the last minute. */
export function load(): string {
  return loadavg()[0]!.toFixed(1);
}

/** The share of processor time that is used while this process waits, from 0 to 1. */
export async function busyShare(milliseconds: number): Promise<number> {
  const before = processorTimes();
  await wait(milliseconds);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user, nice, system, idle, disk, ...others] = line!
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const all = [user!, nice!, system!, idle!, disk!, ...others.slice(0, 3)];
  return { idle: idle! + disk!, all: all.reduce((sum, one) => sum + one, 0) };
}
