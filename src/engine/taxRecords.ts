/** Records about the tax in prices. */

/** The part of a channel's record that is about tax. */
export type ChannelTaxes = {
  /** Whether prices in its documents include tax; null where the marketplace decides. */
  pricesIncludeTax: 0 | 1 | null;
  /** `UnstatedTax` as JSON; null if no prices hold tax that the documents do not state. */
  unstatedTax: string | null;
};

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
