/** `vitrine jobs`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/jobs/contract.ts';
import { addList, addRemoval } from './operation.ts';

/** Adds the commands for jobs. */
export function addJobs(command: Command): void {
  addList(command, {
    contract: contracts.listJobs,
    verb: 'list',
    rows: 'jobs',
    columns: [
      'jobId',
      'kind',
      'state',
      { field: 'channelId', canCut: true },
      'createdAt',
      'attempts',
      {
        heading: 'seconds',
        show: ({ milliseconds }) =>
          milliseconds === null ? null : (milliseconds / 1000).toFixed(1),
      },
      { field: 'error', canCut: true },
      { field: 'organisationId', canDrop: true },
    ],
    examples: [
      'jobs list --state failed',
      'jobs list --channel northwind-us --kind report --page-size 20',
    ],
  });
  addRemoval(command, contracts.cancelJob, 'cancel', 'Job cancelled.', 'jobs cancel "$JOB"');
}
