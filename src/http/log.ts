/** The form of the log. */
import type { LogSettings } from '../config.ts';

/** Where the log goes, and its level; standard output and `info` by default. */
export type LogSink = {
  readonly level?: string;
  readonly stream?: { write(line: string): void };
};

const standardOutput = 1;

/** Opens the log on standard output: JSON as it is, or lines for people. */
export async function openLog({ level, format }: LogSettings): Promise<LogSink> {
  if (format === 'json') return { level };
  // Loaded only for a terminal.
  const { default: pretty } = await import('pino-pretty');
  return {
    level,
    stream: pretty({
      destination: standardOutput,
      // Nothing is lost when the process ends.
      sync: true,
      ignore: 'pid,hostname',
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
    }),
  };
}
