/** `vitrine organisations`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/organisations/contract.ts';
import { addList, addOperation, addRemoval, addShow, printNew } from './operation.ts';

/** Adds the commands for organisations. */
export function addOrganisations(command: Command): void {
  addList(command, {
    contract: contracts.listOrganisations,
    verb: 'list',
    rows: 'organisations',
    columns: [
      'organisationId',
      { field: 'name', canCut: true },
      'plan',
      'apiAccess',
      { field: 'searchQueryPerformance', heading: 'search queries', canDrop: true },
      { field: 'createdAt', canDrop: true },
    ],
    examples: ['organisations list', 'organisations list --json'],
  });
  addShow(command, contracts.readOrganisation, 'organisations show "$ORGANISATION"');
  addOperation(command, {
    contract: contracts.createOrganisation,
    verb: 'create',
    hasQuiet: true,
    print: ({ organisationId }, options) =>
      printNew(organisationId, 'Organisation created. Its id:', options),
    examples: [
      'organisations create --name "Acme Ltd"',
      'organisations create --name "Acme Ltd" --plan standard --no-search-query-performance --quiet',
    ],
  });
  addOperation(command, {
    contract: contracts.changeOrganisation,
    verb: 'change',
    examples: [
      'organisations change "$ORGANISATION" --plan standard --search-query-product-max 20',
      'organisations change "$ORGANISATION" --no-api-access',
    ],
  });
  addRemoval(
    command,
    contracts.deleteOrganisation,
    'delete',
    'Organisation deleted.',
    'organisations delete "$ORGANISATION"',
  );
}
