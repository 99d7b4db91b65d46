/** `vitrine freshness`. */
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import { operatorContracts } from '../endpoints/operator/contracts.ts';
import { importContracts } from '../endpoints/operator/imports/contract.ts';
import { call, callAll, helpOf, listedRowsMax, printJson } from './operation.ts';
import {
  addServiceOptions,
  endWell,
  type Service,
  type ServiceOptions,
  serviceOf,
} from './service.ts';
import { type Column, countOf, tableOf, timeOf } from './table.ts';

type Freshness = AnswerOf<typeof importContracts.readFreshness>;
type Row = Freshness['datasets'][number] & { readonly channelId: string | null };

/** Channels that are asked about at the same time. */
const askedAtOnce = 4;
const columns: readonly Column<Row>[] = [
  { field: 'channelId', heading: 'channel', mayBeCut: true },
  'dataset',
  'from',
  'to',
  'rows',
  { field: 'rowsCoarse', heading: 'coarse', mayBeLeftOut: true },
  {
    heading: 'last import',
    show: ({ lastImport }) => lastImport && timeOf(lastImport.finishedAt),
    mayBeLeftOut: true,
  },
];
const about = `Without a channel it tells of exchange rates and of every channel; as JSON that is a list of the service's answers.`;

/** Makes `command` what tells how far facts reach. */
export function addFreshness(command: Command): void {
  command.argument('[channelId]', 'only this channel');
  addServiceOptions(command)
    .addHelpText(
      'after',
      helpOf(about, ['freshness', 'freshness northwind-us', 'freshness --json']),
    )
    .action((channelId: string | undefined, options: ServiceOptions) =>
      endWell(command, async () => {
        const service = serviceOf(options);
        const answers =
          channelId === undefined ? await readAll(service) : [await read(service, channelId)];
        if (options.json) printJson(channelId === undefined ? answers : answers[0]);
        else tell(answers);
        return undefined;
      }),
    );
}

function read(service: Service, channelId?: string): Promise<Freshness> {
  return call(service, importContracts.readFreshness, channelId === undefined ? {} : { channelId });
}

async function readAll(service: Service): Promise<Freshness[]> {
  const { channels, total } = await callAll(
    service,
    operatorContracts.listAllChannels,
    {},
    'channels',
  );
  if (channels.length < total)
    console.error(
      `Only the first ${countOf(listedRowsMax)} of ${countOf(total)} channels are told of.`,
    );
  const asked = [undefined, ...channels.map((channel) => channel.channelId)];
  const answers: Freshness[] = [];
  for (let at = 0; at < asked.length; at += askedAtOnce) {
    answers.push(
      ...(await Promise.all(
        asked.slice(at, at + askedAtOnce).map((channelId) => read(service, channelId)),
      )),
    );
  }
  return answers;
}

function tell(answers: readonly Freshness[]): void {
  const rows = answers.flatMap(({ channelId, datasets }) =>
    datasets.map((dataset) => ({ ...dataset, channelId })),
  );
  if (rows.length > 0) console.log(tableOf(rows, columns));
  const silent = answers.flatMap(({ channelId, datasets }) =>
    datasets.length > 0 ? [] : [channelId ?? 'exchange rates'],
  );
  if (silent.length > 0) console.error(`Without any facts: ${silent.join(', ')}.`);
}
