/** The health of a store at a glance: its sales against their target, its buy box, its stock. */

import { healthLimits } from './contract.ts';

/** The figures that the health of a store follows from; null where one is unknown. */
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
