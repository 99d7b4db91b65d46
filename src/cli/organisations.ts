/** `vitrine organisations`. */
import type { Command } from 'commander';
import { operatorContracts as contracts } from '../endpoints/operator/contracts.ts';
import { addList, addOperation, tellNew } from './operation.ts';

/** Adds the commands of organisations. */
export function addOrganisations(command: Command): void {
  addList(command, {
    contract: contracts.listOrganisations,
    verb: 'list',
    rows: 'organisations',
    columns: [
      'organisationId',
      { field: 'name', mayBeCut: true },
      'plan',
      'apiAccess',
      { field: 'searchQueryPerformance', heading: 'search queries', mayBeLeftOut: true },
      { field: 'createdAt', mayBeLeftOut: true },
    ],
    examples: ['organisations list', "organisations list --json | jq -r '.organisations[].name'"],
  });
  addOperation(command, {
    contract: contracts.readOrganisation,
    verb: 'show',
    examples: ['organisations show "$ORGANISATION"', 'organisations show "$ORGANISATION" --json'],
  });
  addOperation(command, {
    contract: contracts.createOrganisation,
    verb: 'create',
    mayBeQuiet: true,
    tell: ({ organisationId }, options) =>
      tellNew(organisationId, 'The organisation is made. Its identifier:', options),
    examples: [
      'organisations create --name "Acme Ltd"',
      'ORGANISATION=$(vitrine organisations create --name Acme --plan enterprise --quiet)',
    ],
  });
  addOperation(command, {
    contract: contracts.changeOrganisation,
    verb: 'change',
    examples: [
      'organisations change "$ORGANISATION" --plan enterprise --search-query-performance',
      'organisations change "$ORGANISATION" --no-api-access',
    ],
  });
  addOperation(command, {
    contract: contracts.deleteOrganisation,
    verb: 'delete',
    tell: () => console.error('The organisation is deleted.'),
    examples: [
      'organisations delete "$ORGANISATION"',
      'organisations delete "$ORGANISATION" --yes',
    ],
  });
}
