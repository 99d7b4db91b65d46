/** The machine that measures. */
import { cpus, loadavg, totalmem } from 'node:os';

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
