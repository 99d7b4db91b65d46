/** Records about the tax in prices. */

/** A rate of tax that the documents of a channel do not state. */
export type TaxRateRecord = {
  channelNumber: number;
  /** "" for all SKUs without a rate of their own. */
  sku: string;
  /** YYYY-MM-DD. */
  effectiveFrom: string;
  /** In millionths of the price without tax. */
  rate: number;
};
