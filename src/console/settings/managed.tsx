/** The parts that the pages of schedules and webhooks share: their frame, state and actions. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isManager } from '../../contract/roles.ts';
import { useAccount } from '../account.tsx';
import { useSaid } from '../copying.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import type { Refused } from '../refused.ts';
import { SettingsPage } from './frame.tsx';

/** The most records that are listed: more than an organisation may have by default. */
export const shownMax = 100;

type ManagedPageProps = {
  readonly title: 'Schedules' | 'Webhooks';
  readonly icon: IconName;
  readonly children: ComponentChildren;
};

/** A page of the settings whose content members do not see. */
export function ManagedPage({ title, icon, children }: ManagedPageProps) {
  const { session } = useAccount();
  return (
    <SettingsPage title={title}>
      {!isManager(session?.role) ? (
        <Panel title={title}>
          <Empty icon={icon} title={`You do not manage ${title.toLowerCase()}.`}>
            <p>Only the owners and administrators of your organisation can create and see them.</p>
          </Empty>
        </Panel>
      ) : (
        children
      )}
    </SettingsPage>
  );
}

type StateProps = {
  readonly state: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled. */
  readonly reason: string | null;
};

/** Whether a record is enabled, and why not. */
export function EnabledBadge({ state, reason }: StateProps) {
  if (state === 'paused') return <span class="badge">Paused</span>;
  if (state === 'enabled')
    return (
      <span class="badge good">
        <Icon name="check" />
        Enabled
      </span>
    );
  return (
    <>
      <span class="badge bad">
        <Icon name="alert" />
        Disabled
      </span>
      <div class="reason">{reason}</div>
    </>
  );
}

/** An action, and the words that say that it was done. */
export type Action = {
  readonly name: string;
  readonly act: () => Promise<unknown>;
  readonly done: string;
};

type RowActionsProps = {
  /** The name of the row's record, for screen readers. */
  readonly name: string;
  readonly actions: readonly Action[];
  /** Deletes the record, after a second press. */
  readonly remove: () => Promise<unknown>;
};

/** The actions of a row. */
export function RowActions({ name, actions, remove }: RowActionsProps) {
  const [said, say] = useSaid();
  const [isDeleting, setDeleting] = useState(false);
  const run = async ({ act, done }: Omit<Action, 'name'>) => {
    try {
      await act();
      say(done);
    } catch (error) {
      say((error as Refused).message);
    }
  };
  const button = (words: string, onClick: () => unknown) => (
    <button
      key={words}
      type="button"
      class="control"
      aria-label={`${words}: ${name}`}
      onClick={onClick}
    >
      {words}
    </button>
  );
  return (
    <div class="actions">
      <span role="status" class="said">
        {said}
      </span>
      {isDeleting ? (
        <>
          {button('Delete for good', () => run({ act: remove, done: 'Deleted.' }))}
          {button('Keep', () => setDeleting(false))}
        </>
      ) : (
        <>
          {actions.map((action) => button(action.name, () => run(action)))}
          {button('Delete', () => setDeleting(true))}
        </>
      )}
    </div>
  );
}
