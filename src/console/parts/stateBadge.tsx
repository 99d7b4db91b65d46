import { Icon, type IconName } from './icons.tsx';

type State = 'waiting' | 'running' | 'done' | 'failed' | 'undone';

const looks: Readonly<Record<State, { readonly icon: IconName; readonly tone: string }>> = {
  waiting: { icon: 'clock', tone: '' },
  running: { icon: 'clock', tone: '' },
  done: { icon: 'check', tone: 'good' },
  failed: { icon: 'alert', tone: 'bad' },
  undone: { icon: 'back', tone: '' },
};

/** The state of an import, a job or a run. */
export function StateBadge({ state, name }: { readonly state: State; readonly name: string }) {
  const { icon, tone } = looks[state];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}
