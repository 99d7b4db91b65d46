/** `vitrine documents`. */
import type { Command } from 'commander';
import { overviewContracts as contracts } from '../endpoints/operator/overviewContracts.ts';
import { call, helpOf, printJson } from './operation.ts';
import { addServiceOptions, endWell, Misuse, type ServiceOptions, serviceOf } from './service.ts';
import { tableOf } from './table.ts';

/** Makes `command` the list of what can be imported. */
export function addDocuments(command: Command): void {
  command.option('--fields <dataset>', 'the fields of one dataset');
  addServiceOptions(command)
    .addHelpText('after', helpOf('', ['documents', 'documents --fields orderLines']))
    .action((options: ServiceOptions & { readonly fields?: string }) =>
      endWell(command, async () => {
        const answer = await call(serviceOf(options), contracts.listImportable, {});
        const { documents, datasets } = answer;
        const dataset = datasets.find((one) => one.dataset === options.fields);
        if (options.fields !== undefined && dataset === undefined) {
          throw new Misuse(
            `there is no dataset ${options.fields}: there are ${datasets.map((one) => one.dataset).join(', ')}`,
          );
        }
        if (options.json) printJson(dataset ?? answer);
        else if (dataset !== undefined) {
          console.log(
            tableOf(dataset.fields, [
              'name',
              'required',
              { field: 'kind', mayBeCut: true },
              { field: 'about', mayBeCut: true },
            ]),
          );
        } else {
          console.log(
            tableOf(documents, [
              { field: 'type', heading: 'kind of document' },
              { field: 'about', mayBeCut: true },
            ]),
          );
          console.log();
          console.log(
            tableOf(datasets, [
              'dataset',
              { heading: 'fields', show: ({ fields }) => fields.length },
              { field: 'ofChannel', heading: 'of a channel' },
              { field: 'about', mayBeCut: true },
            ]),
          );
        }
        return undefined;
      }),
    );
}
