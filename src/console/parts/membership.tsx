/** Role and channels of a user, as words and as fields of a form. */
import { useId, useState } from 'preact/hooks';
import type { Role } from '../../contract/roles.ts';
import { Select } from '../forms.tsx';
import { counted } from '../words.ts';

/** The channels of a user. */
export type Reach = string[] | 'all';

/** The names of roles. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  administrator: 'Administrator',
  member: 'Member',
  viewer: 'Viewer',
};

/** The channels of a user in words, such as All or 2 stores. */
export const reachWords = (reach: Reach): string =>
  reach === 'all' ? 'All' : reach.length === 0 ? 'None' : counted(reach.length, 'store');

/** A channel that can be chosen. */
export type Choice = { readonly channelId: string; readonly displayName: string };

type MembershipProps = {
  readonly role: Role;
  readonly reach: Reach;
  readonly roles: readonly Role[];
  readonly channels: readonly Choice[];
  readonly onRole: (role: Role) => void;
  readonly onReach: (reach: Reach) => void;
};

/** Fields for the role and the channels. */
export function MembershipFields({
  role,
  reach,
  roles,
  channels,
  onRole,
  onReach,
}: MembershipProps) {
  return (
    <>
      <Select
        label="Role"
        hint="Owners and administrators invite and change members, and may have API keys. Viewers change nothing and see no addresses of buyers."
        value={role}
        options={roles.map((id) => ({ id, name: roleNames[id] }))}
        onValue={(id) => onRole(id as Role)}
      />
      <ReachField {...{ reach, channels, onReach }} />
    </>
  );
}

/** Chooses all stores or some of them. */
export function ReachField({
  reach,
  channels,
  onReach,
}: Pick<MembershipProps, 'reach' | 'channels' | 'onReach'>) {
  const name = useId();
  // Kept while all stores are chosen, so that changing one's mind loses nothing.
  const [named, setNamed] = useState<string[]>(reach === 'all' ? [] : reach);
  const choose = (next: string[]) => {
    setNamed(next);
    onReach(next);
  };
  const toggle = (id: string) =>
    choose(named.includes(id) ? named.filter((other) => other !== id) : [...named, id]);
  return (
    <fieldset class="reach">
      <legend>Stores</legend>
      <label class="check">
        <input type="radio" name={name} checked={reach === 'all'} onChange={() => onReach('all')} />
        All, present and future
      </label>
      <label class="check">
        <input type="radio" name={name} checked={reach !== 'all'} onChange={() => choose(named)} />
        Only chosen ones
      </label>
      {reach !== 'all' && (
        <ul class="reach-list">
          {channels.map(({ channelId, displayName }) => (
            <li key={channelId}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={reach.includes(channelId)}
                  onChange={() => toggle(channelId)}
                />
                {displayName} <span class="muted">{channelId}</span>
              </label>
            </li>
          ))}
          {channels.length === 0 && <li class="muted">No store is connected yet.</li>}
        </ul>
      )}
    </fieldset>
  );
}

/** Whether two lists of channels are the same. */
export const isSameReach = (one: Reach, other: Reach): boolean =>
  one === 'all' || other === 'all'
    ? one === other
    : one.length === other.length && one.every((id) => other.includes(id));
