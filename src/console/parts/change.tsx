/** A change against the prior period: the arrow is the direction, a tinted chip means worse. */
import { none, percent, points, type Unit } from '../view/format.ts';

/** Whether more of a figure is good, bad or neither. */
export type Meaning = 'good' | 'bad' | 'neither';

/** Changes of a ratio below this, in points, are grey. */
const smallPoints = 0.3;
/** Changes of an amount or a count below this, in percent, are grey. */
const smallPercent = 0.05;

/** Changes below this are written as 0.0. */
const smallestWritten = 0.05;

type ChangeProps = {
  readonly value: number | undefined;
  readonly prior: number | undefined;
  readonly unit: Unit;
  readonly meaning?: Meaning;
};

/** The change from `prior` to `value`: of a ratio in points, of other figures in percent. */
export function Change({ value, prior, unit, meaning = 'good' }: ChangeProps) {
  const change = changeOf(value, prior, unit);
  if (change === undefined) return <span class="muted">{none}</span>;
  const small = unit === 'percent' ? smallPoints : smallPercent;
  const isSmall = Math.abs(change) < small;
  const text = unit === 'percent' ? points(change) : percent(Math.abs(change));
  // Less than the last place that is written is no direction.
  if (Math.abs(change) < smallestWritten) return <span class="delta same">{text}</span>;
  const isUp = change > 0;
  const isWorse = !isSmall && meaning !== 'neither' && isUp === (meaning === 'bad');
  const tone = isWorse ? 'worse' : isSmall || meaning === 'neither' ? 'same' : 'better';
  return (
    <span class={`delta ${tone}`}>
      <Arrow isUp={isUp} />
      <span class="visually-hidden">
        {isUp ? 'up' : 'down'}
        {isWorse ? ', worse' : ''}{' '}
      </span>
      {text}
    </span>
  );
}

/** The change in percent, of ratios in points; undefined where there is nothing to compare with. */
export function changeOf(
  value: number | undefined,
  prior: number | undefined,
  unit: Unit,
): number | undefined {
  if (value === undefined || prior === undefined) return undefined;
  if (unit === 'percent') return value - prior;
  return prior === 0 ? undefined : ((value - prior) / Math.abs(prior)) * 100;
}

/** A small triangle. */
export function Arrow({ isUp }: { readonly isUp: boolean }) {
  return (
    <svg viewBox="0 0 8 8" aria-hidden="true">
      <path d={isUp ? 'M4 1 7.5 7h-7z' : 'M4 7 .5 1h7z'} />
    </svg>
  );
}
