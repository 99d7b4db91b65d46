/** `vitrine documents`. */
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import * as contracts from '../endpoints/operator/documents/contract.ts';
import { call, printJson } from './operation.ts';
import { addServiceCommand, type ServiceOptions, serviceOf, UsageError } from './service.ts';
import { tableOf } from './table.ts';

type Options = ServiceOptions & { readonly fields?: string };
type Importable = AnswerOf<typeof contracts.listImportable>;

/** Makes `command` list what can be imported. */
export function addDocuments(command: Command): void {
  command.option('--fields <dataset>', 'list the fields of one dataset');
  const examples = ['documents', 'documents --fields orderLines'];
  addServiceCommand<Options>(command, { examples }, async (options) => {
    const answer = await call(serviceOf(options), contracts.listImportable, {});
    if (options.fields === undefined) {
      if (options.json) printJson(answer);
      else print(answer);
      return;
    }
    const dataset = answer.datasets.find((one) => one.dataset === options.fields);
    if (dataset === undefined) {
      const names = answer.datasets.map((one) => one.dataset).join(', ');
      throw new UsageError(`unknown dataset ${options.fields}; known datasets: ${names}`);
    }
    if (options.json) printJson(dataset);
    else
      console.log(
        tableOf(dataset.fields, [
          'name',
          'required',
          { field: 'kind', canCut: true },
          { field: 'about', heading: 'meaning', canCut: true },
        ]),
      );
  });
}

function print({ documents, datasets }: Importable): void {
  console.log(
    tableOf(documents, [
      { field: 'type', heading: 'document kind' },
      { field: 'about', heading: 'meaning', canCut: true },
    ]),
  );
  console.log();
  console.log(
    tableOf(datasets, [
      'dataset',
      { heading: 'fields', show: ({ fields }) => fields.length },
      { field: 'ofChannel', heading: 'per channel' },
      { field: 'about', heading: 'meaning', canCut: true },
    ]),
  );
}
