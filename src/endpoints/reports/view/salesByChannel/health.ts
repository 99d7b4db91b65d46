/** Marks the health of a store: its sales against their target, its buy box, its stock. */

import { healthLimits } from './contract.ts';

/** The figures behind the health of a store; null if unknown. */
type Figures = {
  readonly sales: number | null;
  readonly target: number | null;
  readonly buyBox: number | null;
  readonly outOfStock: number | null;
};

/** The worst mark of a store. */
export function healthOf({ sales, target, buyBox, outOfStock }: Figures) {
  const hasFailed = (limits: (typeof healthLimits)['warning' | 'critical']) =>
    (sales !== null && target !== null && target > 0 && sales * 100 < target * limits.target) ||
    (buyBox !== null && buyBox < limits.buyBox) ||
    (outOfStock !== null && outOfStock >= limits.outOfStock);
  if (hasFailed(healthLimits.critical)) return 'critical';
  return hasFailed(healthLimits.warning) ? 'warning' : 'good';
}
