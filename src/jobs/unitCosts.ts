/** The kind of the jobs that land what units cost. */
export const unitCostsKind = 'unitCosts';

/** One entry of such a job's list: a row of the dataset `unitCosts`. */
export type UnitCost = {
  readonly sku: string;
  /** `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  readonly cogs: number;
  readonly cogsCurrency: string;
  readonly shippingCost: number;
  readonly shippingCostCurrency: string;
};
