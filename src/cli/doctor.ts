/** `vitrine doctor`: checks this machine, the connection and the service. It changes nothing. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import * as contracts from '../endpoints/operator/diagnosis/contract.ts';
import { printJson } from './operation.ts';
import {
  addressOf,
  addServiceCommand,
  dataFolder,
  exitCodes,
  Failure,
  isLocal,
  isSet,
  parsed,
  type RawAnswer,
  reasonOf,
  request,
  type ServiceOptions,
  tokenOf,
} from './service.ts';
import { tableOf } from './table.ts';
import { asTyped } from './wording.ts';

type Diagnosis = AnswerOf<typeof contracts.diagnose>;
type Finding = Diagnosis['findings'][number];
type Options = ServiceOptions & { readonly strict?: true };

const nodeMin = '24.7';
const waitMilliseconds = 15_000;
/** Has the length and variety of a secret. */
const placeholder = 'in place of a secret or a token'.replaceAll(' ', '-');
/** How far the clocks may differ, in seconds, besides the uncertainty of the round trip. */
const clockSecondsMax = 5;
const help = {
  json: 'print the findings as JSON',
  exitCodes:
    'Exit codes: 0 no failure, 2 invalid command, 4 a check failed, or with --strict gave a warning.',
  examples: [
    'doctor',
    'doctor --strict --json',
    'doctor --url http://127.0.0.1:8080 --token "$TOKEN"',
  ],
};
const labels = { well: 'ok', warning: 'WARNING', failed: 'FAILED' } as const;

/** Makes `command` run the checks. */
export function addDoctor(command: Command): void {
  command.option('--strict', 'also exit with 4 for a warning');
  addServiceCommand<Options>(command, help, check);
}

async function check(options: Options): Promise<number> {
  const address = addressOf(options);
  const findings = [
    checkNode(),
    checkConfiguration(address),
    ...(await checkService(options, address)),
  ];
  const has = (state: Finding['state']) => findings.some((finding) => finding.state === state);
  const state = has('failed') ? 'failed' : has('warning') ? 'warning' : 'well';
  if (options.json) printJson({ state, at: Math.floor(Date.now() / 1000), findings });
  else print(findings);
  return state === 'failed' || (state === 'warning' && options.strict)
    ? exitCodes.unhealthy
    : exitCodes.done;
}

function checkNode(): Finding {
  const { node } = process.versions;
  const isNew = node.localeCompare(nodeMin, 'en', { numeric: true }) >= 0;
  const advice = `Install Node ${nodeMin} or later, or run through npm, which includes it (Linux).`;
  return isNew ? ok('Node here', node) : failed('Node here', node, advice);
}

/** Checks the environment variables and the data folder of a service on this machine. */
function checkConfiguration(address: string): Finding {
  const subject = 'configuration here';
  if (!isLocal(address)) return ok(subject, 'not checked, because the service is remote');
  const isServed = isSet('DATABASE_URL') || isSet('CLICKHOUSE_URL');
  // Placeholders, because reading the configuration would create a missing secret or token.
  const missing = ['VITRINE_SECRET', 'VITRINE_OPERATOR_TOKEN'].filter((name) => !isSet(name));
  const placeholders = isServed
    ? {}
    : Object.fromEntries(missing.map((name) => [name, placeholder]));
  try {
    readConfig({ ...process.env, ...placeholders });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.message.replace(/\n *- /, ' ').replaceAll(/\n *- /g, '; ');
    return failed(subject, problems, 'Set these variables as docs/operations.md describes.');
  }
  const folder = dataFolder();
  if (!existsSync(folder)) {
    const advice = 'Set VITRINE_DATA to the data folder, or start the service to create it.';
    return isServed
      ? ok(subject, 'complete')
      : warning(subject, `data folder ${folder} does not exist`, advice);
  }
  if (!statSync(folder).isDirectory()) {
    const advice = 'Set VITRINE_DATA to a folder, or move this file elsewhere.';
    return failed(subject, `data folder ${folder} is not a folder`, advice);
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const advice = 'Make the user who runs the service the owner of the folder.';
    return failed(subject, `data folder ${folder} is not readable and writable`, advice);
  }
  return ok(subject, `complete; data folder ${folder}`);
}

/** Checks the service step by step, and stops at the first step that fails. */
async function checkService(options: Options, address: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const get = (path: string, token = '') =>
    request({ address, token }, 'GET', path, { waitMilliseconds });
  try {
    const started = performance.now();
    const health = await get('/healthz');
    if (parsed(health.text)?.status !== 'ok') {
      const advice = 'Name the service with --url or VITRINE_PUBLIC_URL.';
      return [failed('service', `${address} is not a Vitrine service`, advice)];
    }
    const milliseconds = Math.ceil(performance.now() - started);
    findings.push(ok('service', `answers at ${address} within ${milliseconds} ms`));
    const ready = await get('/readyz');
    const storesAdvice =
      "Check that the stores are running, the service's DATABASE_URL and CLICKHOUSE_URL, and its log.";
    findings.push(
      ready.status === 200
        ? ok('stores', 'both answer')
        : failed('stores', reasonOf(ready.status, ready.text), storesAdvice),
    );
    const token = tokenOf(options, address);
    const before = Date.now();
    const answer = await get(contracts.diagnose.path, token);
    const halfTrip = (Date.now() - before) / 2;
    findings.push(...checkDiagnosis(answer, before + halfTrip, halfTrip));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const subject = ['service', 'stores', 'token'][findings.length] ?? 'service';
    const [finding, ...advice] = error.message.split(/(?<=\.) /);
    const hint = advice.join(' ') || "Check the service's log.";
    findings.push(failed(subject, finding!.replace(/\.$/, ''), hint));
  }
  return findings;
}

/** `middle` is local time in the middle of the round trip, `halfTrip` half its length. */
function checkDiagnosis({ status, text }: RawAnswer, middle: number, halfTrip: number): Finding[] {
  if (status === 401 || status === 403) {
    const advice =
      "Give this service's token with --token or VITRINE_OPERATOR_TOKEN, or set VITRINE_DATA to its data folder.";
    return [failed('token', 'not accepted by the service', advice)];
  }
  const answer = status === 200 ? (parsed(text) as Diagnosis | undefined) : undefined;
  const token = ok('token', 'accepted');
  if (answer?.findings === undefined)
    return [token, failed('diagnosis', reasonOf(status, text), "Check the service's log.")];
  // The service reports whole seconds, so assume the middle of that second.
  const seconds = answer.at + 0.5 - middle / 1000;
  const difference = `${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
  const clocks =
    Math.abs(seconds) <= clockSecondsMax + halfTrip / 1000
      ? ok('clocks', 'this machine and the service agree')
      : warning(
          'clocks',
          `the service is ${difference}`,
          'Synchronise both clocks with NTP; key expiry and usage by hour depend on them.',
        );
  return [token, clocks, ...answer.findings];
}

function print(findings: readonly Finding[]): void {
  const lines = tableOf(
    findings,
    [
      { heading: 'state', show: ({ state }) => labels[state] },
      { heading: 'subject', show: ({ subject }) => subject },
      { heading: 'finding', show: ({ finding }) => finding },
    ],
    Number.POSITIVE_INFINITY,
  ).split('\n');
  console.log(lines[0]);
  for (const [at, { advice }] of findings.entries()) {
    console.log(lines[at + 1]);
    if (advice !== null) console.log(`  -> ${asTyped(advice)}`);
  }
  const count = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).length;
  console.log(`\n${count('well')} ok, ${count('warning')} warnings, ${count('failed')} failed.`);
}

function ok(subject: string, finding: string): Finding {
  return { subject, state: 'well', finding, advice: null };
}

function warning(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'warning', finding, advice };
}

function failed(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'failed', finding, advice };
}
