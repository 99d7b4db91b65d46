/** `vitrine audit`. */
import type { Command } from 'commander';
import { requestOf } from '../contract/requests.ts';
import * as contracts from '../endpoints/operator/audit/contract.ts';
import { addList } from './operation.ts';
import { fieldsOf, type Input, optionsOf, readFields } from './options.ts';
import {
  addServiceCommand,
  open,
  pipeOut,
  refusal,
  type ServiceOptions,
  serviceOf,
} from './service.ts';

/** Makes `command` list who changed what. */
export function addAudit(command: Command): void {
  addList(command, {
    contract: contracts.listAudit,
    rows: 'entries',
    columns: [
      { field: 'at', heading: 'when' },
      { field: 'actor', canCut: true },
      'action',
      { field: 'subject', canCut: true },
      { field: 'detail', canCut: true },
    ],
    examples: [
      'audit --page-size 20',
      'audit --subject northwind-us',
      'audit --actor visitor --since 2026-11-01',
      'audit --json',
    ],
  });
  addExport(command.command('export'));
}

/** The log may be long, so the answer is streamed. */
function addExport(command: Command): void {
  const contract = contracts.exportAudit;
  const fields = fieldsOf(contract);
  command.description('print the whole log, or a part of it, as NDJSON or CSV');
  for (const option of fields.flatMap((field) => optionsOf(field, false)))
    command.addOption(option);
  const examples = [
    'audit export > audit.ndjson',
    'audit export --format csv --since 2026-10-01 --until 2026-11-01 > october.csv',
  ];
  addServiceCommand<ServiceOptions & Input>(command, { examples }, async (options) => {
    const input: Input = {};
    await readFields(input, fields, options);
    const service = serviceOf(options);
    const response = await open(service, contract.method, requestOf(contract, input).path);
    if (response.status !== 200)
      throw refusal(
        response.status,
        await response.text(),
        service.address,
        fields.map(({ flag }) => flag),
      );
    await pipeOut(response);
  });
}
