/** Imports, documents and freshness: the operator's routes that bring facts in and tell how far they reach. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import type { Channel } from '../../../access/channels.ts';
import { plainCommit } from '../../../access/idempotency.ts';
import { dayNumber, isoDate } from '../../../calendar/period.ts';
import type { Contract, InputOf } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { ImportRecord } from '../../../engine/registry.ts';
import { addOperation } from '../../../http/route.ts';
import type { OperatorParts } from '../../../http/server.ts';
import { datasets } from '../../../import/datasets/datasets.ts';
import {
  type FinanceAnswer,
  type ImportAsked,
  type Importer,
  ImportRefused,
  tablesOf,
} from '../../../import/importer.ts';
import type { Format, Rejection } from '../../../import/messages.ts';
import { change, seconds } from '../handler.ts';
import { importContracts as contracts } from './contract.ts';

type Contracts = typeof contracts;

const formats: Readonly<Record<string, Format>> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};
const rejectionsPerRead = 1000;

/** Adds the routes to a server of their own, whose bodies stay streams. */
export function addImports(
  server: FastifyInstance,
  context: OperatorParts & { readonly importer: Importer },
): void {
  const { registry, warehouse, importer } = context;
  const commit = plainCommit(registry);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  async function channelOf(channelId: string): Promise<Channel> {
    const channel = await registry.records
      .selectFrom('channel')
      .selectAll()
      .where('channelId', '=', channelId)
      .executeTakeFirst();
    if (!channel) throw new Refusal(404, 'there is no channel of this channelId');
    return channel;
  }

  /** Runs an import, notes it in the audit and says in words why a document was refused. */
  async function run(operation: keyof Contracts, asked: ImportAsked, request: FastifyRequest) {
    const body = request.body instanceof Readable ? request.body : Readable.from([]);
    try {
      const answer = await importer.import(asked, body);
      const { rejected: _, ...detail } = answer;
      await change({ ...context, commit }, (_transaction, note) =>
        note({ action: operation, subject: asked.channel?.channelId ?? '', detail }),
      );
      return answer;
    } catch (error) {
      if (error instanceof ImportRefused)
        throw new Refusal(400, `${error.message} (import ${error.importId})`);
      throw error;
    }
  }

  add(contracts.importDataset, async ({ dataset, channelId, from, to, onError }, request) => {
    const { media, charset } = mediaOf(request);
    const format = formats[media];
    if (!format)
      throw new Refusal(415, 'the header content-type must be application/x-ndjson or text/csv');
    if (dataset === 'orders' && format === 'csv')
      throw new Refusal(
        415,
        'orders hold their items and so come as application/x-ndjson; orderLines come as text/csv too',
      );
    const ofChannel = datasets[dataset]?.ofChannel ?? true;
    if (ofChannel && channelId === undefined) throw new Refusal(400, 'channelId is required');
    if (!ofChannel && channelId !== undefined)
      throw new Refusal(400, `${dataset} belong to no channel: leave channelId out`);
    return run(
      'importDataset',
      {
        content: { dataset, format },
        ...(charset !== undefined && { charset }),
        ...(channelId !== undefined && { channel: await channelOf(channelId) }),
        ...coverOf(from, to),
        coarseOnLastDay: false,
        abortOnRejection: onError === 'abort',
      },
      request,
    );
  });

  add(
    contracts.importDocument,
    async ({ channelId, type, coarse, attribution, from, to, onError }, request) => {
      const { charset } = mediaOf(request);
      return run(
        'importDocument',
        {
          content: {
            document: true,
            ...(type !== undefined && { kind: type }),
            attributionDays: attribution === '7' ? 7 : 14,
          },
          ...(charset !== undefined && { charset }),
          ...(channelId !== undefined && { channel: await channelOf(channelId) }),
          ...coverOf(from, to),
          coarseOnLastDay: coarse === 'lastDay',
          abortOnRejection: onError === 'abort',
        },
        request,
      );
    },
  );

  const importsWithChannels = () =>
    registry.records
      .selectFrom('import')
      .leftJoin('channel', 'channel.channelNumber', 'import.channelNumber')
      .selectAll('import')
      .select('channel.channelId');

  add(contracts.listImports, async ({ channelId, dataset, state, pageIndex, pageSize }) => {
    const imports = importsWithChannels()
      .$if(channelId !== undefined, (query) => query.where('channel.channelId', '=', channelId!))
      .$if(dataset !== undefined, (query) => query.where('import.dataset', '=', dataset!))
      .$if(state !== undefined, (query) => query.where('import.state', '=', state!));
    const found = await imports
      .orderBy('import.importId', 'desc')
      .limit(pageSize)
      .offset(pageIndex * pageSize)
      .execute();
    const { total } = await imports
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { imports: found.map(importAnswer), total };
  });

  add(contracts.readImport, async ({ importId }) => {
    const found = await importsWithChannels().where('importId', '=', importId).executeTakeFirst();
    if (!found) throw new Refusal(404, 'there is no import of this importId');
    return importAnswer(found);
  });

  add(contracts.listImportRejections, async ({ importId }, _request, reply) => {
    const known = await registry.records
      .selectFrom('import')
      .select('importId')
      .where('importId', '=', importId)
      .executeTakeFirst();
    if (!known) throw new Refusal(404, 'there is no import of this importId');
    // Millions of rows may have been refused: the list goes out as it is read.
    reply.type('application/json; charset=utf-8');
    return Readable.from(rejections(importId));
  });

  async function* rejections(importId: number): AsyncGenerator<string> {
    let after = 0;
    let separator = '{"rejected":[';
    for (;;) {
      const rows = await registry.records
        .selectFrom('importRejection')
        .select(['rejectionId', 'line', 'reason'])
        .where('importId', '=', importId)
        .where('rejectionId', '>', after)
        .orderBy('rejectionId')
        .limit(rejectionsPerRead)
        .execute();
      for (const { line, reason } of rows) {
        yield separator + JSON.stringify({ line, reason } satisfies Rejection);
        separator = ',';
      }
      if (rows.length < rejectionsPerRead) break;
      after = rows.at(-1)!.rejectionId;
    }
    yield separator === ',' ? ']}' : `${separator}]}`;
  }

  add(contracts.readFreshness, async ({ channelId }) => {
    const channel = channelId === undefined ? undefined : await channelOf(channelId);
    const reaches = await warehouse.extents(channel?.channelNumber ?? 0);
    const done = await registry.records
      .selectFrom('import')
      .select(['importId', 'dataset', 'finishedAt', 'rowsAccepted', 'rowsCoarse'])
      .where('channelNumber', channel ? '=' : 'is', channel ? channel.channelNumber : null)
      .where('state', '=', 'done')
      .orderBy('importId', 'desc')
      .execute();
    const names = ['orders', ...Object.keys(datasets)];
    const told = names.flatMap((dataset) => {
      // Orders tell their lines too; each dataset is told by the tables that are its own.
      const tables = dataset === 'orders' ? ['order_record'] : tablesOf(dataset);
      const reached = reaches.filter((reach) => tables.includes(reach.table));
      if (reached.length === 0) return [];
      const firsts = reached.flatMap(({ firstDay }) => (firstDay === null ? [] : [firstDay]));
      const lasts = reached.flatMap(({ lastDay }) => (lastDay === null ? [] : [lastDay]));
      const imports = done.filter((one) =>
        tablesOf(one.dataset).some((table) => tables.includes(table)),
      );
      const last = imports[0];
      return [
        {
          dataset,
          from: firsts.length > 0 ? isoDate(Math.min(...firsts)) : null,
          to: lasts.length > 0 ? isoDate(Math.max(...lasts)) : null,
          rows: reached.reduce((sum, { rows }) => sum + rows, 0),
          rowsCoarse: imports.reduce((sum, { rowsCoarse }) => sum + rowsCoarse, 0),
          lastImport: last ? { ...last, finishedAt: seconds(last.finishedAt ?? 0) } : null,
        },
      ];
    });
    return { channelId: channelId ?? null, datasets: told };
  });

  type Answer<C extends Contract> = (
    asked: InputOf<C>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;

  function add<C extends Contract>(contract: C, answer: Answer<C>): void {
    addOperation(
      server,
      {
        contract,
        ownerOf: () => 'operator',
        answer: ({ input: asked }, request, reply) => answer(asked as InputOf<C>, request, reply),
      },
      context,
    );
  }
}

function importAnswer({
  channelNumber: _,
  firstDate,
  lastDate,
  startedAt,
  finishedAt,
  summary,
  ...rest
}: Selectable<ImportRecord> & { channelId: string | null }) {
  return {
    ...rest,
    from: firstDate,
    to: lastDate,
    startedAt: seconds(startedAt),
    finishedAt: finishedAt === null ? null : seconds(finishedAt),
    ...(summary !== null && { finance: JSON.parse(summary) as FinanceAnswer }),
  };
}

function mediaOf(request: FastifyRequest): { media: string; charset?: string } {
  const header = request.headers['content-type'] ?? '';
  const charset = /;\s*charset="?([\w.:-]+)"?/i.exec(header)?.[1];
  return {
    media: header.split(';')[0]!.trim().toLowerCase(),
    ...(charset !== undefined && { charset }),
  };
}

function coverOf(from: string | undefined, to: string | undefined): Pick<ImportAsked, 'cover'> {
  return from === undefined || to === undefined
    ? {}
    : { cover: { first: dayNumber(from), last: dayNumber(to) } };
}
