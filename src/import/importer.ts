/**
 * Imports documents, from the first byte to the facts. A separate thread reads and checks each one,
 * so that other requests do not wait. At the end its rows become facts, all at once.
 */

import type { Readable } from 'node:stream';
import type { Channel } from '../access/channels.ts';
import { findOne } from '../access/records.ts';
import { channelLock, type Registry } from '../engine/registry.ts';
import { silentMeter } from '../observation/meter.ts';
import { silentTracer } from '../observation/tracer.ts';
import { recordEnd } from './ending.ts';
import {
  type ImportAnswer,
  type ImportContext,
  ImportRefused,
  type ImportRequest,
} from './request.ts';
import { ImportRun } from './run.ts';
import { type Arrived, arriving, Spool } from './spool.ts';
import { settleTaxes } from './taxes/settle.ts';
import { ImportTurns } from './turns.ts';

/** Runs imports, a few at a time. */
export class Importer {
  readonly #context: ImportContext;
  readonly #turns: ImportTurns;
  readonly #spool: Spool;
  readonly #running = new Set<Promise<ImportAnswer>>();

  constructor(context: ImportContext) {
    this.#context = context;
    this.#turns = new ImportTurns(context.limits.imports);
    this.#spool = new Spool(context.limits.spoolMegabytes);
    const { meter = silentMeter } = context;
    meter.gauge('vitrine_imports', () => {
      const { running, waiting } = this.#turns;
      const arriving = this.#running.size - running - waiting;
      return Object.entries({ arriving, waiting, running }).map(([state, count]) => [
        { state },
        count,
      ]);
    });
  }

  /** Imports one of the service's own documents. Resolves when its rows are durable facts. */
  import(request: ImportRequest, body: Readable): Promise<ImportAnswer> {
    return this.#run(request, async () => arriving(body));
  }

  /**
   * Imports a document that a client sends. It waits for its turn once it has arrived completely.
   */
  importUpload(request: ImportRequest, body: Readable): Promise<ImportAnswer> {
    return this.#run(request, (path) => this.#spool.receive(body, path));
  }

  #run(request: ImportRequest, arrive: (path: string) => Promise<Arrived>): Promise<ImportAnswer> {
    const run = new ImportRun(this.#context, request);
    const organisationId = request.channel?.organisationId ?? '';
    const running = run.run(arrive, (work) =>
      this.#turns.take(organisationId, request.signal, work),
    );
    this.#running.add(running);
    this.#count(request, run, running);
    return running.finally(() => this.#running.delete(running));
  }

  #count(
    { content }: ImportRequest,
    run: Pick<ImportRun, 'rowsRejected'>,
    running: Promise<ImportAnswer>,
  ): void {
    const { meter = silentMeter, tracer = silentTracer } = this.#context;
    const end = tracer.begin('import', { 'vitrine.dataset': datasetOf(content) });
    const count = (dataset: string, ended: string, accepted: number) => {
      meter.add('vitrine_imports_ended_total', { dataset, outcome: ended });
      const rows = { accepted, rejected: run.rowsRejected };
      for (const [outcome, number] of Object.entries(rows))
        meter.add('vitrine_import_rows_total', { dataset, outcome }, number);
    };
    running.then(
      (answer) => {
        end();
        count(answer.dataset, 'done', answer.rowsAccepted);
      },
      (error: unknown) => {
        end(error);
        count(datasetOf(content), error instanceof ImportRefused ? 'refused' : 'failed', 0);
      },
    );
  }

  /** Resolves when no import runs. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /**
   * Closes imports that were interrupted when a process ended, if they began before `startedBefore`
   * (epoch milliseconds): committed ones become done, the others failed. An interrupted rebuild for
   * a new time zone is repeated, because the channel may still have the old zone.
   */
  async settleInterrupted(startedBefore: number): Promise<void> {
    const { registry } = this.#context;
    const open = await registry.records
      .selectFrom('import')
      .select(['importId', 'channelNumber'])
      .where('state', '=', 'running')
      .where('startedAt', '<', startedBefore)
      .execute();
    for (const { importId, channelNumber } of open)
      await registry.withLock(channelLock(channelNumber ?? 0), () => this.#settle(importId));
  }

  async #settle(importId: number): Promise<void> {
    const { registry, warehouse, now = Date.now } = this.#context;
    const found = await runningImport(registry, importId);
    if (found === undefined) return;
    const { dataset, channelNumber: channel, timezone } = found;
    if (dataset === 'rebuild' && channel !== null && timezone !== null)
      await warehouse.rebuild({ importId, channel }, timezone);
    const isCommitted = await warehouse.isCommitted(importId);
    if (isCommitted && channel !== null) await settleTaxes(this.#context, channel);
    const finishedAt = now();
    const error = 'interrupted: no fact has changed';
    await recordEnd(this.#context, {
      importId,
      // No request started the rebuild.
      channel: dataset === 'rebuild' ? undefined : await channelOf(registry, channel),
      change: isCommitted ? { state: 'done', finishedAt } : { state: 'failed', finishedAt, error },
      cause: new ImportRefused(importId, error),
    });
  }
}

/** The dataset or kind that a request names. */
function datasetOf(content: ImportRequest['content']): string {
  return 'dataset' in content ? content.dataset : (content.kind ?? 'unrecognised');
}

async function channelOf(
  { records }: Registry,
  channelNumber: number | null,
): Promise<Channel | undefined> {
  return findOne(records, 'channel', { channelNumber: channelNumber ?? 0 });
}

async function runningImport(registry: Registry, importId: number) {
  return registry.records
    .selectFrom('import')
    .leftJoin('channel', 'channel.channelNumber', 'import.channelNumber')
    .select(['dataset', 'channel.channelNumber', 'timezone'])
    .where('importId', '=', importId)
    .where('state', '=', 'running')
    .executeTakeFirst();
}
