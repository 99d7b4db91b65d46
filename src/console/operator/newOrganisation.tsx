import { useLocation } from 'preact-iso';
import { ask } from '../client.ts';
import { text } from '../parts/fields.tsx';
import { OpenedForm } from '../parts/form.tsx';
import { askAgain } from '../queries.ts';
import { addressOf } from './sections.ts';

/** Creates an organisation, and shows what it may use. */
export function NewOrganisation() {
  const { route } = useLocation();
  return (
    <OpenedForm
      label="Create an organisation"
      submit="Create the organisation"
      fields={{
        name: text('Name of the organisation', {
          hint: 'It may use everything at first.',
          missing: 'Enter a name.',
        }),
      }}
      send={async ({ name }) => {
        const { organisationId: organisation } = await ask('createOrganisation', { name });
        askAgain();
        route(addressOf('organisations', { organisation }));
      }}
      fieldOf={({ status }) => (status === 400 ? 'name' : undefined)}
    />
  );
}
