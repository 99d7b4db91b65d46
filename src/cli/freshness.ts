/** `vitrine freshness`. */
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import { listAllChannels } from '../endpoints/operator/channels/contract.ts';
import { readFreshness } from '../endpoints/operator/freshness/contract.ts';
import { call, callAll, listedRowsMax, printJson } from './operation.ts';
import { addServiceCommand, type Service, serviceOf } from './service.ts';
import { type Column, countOf, tableOf, timeOf } from './table.ts';
import { asTyped } from './wording.ts';

type Freshness = AnswerOf<typeof readFreshness>;
type Row = Freshness['datasets'][number] & { readonly channelId: string | null };

/** Channels that are requested at the same time. */
const concurrentRequests = 4;
const columns: readonly Column<Row>[] = [
  { field: 'channelId', heading: 'channel', canCut: true },
  'dataset',
  'from',
  'to',
  'rows',
  { field: 'rowsCoarse', heading: 'multi-day', canDrop: true },
  {
    heading: 'last import',
    show: ({ lastImport }) => lastImport && timeOf(lastImport.finishedAt),
    canDrop: true,
  },
];
const help = {
  about: `Without a channel, lists the exchange rates and every channel. As JSON that is an array
with the service's answer for each of them.`,
  examples: ['freshness', 'freshness northwind-us', 'freshness --json'],
};

/** Makes `command` list how recent facts are. */
export function addFreshness(command: Command): void {
  command.argument('[channelId]', 'only this channel');
  addServiceCommand(command, help, async (options, args) => {
    const [channelId] = args as [string?];
    const service = serviceOf(options);
    const answers =
      channelId === undefined ? await readAll(service) : [await read(service, channelId)];
    if (options.json) printJson(channelId === undefined ? answers : answers[0]);
    else print(answers);
  });
}

function read(service: Service, channelId?: string): Promise<Freshness> {
  return call(service, readFreshness, channelId === undefined ? {} : { channelId });
}

async function readAll(service: Service): Promise<Freshness[]> {
  const { channels, total } = await callAll(service, listAllChannels, {}, 'channels');
  if (channels.length < total)
    console.error(`Showing the first ${countOf(listedRowsMax)} of ${countOf(total)} channels.`);
  const ids = [undefined, ...channels.map((channel) => channel.channelId)];
  const answers: Freshness[] = [];
  for (let at = 0; at < ids.length; at += concurrentRequests) {
    const some = ids.slice(at, at + concurrentRequests);
    answers.push(...(await Promise.all(some.map((channelId) => read(service, channelId)))));
  }
  return answers;
}

function print(answers: readonly Freshness[]): void {
  const rows = answers.flatMap(({ channelId, datasets }) =>
    datasets.map((dataset) => ({ ...dataset, channelId })),
  );
  if (rows.length > 0) console.log(tableOf(rows, columns));
  for (const { channelId, heldBack } of answers)
    for (const reason of heldBack) console.error(`${channelId}: ${asTyped(reason)}`);
  const empty = answers.flatMap(({ channelId, datasets }) =>
    datasets.length > 0 ? [] : [channelId ?? 'exchange rates'],
  );
  for (const { channelId, notes } of answers)
    for (const { text, from, to, imports } of notes) {
      const named = imports.length > 0 ? ` Imports: ${imports.join(', ')}.` : '';
      console.error(`${channelId}, ${from} to ${to}: ${asTyped(text)}${named}`);
    }
  if (empty.length > 0) console.error(`No facts yet: ${empty.join(', ')}.`);
}
