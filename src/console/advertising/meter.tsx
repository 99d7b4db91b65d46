/** A bar of an ACOS against its target, which is marked at a third of the width. */
type MeterProps = {
  readonly acos: number | undefined;
  readonly target: number | undefined;
  readonly hasSpend: boolean;
};

const width = 48;

/** The bar; full where spend brought no ad sales. */
export function AcosMeter({ acos, target, hasSpend }: MeterProps) {
  if (target === undefined || target === 0 || (acos === undefined && !hasSpend)) return null;
  const part = acos === undefined ? 1 : Math.min(1, acos / target / 3);
  const isOver = acos === undefined || acos > target;
  return (
    <svg class={isOver ? 'meter over' : 'meter'} viewBox={`0 0 ${width} 12`} aria-hidden="true">
      <rect class="track" y="3" width={width} height="6" rx="2" />
      <rect class="bar" y="3" width={part * width} height="6" rx="2" />
      <rect class="goal" x={width / 3 - 1} width="2" height="12" />
    </svg>
  );
}
