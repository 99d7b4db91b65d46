/** Role and channels of a user, as words and as fields of a form. */
import { Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Role } from '../../contract/roles.ts';
import { Select } from '../forms.tsx';
import { counted } from '../words.ts';
import type { FormField } from './form.tsx';

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

type Membership = { readonly role: Role; readonly reach: Reach };

type MembershipProps = {
  readonly first: Membership;
  readonly roles: readonly Role[];
  readonly channels: readonly Choice[];
  /** The channels that follow from a choice of the role. */
  readonly reachAfter?: (next: Role, reach: Reach) => Reach;
};

/** The field of the role and the channels. */
export function membership(props: MembershipProps): FormField<Membership> {
  const { first, roles, channels, reachAfter = (_next, reach) => reach } = props;
  return {
    first,
    show: ({ value: { role, reach }, onValue }) => (
      <Fragment key="membership">
        <Select
          label="Role"
          hint="Owners and administrators invite and change members, and may have API keys. Viewers change nothing and see no addresses of buyers."
          value={role}
          options={roles.map((id) => ({ id, name: roleNames[id] }))}
          onValue={(id) => onValue({ role: id as Role, reach: reachAfter(id as Role, reach) })}
        />
        <ReachField
          reach={reach}
          channels={channels}
          onReach={(next) => onValue({ role, reach: next })}
        />
      </Fragment>
    ),
  };
}

type ReachProps = {
  readonly reach: Reach;
  readonly channels: readonly Choice[];
  readonly onReach: (reach: Reach) => void;
};

/** Chooses all stores or some of them. */
export function ReachField({ reach, channels, onReach }: ReachProps) {
  const name = useId();
  // Stays while all stores are chosen, so that changing one's mind loses nothing.
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
