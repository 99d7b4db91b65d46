/** A level line that the figures of a chart are measured by. */
import type { Scale } from './points.ts';

/** The figure and its name. */
export type Goal = { readonly value: number; readonly name: string };

type GoalLineProps = {
  readonly goal: Goal;
  readonly y: Scale;
  readonly from: number;
  readonly to: number;
};

/** The line. */
export function GoalLine({ goal, y, from, to }: GoalLineProps) {
  const level = y(goal.value);
  return (
    <g>
      <path class="goal" d={`M${from} ${level}H${to}`} />
      <text class="event" x={from + 4} y={level - 5}>
        {goal.name}
      </text>
    </g>
  );
}
