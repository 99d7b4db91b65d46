/** `vitrine reports`. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import { readReportStatus } from '../endpoints/reports/status/contract.ts';
import { linkPathOf } from '../report/reportLinks.ts';
import { callPublic, printJson } from './operation.ts';
import {
  addServiceCommand,
  Failure,
  keyOption,
  open,
  publicServiceOf,
  reasonOf,
  type Service,
  type ServiceOptions,
} from './service.ts';

type Options = ServiceOptions & { readonly key?: string; readonly output?: string };
type Report = AnswerOf<typeof readReportStatus>;

/** The pauses between two looks at a report, in milliseconds. */
const pauseMin = 100;
const pauseMax = 5_000;

/** Adds the command that waits for a report. */
export function addReports(command: Command): void {
  const wait = command
    .command('wait')
    .description('wait until a report is done, and download it')
    .argument('<reportId>', 'the reportId that the creation of the report answered')
    .option(...keyOption)
    .option('--output <file>', 'write the report to this file (default: standard output)');
  const help = {
    about: 'A report may take some minutes. The command calls the API with the key of a user.',
    json: "print the service's last answer as JSON instead of downloading the report",
    examples: [
      'reports wait "$REPORT" --key "$KEY" --output report.csv',
      'reports wait "$REPORT" --key "$KEY" --json',
    ],
    needsToken: false,
  };
  addServiceCommand<Options>(wait, help, async (options, args) => {
    const [reportId] = args as [string];
    const service = publicServiceOf(options);
    const report = await finished(service, reportId);
    if (options.json) printJson(report);
    if (report.downloadUrl === undefined)
      throw new Failure(`The report failed: ${report.error ?? 'create it again'}`);
    if (!options.json) await download(service, report.downloadUrl, options.output);
  });
}

/** Asks for the status, less and less often, until the report is done or has failed. */
async function finished(service: Service, reportId: string): Promise<Report> {
  for (let pause = pauseMin; ; pause = Math.min(2 * pause, pauseMax)) {
    const report = await callPublic(service, readReportStatus, { reportId });
    if (report.status === 'done' || report.status === 'errored') return report;
    await delay(pause);
  }
}

/** Downloads a report from the address at which its status was read. */
async function download(service: Service, url: string, output?: string): Promise<void> {
  const response = await open(service, 'GET', linkPathOf(url));
  if (response.status !== 200) throw new Failure(reasonOf(response.status, await response.text()));
  if (output === undefined) {
    for await (const part of response.body!) process.stdout.write(part);
    return;
  }
  await pipeline(response.body!, createWriteStream(output));
  console.error(`Report written to ${output}.`);
}
