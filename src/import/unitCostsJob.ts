/** The job that imports unit costs. */

import { Readable } from 'node:stream';
import { findOne } from '../access/records.ts';
import type { Registry } from '../engine/registry.ts';
import type { UnitCost } from '../jobs/unitCosts.ts';
import { JobRefused, type Work } from '../jobs/worker.ts';
import type { Importer } from './importer.ts';
import { ImportRefused } from './request.ts';

/**
 * Imports all rows of a job, or none. Repeating a job imports the same rows again. The result has
 * the id of the import.
 */
export function unitCostsJob(registry: Registry, importer: Importer): Work {
  return {
    inOrder: true,
    async run({ channelNumber, payload }, hold) {
      const channel = await findOne(registry.records, 'channel', { channelNumber });
      if (channel === undefined) throw new JobRefused('the channel was deleted during the import');
      const lines = (payload as readonly UnitCost[]).map((row) => JSON.stringify(row)).join('\n');
      try {
        const { importId } = await importer.import(
          {
            content: { dataset: 'unitCosts', format: 'ndjson' },
            channel,
            acceptsMultiDay: false,
            abortOnRejection: true,
            // A worker that stopped responding must not overwrite the costs of a later job.
            mayCommit: hold,
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
