/** The records of channels, and of the tax in their prices. */

/** A connected store. */
export type ChannelRecord = {
  /** Identifies it in the warehouse; drawn by `drawChannelNumber`. */
  channelNumber: number;
  channelId: string;
  organisationId: string;
  merchantId: string;
  marketplace: string;
  kind: 'seller' | 'vendor';
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  displayName: string;
  /** ISO 4217. */
  currency: string;
  /** IANA zone of the store's calendar days. */
  timezone: string;
  hasAdvertisingConnected: 0 | 1;
  leadTimeDays: number;
  safetyStockDays: number;
  targetCoverDays: number;
  /** Whether prices in its documents include tax; null if the marketplace decides. */
  pricesIncludeTax: 0 | 1 | null;
  /** `UnstatedTax` as JSON; null if no price includes tax that the documents do not state. */
  unstatedTax: string | null;
  createdAt: number;
  updatedAt: number;
};

/** A channel that a restricted user may access. */
export type ChannelAccessRecord = { userId: string; channelNumber: number };

/** A tax rate that a channel's documents do not state. */
export type TaxRateRecord = {
  channelNumber: number;
  /** "" for all SKUs without their own rate. */
  sku: string;
  /** YYYY-MM-DD. */
  effectiveFrom: string;
  /** In millionths of the price without tax. */
  rate: number;
};
