/**
 * The judgements of a diagnosis. Pure functions; no finding repeats a secret or an address with a
 * password.
 */
import { ownRates } from '../../../../schema/warehouse/tables.ts';
import { isoDate } from '../../../calendar/period.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { Look } from '../../../engine/damage.ts';
import type { StoreStatus } from '../../../engine/health.ts';
import type { ValidRate } from '../../../report/validRates.ts';
import type { ServiceConfig } from '../../handler.ts';
import type { diagnose } from './contract.ts';

const millisecondsPerDay = 86_400_000;

/** A finding of the diagnosis. */
export type Finding = AnswerOf<typeof diagnose>['findings'][number];

const clockMillisecondsMax = 2_000;
const gibibyte = 2 ** 30;
const diskBytesMin = 5 * gibibyte;
const diskShareMin = 0.1;
const diskShareFailing = 0.01;
const ratesAgeDaysMax = 7;
const channelsNamedMax = 10;

/** A finding that needs no action. */
export function well(subject: string, finding: string): Finding {
  return { subject, state: 'well', finding, advice: null };
}

/** A finding that should be acted on. */
export function warning(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'warning', finding, advice };
}

/** A finding that must be acted on. */
export function failed(subject: string, finding: string, advice: string): Finding {
  return { subject, state: 'failed', finding, advice };
}

/** The worst state of the findings. */
export function worst(findings: readonly Finding[]): Finding['state'] {
  const states = findings.map((finding) => finding.state);
  return states.includes('failed') ? 'failed' : states.includes('warning') ? 'warning' : 'well';
}

/** Judges the settings that the service was started with. */
export function judgeConfiguration({ publicUrl, host, environment }: ServiceConfig): Finding[] {
  const subject = 'configuration';
  const address = new URL(publicUrl);
  const findings: Finding[] = [];
  if (
    !isOfThisMachine(host) &&
    (isOfThisMachine(address.hostname) || isUnspecified(address.hostname))
  ) {
    findings.push(
      warning(
        subject,
        `the service listens on ${host}, but its public address is ${address.origin}`,
        'Set VITRINE_PUBLIC_URL to the address by which clients reach the service, such as https://api.example.com.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [well(subject, `${environment}, listens on ${host}, public address ${address.origin}`)];
}

function isOfThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

function isUnspecified(host: string): boolean {
  return /^(0\.0\.0\.0|\[?::\]?)$/.test(host);
}

/** The most damaged stores and files that a finding lists. */
const damagedMax = 10;

/** Judges a store that answered. */
export function judgeStore(
  subject: string,
  { engine, schema: { held, newest }, isDamaged = false, servers }: StoreStatus,
): Finding {
  if (servers !== undefined && servers.silent > 0) {
    return failed(
      subject,
      `${servers.silent} of ${servers.all} servers of ${engine} do not answer`,
      'Start them: until then the channels that lie there are neither read nor imported.',
    );
  }
  if (isDamaged) {
    return failed(
      subject,
      `${engine} found a part of its file damaged`,
      'Restore backups of the registry and the warehouse that were made at the same time.',
    );
  }
  if (held < newest) {
    return failed(
      subject,
      `${engine} holds schema ${held}, older than ${newest}`,
      'Restart this node: it upgrades the schema when it starts.',
    );
  }
  if (held > newest) {
    return warning(
      subject,
      `${engine} holds schema ${held}, newer than the ${newest} of this node`,
      'Update this node to the release of the node that upgraded the schema.',
    );
  }
  return well(subject, `${engine} answers and holds the newest schema, ${held}`);
}

/** Judges the last look for damage; undefined before the first one has ended. */
export function judgeDamage(
  look: Pick<Look, 'at' | 'damaged'> | undefined,
  isNew: boolean,
): Finding {
  const damaged = look?.damaged ?? [];
  if (damaged.length > 0)
    return failed(
      'damage',
      `not as it was written: ${damaged.slice(0, damagedMax).join(', ')}`,
      'Look after the disk. Restore a backup for a store (vitrine restore), and create reports anew.',
    );
  if (isNew) return well('damage', 'everything stored is as it was written');
  const found = look ? `none at ${new Date(look.at).toISOString()}` : 'none found yet';
  return well('damage', `${found}; everything stored takes longer to read than this diagnosis`);
}

/**
 * Judges the clock of a store, in epoch milliseconds. It was read between `before` and `after` by
 * the clock of this process.
 */
export function judgeClock(subject: string, clock: number, before: number, after: number): Finding {
  const ahead = clock > after ? clock - after : clock < before ? clock - before : 0;
  if (Math.abs(ahead) <= clockMillisecondsMax)
    return well(subject, 'it agrees with the clock of this node');
  const amount = `${(Math.abs(ahead) / 1000).toFixed(1)} s`;
  return warning(
    subject,
    `it is ${amount} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of this node`,
    'Synchronise both machines with the same time servers (NTP): keys, links and limits expire by their clocks.',
  );
}

/** A disk: its space in bytes, the files that it may have (0 if any number), and its rights. */
type Disk = Readonly<Record<'free' | 'size' | 'filesFree' | 'files', number>> & {
  readonly isWritable: boolean;
};

/** Judges whether the disk of a folder has room for more. */
export function judgeDisk(
  folder: string,
  { free, size, filesFree, files, isWritable }: Disk,
): Finding {
  if (!isWritable)
    return failed(
      'disk',
      `the service must not write to ${folder}`,
      'Mount its disk for writing, and make the user who runs the service its owner.',
    );
  if (files > 0 && filesFree < files * diskShareFailing)
    return failed(
      'disk',
      `the disk of ${folder} has room for ${filesFree} more files of ${files}`,
      'Remove files from this disk (df -i counts them), or use one that takes more.',
    );
  const share = size > 0 ? free / size : 0;
  const finding = `${(free / gibibyte).toFixed(1)} GiB free on the disk of ${folder}, ${(share * 100).toFixed(1)} %`;
  const advice = `Free space on the disk of ${folder} or use a larger one: imports fail when it is full.`;
  if (share < diskShareFailing) return failed('disk', finding, advice);
  if (share < diskShareMin || free < diskBytesMin) return warning('disk', finding, advice);
  return well('disk', finding);
}

/** Judges the version of Node, such as v24.1.0, against the required one, such as >=24.7. */
export function judgeNode(version: string, wanted: string): Finding {
  const numbersIn = (text: string) => /[\d.]+/.exec(text)?.[0] ?? '';
  if (numbersIn(version).localeCompare(numbersIn(wanted), 'en', { numeric: true }) >= 0)
    return well('node', `Node ${version}`);
  return failed('node', `Node ${version} is not supported`, `Run the service with Node ${wanted}.`);
}

/**
 * Judges the exchange rates that are valid today by the age of the newest: of the published rates,
 * which show whether the bank's history still arrives, or of own rates if there are no others. A
 * new installation, which got its first history on the day `firstHistory`, may still have the rates
 * that ship with it. Own rates are named with their dates.
 */
export function judgeRates(
  rates: readonly ValidRate[],
  today: number,
  firstHistory?: number,
): Finding[] {
  const own = rates.filter(({ source }) => source === ownRates);
  const published = rates.filter(({ source }) => source !== ownRates);
  const days = (published.length > 0 ? published : own).map(({ day }) => day);
  const newest = days.length === 0 ? undefined : Math.max(...days);
  const names = own.map(({ currency, day }) => `${currency} of ${isoDate(day)}`);
  return [
    judgeNewestRate(newest, today, firstHistory ?? Number.NEGATIVE_INFINITY),
    ...(own.length === 0 ? [] : [well('own exchange rates', `in use: ${names.join(', ')}`)]),
  ];
}

function judgeNewestRate(newest: number | undefined, today: number, firstHistory: number): Finding {
  const advice =
    'Run "vitrine rates update", with --source FILE if the service has no internet access. The log says why the daily download does not bring newer rates.';
  if (newest === undefined)
    return warning('exchange rates', 'there are none, so no currency can be converted', advice);
  const age = today - newest;
  if (age > ratesAgeDaysMax && today - firstHistory <= ratesAgeDaysMax)
    return well('exchange rates', `the newest are ${age} days old, as in a new installation`);
  if (age > ratesAgeDaysMax)
    return warning('exchange rates', `the newest are ${age} days old`, advice);
  return well(
    'exchange rates',
    `the newest are ${age <= 0 ? 'of today' : age === 1 ? 'a day old' : `${age} days old`}`,
  );
}

/** Judges imports: which ones run too long, and how many failed recently. */
export function judgeImports(running: readonly number[], failures: number): Finding[] {
  const subject = 'imports';
  const findings: Finding[] = [];
  if (running.length > 0) {
    findings.push(
      warning(
        subject,
        `running for more than an hour: ${running.join(', ')}`,
        `Call GET /operator/imports/${running[0]} twice: if rowsRead does not rise, the import died with its node. Send its document again: the facts are the same whether or not it had been imported.`,
      ),
    );
  }
  if (failures > 0) {
    findings.push(
      warning(
        subject,
        `failed in the last 7 days: ${failures}`,
        'GET /operator/imports?state=failed says why; correct that and send the documents again.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [well(subject, 'none runs too long, none failed in the last 7 days')];
}

/** Judges where the registry and the warehouse disagree. */
export function judgePairing(disagreements: readonly string[]): Finding {
  const subject = 'pairing';
  if (disagreements.length === 0)
    return well(subject, 'the registry and the warehouse belong together');
  return failed(
    subject,
    disagreements.join('; '),
    'Stop the service and restore backups of both stores that were made at the same time; without backups, run "vitrine stores --accept" and import the missing documents again.',
  );
}

/** Judges keys: how many have no API access, and how many expire soon. */
export function judgeKeys(withoutAccess: number, ending: number): Finding {
  const parts = [
    ...(withoutAccess > 0
      ? [
          {
            seen: `keys of organisations without API access: ${withoutAccess}`,
            advice: 'Enable API access of their organisations, or revoke these keys.',
          },
        ]
      : []),
    ...(ending > 0
      ? [
          {
            seen: `keys that expire within 7 days: ${ending}`,
            advice:
              'Make sure that their users have new keys, or extend these (PATCH /operator/keys/{keyId}).',
          },
        ]
      : []),
  ];
  if (parts.length === 0) return well('keys', 'all can be used, and none expires within 7 days');
  return warning(
    'keys',
    parts.map((part) => part.seen).join('; '),
    parts.map((part) => part.advice).join(' '),
  );
}

/** Judges how many channels have had no import for days. */
export function judgeFacts(stale: number, channels: number): Finding {
  if (stale === 0)
    return well('facts', `every channel had an import in the last 3 days (channels: ${channels})`);
  return warning(
    'facts',
    `channels without an import in the last 3 days: ${stale} of ${channels}`,
    'GET /operator/freshness?channelId=... shows the dates that facts of a channel cover; import what is missing, regularly.',
  );
}

/** Judges the tax in prices, by the identifiers of channels. */
export function judgeTaxes(earlier: readonly string[], unstated: readonly string[]): Finding[] {
  const subject = 'taxes';
  const findings: Finding[] = [];
  if (earlier.length > 0)
    findings.push(
      warning(
        subject,
        `channels with orders whose prices were read by an earlier version: ${named(earlier)}`,
        'Import their documents of orders again; GET /operator/freshness?channelId=... names the imports.',
      ),
    );
  if (unstated.length > 0)
    findings.push(
      warning(
        subject,
        `channels whose net figures hold tax that no document states: ${named(unstated)}`,
        'Save their tax rates, such as "vitrine channels taxes CHANNEL --rate 19".',
      ),
    );
  return findings.length > 0
    ? findings
    : [well(subject, 'net figures of all channels are without tax, as far as documents show')];
}

/** Judges the channels with documents that an earlier version read differently. */
export function judgeReadings(earlier: readonly string[]): Finding {
  const subject = 'readings';
  return earlier.length === 0
    ? well(subject, 'no document wants importing again for the way in which it was read')
    : warning(
        subject,
        `channels with documents of advertising that an earlier version read in another way: ${named(earlier)}`,
        'Import these documents again; GET /operator/freshness?channelId=... names the imports.',
      );
}

function named(channels: readonly string[]): string {
  const others = channels.length - channelsNamedMax;
  const shown = channels.slice(0, channelsNamedMax).join(', ');
  return others > 0 ? `${shown} and ${others} more` : shown;
}

/** Times by which records are judged, in milliseconds. */
export const spans = {
  runningImport: 3_600_000,
  failedImport: 7 * millisecondsPerDay,
  endingKey: 7 * millisecondsPerDay,
  staleFacts: 3 * millisecondsPerDay,
} as const;
