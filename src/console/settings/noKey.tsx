import { isManager } from '../../contract/roles.ts';
import type { Answer } from '../client.ts';
import { Empty } from '../parts/panel.tsx';
import { Operator } from './operator.tsx';

type Access = Answer<'readAccess'>;

/** Why there is no key, and who can issue one. */
export function NoKey({ access }: { readonly access: Access }) {
  const { role, apiAccess, organisation, contact } = access;
  if (!isManager(role)) return <ForMembers access={access} />;
  if (!apiAccess)
    return (
      <Empty icon="key" title={`${organisation} does not have API access yet.`}>
        <p>
          It is granted to the whole organisation. After that, you can get a key, which will appear
          here. To request it, ask <Operator contact={contact} />.
        </p>
      </Empty>
    );
  return (
    <Empty icon="key" title="You do not have a key yet.">
      <p>
        {organisation} has API access. Ask <Operator contact={contact} /> to issue you a key. It
        will appear here.
      </p>
    </Empty>
  );
}

function ForMembers({ access }: { readonly access: Access }) {
  const { organisation, administrators, contact } = access;
  return (
    <Empty icon="key" title="Members and viewers do not have keys.">
      <p>
        Only the owners and administrators of {organisation} can have keys.{' '}
        {administrators.length > 0 ? (
          'If you need data from the API, ask one of them:'
        ) : (
          <>
            There is no owner or administrator yet. Ask <Operator contact={contact} />.
          </>
        )}
      </p>
      <ul class="plain">
        {administrators.map((email) => (
          <li key={email}>
            <a href={`mailto:${email}`}>{email}</a>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
