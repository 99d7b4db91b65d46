/** `vitrine doctor`: examines this machine, the way to the service and the service itself. It changes nothing. */
import { accessSync, constants, existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { overviewContracts as contracts } from '../endpoints/operator/overviewContracts.ts';
import { helpOf, printJson } from './operation.ts';
import {
  addressOf,
  addServiceOptions,
  ask,
  dataFolder,
  endWell,
  exitCodes,
  Failure,
  isHere,
  parsed,
  type RawAnswer,
  reasonOf,
  type ServiceOptions,
  tokenOf,
} from './service.ts';
import { tableOf } from './table.ts';

type Diagnosis = AnswerOf<typeof contracts.diagnose>;
type Finding = Diagnosis['findings'][number];
type Options = ServiceOptions & { readonly strict?: true };

const nodeMin = '24.7';
const waitMilliseconds = 15_000;
/** By how many seconds the clocks may differ, besides what the way of the answer explains. */
const clockSecondsMax = 5;
const exitCodesHelp =
  'Exit codes: 0 nothing has failed, 2 not understood, 4 something has failed, or with --strict is to be warned of.';

/** Makes `command` the examination. */
export function addDoctor(command: Command): void {
  command.option('--strict', 'end with 4 for a warning, too');
  addServiceOptions(command, 'the findings as JSON')
    .addHelpText(
      'after',
      helpOf(
        '',
        [
          'doctor',
          'doctor --strict --json',
          'doctor --url https://api.example.com --token "$TOKEN"',
        ],
        exitCodesHelp,
      ),
    )
    .action((options: Options) => endWell(command, () => examine(options)));
}

async function examine(options: Options): Promise<number> {
  const address = addressOf(options);
  const findings = [
    nodeFinding(),
    configurationFinding(address),
    ...(await serviceFindings(options, address)),
  ];
  const state =
    (['failed', 'warning'] as const).find((one) =>
      findings.some((finding) => finding.state === one),
    ) ?? 'well';
  if (options.json) printJson({ state, at: Math.floor(Date.now() / 1000), findings });
  else tell(findings);
  return state === 'failed' || (state === 'warning' && options.strict)
    ? exitCodes.unwell
    : exitCodes.done;
}

function nodeFinding(): Finding {
  const { node } = process.versions;
  const isNew = node.localeCompare(nodeMin, 'en', { numeric: true }) >= 0;
  return isNew
    ? well('Node here', node)
    : failed(
        'Node here',
        node,
        `Install Node ${nodeMin} or later, or run by npm, which brings it (Linux).`,
      );
}

/** What the environment says about a service on this machine. */
function configurationFinding(address: string): Finding {
  if (!isHere(address))
    return well('configuration here', 'not looked at, because the service is on another machine');
  const isServed = Boolean(process.env.DATABASE_URL?.trim() || process.env.CLICKHOUSE_URL?.trim());
  // A secret and a token that are missing would be made and kept; who only looks makes none.
  const standIns = isServed
    ? {}
    : { VITRINE_SECRET: 'x'.repeat(32), VITRINE_OPERATOR_TOKEN: 'x'.repeat(32) };
  try {
    readConfig({ ...process.env, ...standIns });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(
      'configuration here',
      error.message.replaceAll(/\n\s*- /g, ' '),
      'Set these variables as docs/operations.md says.',
    );
  }
  const folder = dataFolder();
  if (!existsSync(folder)) {
    const advice = 'Name the data folder by VITRINE_DATA, or start the service, which makes it.';
    return isServed
      ? well('configuration here', 'complete')
      : warning('configuration here', `there is no data folder ${folder}`, advice);
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
  } catch {
    return failed(
      'configuration here',
      `${folder} cannot be read and written to`,
      'Give the folder to whoever runs the service.',
    );
  }
  return well('configuration here', `complete; data folder ${folder}`);
}

/** Each step is taken only where the one before it succeeded. */
async function serviceFindings(options: Options, address: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const get = (path: string, token = '') =>
    ask({ address, token }, 'GET', path, { waitMilliseconds });
  try {
    const asked = performance.now();
    const health = await get('/healthz');
    if (parsed(health.text)?.status !== 'ok') {
      return [
        failed(
          'service',
          `what answers at ${address} is not Vitrine`,
          'Name the service by --url or VITRINE_PUBLIC_URL.',
        ),
      ];
    }
    findings.push(
      well('service', `answers at ${address} within ${Math.ceil(performance.now() - asked)} ms`),
    );
    const ready = await get('/readyz');
    findings.push(
      ready.status === 200
        ? well('stores', 'both answer')
        : failed(
            'stores',
            reasonOf(ready.status, ready.text),
            'See that the stores run, and that DATABASE_URL and CLICKHOUSE_URL of the service lead to them.',
          ),
    );
    const token = tokenOf(options, address);
    const before = Date.now();
    const answer = await get(contracts.diagnose.path, token);
    findings.push(
      ...diagnosisFindings(answer, (before + Date.now()) / 2, (Date.now() - before) / 2),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The last step that was taken is the one that failed.
    const subject = ['service', 'stores', 'token'][findings.length] ?? 'service';
    const [finding, ...advice] = error.message.split(/(?<=\.) /);
    findings.push(
      failed(
        subject,
        finding!.replace(/\.$/, ''),
        advice.join(' ') || 'See the log of the service.',
      ),
    );
  }
  return findings;
}

/** `readAt` is this machine's time in the middle of the answer's way, `wayMilliseconds` how long half of that took. */
function diagnosisFindings(
  { status, text }: RawAnswer,
  readAt: number,
  wayMilliseconds: number,
): Finding[] {
  if (status === 401 || status === 403) {
    return [
      failed(
        'token',
        'was not accepted by the service',
        'Give the token of this service by --token, by VITRINE_OPERATOR_TOKEN, or name its data folder by VITRINE_DATA.',
      ),
    ];
  }
  const answer = status === 200 ? (parsed(text) as Diagnosis | undefined) : undefined;
  const token = well('token', 'accepted');
  if (answer?.findings === undefined)
    return [token, failed('diagnosis', reasonOf(status, text), 'See the log of the service.')];
  // The service tells whole seconds, in the middle of which it is taken to have been.
  const seconds = answer.at + 0.5 - readAt / 1000;
  const words = `${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
  const clocks =
    Math.abs(seconds) <= clockSecondsMax + wayMilliseconds / 1000
      ? well('clocks', 'this machine and the service agree')
      : warning(
          'clocks',
          `the service is ${words}`,
          'Let both set their clocks by NTP; the end of a key or of an hour depends on it.',
        );
  return [token, clocks, ...answer.findings];
}

function tell(findings: readonly Finding[]): void {
  const lines = tableOf(
    findings,
    [
      { heading: 'state', show: ({ state }) => (state === 'well' ? 'well' : state.toUpperCase()) },
      { heading: 'subject', show: ({ subject }) => subject },
      { heading: 'finding', show: ({ finding }) => finding },
    ],
    Number.POSITIVE_INFINITY,
  ).split('\n');
  console.log(lines[0]);
  for (const [at, { advice }] of findings.entries()) {
    console.log(lines[at + 1]);
    if (advice !== null) console.log(`  -> ${advice}`);
  }
  const count = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).length;
  console.log(
    `\n${count('well')} well, ${count('warning')} to be warned of, ${count('failed')} failed.`,
  );
}

function well(subject: string, finding: string): Finding {
  return { subject, state: 'well', finding, advice: null };
}

function warning(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'warning', finding, advice };
}

function failed(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'failed', finding, advice };
}
