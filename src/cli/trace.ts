/** `vitrine trace`: where the figures of a day come from. */
import type { Command } from 'commander';
import type { AnswerOf, InputOf } from '../contract/endpoint.ts';
import { datedDatasets } from '../contract/importable.ts';
import { listChannels } from '../endpoints/channels/contract.ts';
import { readLineage } from '../endpoints/lineage/contract.ts';
import { callPublic, printJson } from './operation.ts';
import {
  addServiceCommand,
  Failure,
  keyOption,
  publicServiceOf,
  type Service,
  type ServiceOptions,
} from './service.ts';
import { type Column, tableOf, timeOf } from './table.ts';

type Options = ServiceOptions & {
  readonly key?: string;
  readonly merchant?: string;
  readonly currency?: string;
};
type Lineage = AnswerOf<typeof readLineage>;

const help = {
  about:
    'Lists the imports and documents behind the facts of a date, what superseded what, and the\n' +
    'exchange rate. The command calls the API with the key of a user.',
  examples: [
    'trace acme-us traffic 2026-10-01 --key "$KEY"',
    'trace acme-us orderLines 2026-10-01 --currency EUR --key "$KEY" --json',
  ],
  needsToken: false,
};

/** Makes `command` trace the figures of a day. */
export function addTrace(command: Command): void {
  command
    .argument('<channelId>', 'the channel')
    .argument('<dataset>', `the dataset: ${datedDatasets.join(', ')}`)
    .argument('<date>', "the date in the channel's time zone, YYYY-MM-DD")
    .option('--merchant <merchantId>', 'the merchant that owns the channel (default: looked up)')
    .option('--currency <code>', 'show the exchange rates to this currency')
    .option(...keyOption);
  addServiceCommand<Options>(command, help, async (options, args) => {
    const [channelId, dataset, date] = args as [string, Lineage['dataset'], string];
    const service = publicServiceOf(options);
    const merchantId = options.merchant ?? (await merchantOf(service, channelId));
    const { currency } = options;
    const input = { channelId, merchantId, date, ...(currency !== undefined && { currency }) };
    const answer = await callPublic(service, readLineage, {
      ...input,
      dataset: dataset as InputOf<typeof readLineage>['dataset'],
    });
    if (options.json) printJson(answer);
    else console.log(textOf(answer));
  });
}

/** The merchant that owns a channel of the key. */
async function merchantOf(service: Service, channelId: string): Promise<string> {
  const channels = await callPublic(service, listChannels, {});
  const found = channels.find((one) => one.channelId === channelId);
  if (found === undefined) throw new Failure(`The key reaches no channel ${channelId}.`);
  return found.merchantId;
}

const importColumns: readonly Column<Lineage['imports'][number]>[] = [
  { field: 'importId', heading: 'import' },
  { field: 'dataset', canCut: true },
  'standing',
  { heading: 'file', show: ({ document }) => document?.fileName, canCut: true },
  { field: 'rowsAccepted', heading: 'accepted' },
  { field: 'rowsRejected', heading: 'rejected', canDrop: true },
  'from',
  'to',
  {
    heading: 'finished',
    show: ({ finishedAt }) => finishedAt && timeOf(finishedAt),
    canDrop: true,
  },
  { heading: 'SHA-256', show: ({ document }) => document?.sha256, canCut: true, canDrop: true },
];

function textOf(lineage: Lineage): string {
  const { dataset, date, timezone, facts, imports, superseded, rates } = lineage;
  const nothing = `No facts of ${dataset} on ${date} (${timezone}).`;
  const sections = [
    facts.length === 0 ? nothing : tableOf(facts.map(lineOf), factColumns),
    imports.length > 0 && tableOf(imports, importColumns),
    superseded.length > 0 &&
      tableOf(superseded, [
        { field: 'importId', heading: 'superseded' },
        { heading: 'by', show: ({ supersededBy }) => String(supersededBy) },
        'reason',
        'table',
        'partition',
        'rows',
      ]),
    ...lineage.unknownCodes.map(codeText),
    ...rates.map(rateText),
  ];
  return sections.filter((section) => section !== false).join('\n\n');
}

const factColumns = [
  'table',
  'partition',
  { heading: 'import', show: ({ importId }: Line) => String(importId) },
  'rows',
  { field: 'figures', canCut: true },
] as const satisfies readonly Column<Line>[];
type Line = ReturnType<typeof lineOf>;

function lineOf({ table, partition, importId, rows, sums }: Lineage['facts'][number]) {
  const figures = sums.map(({ currency, figures: ofCurrency }) =>
    [
      ...Object.entries(ofCurrency).map(([name, value]) => `${name} ${value}`),
      ...(currency === null ? [] : [currency]),
    ].join(' '),
  );
  return { table, partition, importId, rows, figures: figures.join('; ') };
}

function codeText({ code, line, amount, currency }: Lineage['unknownCodes'][number]): string {
  const standing = line === null ? 'unknown, posted by its sign' : `named: ${line}`;
  return `code ${code} (${amount} ${currency}): ${standing}`;
}

function rateText({ from, to, rate, published }: Lineage['rates'][number]): string {
  if (rate === null) return `No exchange rate from ${from} to ${to} is known.`;
  const sources = published.map(
    ({ currency, date, perEuro, peggedTo, importId, source }) =>
      `  ${date}  1 EUR = ${perEuro} ${currency}${peggedTo === null ? '' : ` (fixed to ${peggedTo})`}, ${source}, import ${importId}`,
  );
  return [`1 ${from} = ${rate} ${to}`, ...sources].join('\n');
}
