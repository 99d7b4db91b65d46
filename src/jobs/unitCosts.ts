/** The kind of jobs that import unit costs. */
export const unitCostsKind = 'unitCosts';

/** One entry of such a job's payload: a row of the dataset `unitCosts`. */
export type UnitCost = {
  readonly sku: string;
  /** `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  readonly cogs: number;
  readonly cogsCurrency: string;
  readonly shippingCost: number;
  readonly shippingCostCurrency: string;
};
