/** The jobs that land what units cost. */
import { Readable } from 'node:stream';
import type { Registry } from '../engine/registry.ts';
import type { UnitCost } from '../jobs/unitCosts.ts';
import { JobRefused, type Work } from '../jobs/worker.ts';
import { type Importer, ImportRefused } from './importer.ts';

/** How the rows of a job land: all of them or none, and again the same ones where the job is taken up again. Its result names the import. */
export function unitCostsWork(registry: Registry, importer: Importer): Work {
  return {
    inOrder: true,
    async run({ channelNumber, payload }, hold) {
      const channel = await registry.records
        .selectFrom('channel')
        .selectAll()
        .where('channelNumber', '=', channelNumber)
        .executeTakeFirst();
      if (channel === undefined) throw new JobRefused('the channel has been deleted meanwhile');
      const lines = (payload as readonly UnitCost[]).map((row) => JSON.stringify(row)).join('\n');
      try {
        const { importId } = await importer.import(
          {
            content: { dataset: 'unitCosts', format: 'ndjson' },
            channel,
            coarseOnLastDay: false,
            abortOnRejection: true,
            // A worker that has been silent for too long must not put older costs in the place of those of a later job.
            mayLand: hold,
          },
          Readable.from(lines),
        );
        return { importId };
      } catch (error) {
        throw error instanceof ImportRefused ? new JobRefused(error.message) : error;
      }
    },
  };
}
