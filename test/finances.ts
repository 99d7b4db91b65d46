/** Financial documents in JSON as tests write them, and what is expected of their sums. */
import { MemoryChannel } from './documents.ts';

/** The settings of a channel in Germany. */
export const german = {
  merchantId: 'A1NORTHWIND @ A1PA6795UKMFR9',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
};
/** The settings of a channel in the United States. */
export const american = {
  merchantId: 'A1NORTHWIND @ ATVPDKIKX0DER',
  currency: 'USD',
  timezone: 'America/Los_Angeles',
};

/** A channel in memory, in Germany unless the settings differ. */
export function newSeller(channel: Partial<typeof german> = german): MemoryChannel {
  return new MemoryChannel({ ...german, ...channel });
}

const zero = '0.000000';
/** The expected sums of an import in one currency. */
export function sums(
  currency: string,
  lines: object,
  expected: {
    total: string;
    documentTotal: string | null;
    skipped?: string;
    balance?: string;
    tax?: object;
  },
): object {
  const { balance = zero, skipped = zero, total, documentTotal } = expected;
  const tax = { sales: zero, refunds: zero, ...expected.tax };
  return { currency, lines, tax, balance, skipped, total, documentTotal };
}

/** An amount of a transaction. */
export function eur(currencyAmount: number, currencyCode = 'EUR'): object {
  return { currencyAmount, currencyCode };
}

/** A part of a transaction or item, with its own parts. */
export function breakdown(
  breakdownType: string,
  amount: number,
  breakdowns: object[] | null = null,
): object {
  return { breakdownType, breakdownAmount: eur(amount), breakdowns };
}

/** An item of a transaction. */
export function item(
  sku: string,
  quantityShipped: number,
  total: number,
  breakdowns: object[] | null,
): object {
  const product = { contextType: 'ProductContext', sku, asin: `B0${sku}` };
  return {
    description: 'A thing',
    totalAmount: eur(total),
    breakdowns,
    contexts: [{ ...product, quantityShipped, fulfillmentNetwork: 'AFN' }],
  };
}

/** The related identifiers of a transaction. */
export function related(identifiers: Readonly<Record<string, string>>): object[] {
  return Object.entries(identifiers).map(([relatedIdentifierName, relatedIdentifierValue]) => ({
    relatedIdentifierName,
    relatedIdentifierValue,
  }));
}

/** A released transaction. */
export function transaction(
  transactionId: string | undefined,
  postedDate: string,
  total: number,
  more: Readonly<Record<string, unknown>> = {},
): object {
  return {
    sellingPartnerMetadata: {
      sellingPartnerId: 'A1NORTHWIND',
      accountType: 'Standard Orders',
      marketplaceId: 'A1PA6795UKMFR9',
    },
    transactionType: 'Shipment',
    ...(transactionId !== undefined && { transactionId }),
    transactionStatus: 'RELEASED',
    postedDate,
    totalAmount: eur(total),
    ...more,
  };
}

/** A sale of one unit at 20.00 with a commission of 3.00, in one of its states. */
export function sale(
  transactionId: string,
  shipmentId: string,
  transactionStatus: string | null,
  postedDate: string,
  orderId = `O-${shipmentId}`,
): object {
  return transaction(transactionId, postedDate, 17, {
    transactionStatus,
    relatedIdentifiers: related({ ORDER_ID: orderId, SHIPMENT_ID: shipmentId }),
    items: [
      item('FLASK', 1, 17, [
        breakdown('ProductCharges', 20, [breakdown('OurPricePrincipal', 20)]),
        breakdown('AmazonFees', -3, [breakdown('Commission', -3, [breakdown('Base', -3)])]),
      ]),
    ],
  });
}

/** A page of transactions. */
export function page(...transactions: readonly object[]): string {
  return JSON.stringify({ payload: { nextToken: 'more', transactions } });
}

/** An amount of a financial event. */
export function money(CurrencyAmount: number, CurrencyCode = 'EUR'): object {
  return { CurrencyCode, CurrencyAmount };
}

/** A charge of a financial event. */
export function charge(ChargeType: string, amount: number): object {
  return { ChargeType, ChargeAmount: money(amount) };
}

/** A fee of a financial event. */
export function fee(FeeType: string, amount: number): object {
  return { FeeType, FeeAmount: money(amount) };
}

/** A page of financial events. */
export function events(FinancialEvents: object): string {
  return JSON.stringify({ payload: { FinancialEvents, NextToken: 'more' } });
}

/** A shipment of one unit. */
export function shipped(
  AmazonOrderId: string,
  PostedDate: string,
  amount: number,
  more: object = {},
): object {
  const ItemChargeList = [charge('Principal', amount), charge('ShippingCharge', 0)];
  return {
    AmazonOrderId,
    PostedDate,
    MarketplaceName: 'Amazon.de',
    ShipmentItemList: [{ SellerSKU: 'FLASK', QuantityShipped: 1, ItemChargeList }],
    ...more,
  };
}

/** An amount of economics. */
export function usd(amount: number, currencyCode = 'USD'): object {
  return { amount, currencyCode };
}

/** The economics of a product on a date, with its sales and units sold. */
export function product(
  date: string,
  msku: string | null,
  [sold, unitsOrdered]: readonly [number, number],
  net: number,
  more: object = {},
): object {
  const returned = { refundedProductSales: usd(0), unitsRefunded: 0 };
  return {
    startDate: date,
    endDate: date,
    marketplaceId: 'ATVPDKIKX0DER',
    msku,
    childAsin: 'B0NORTH001',
    sales: { orderedProductSales: usd(sold), unitsOrdered, ...returned },
    fees: [],
    ads: [],
    netProceeds: { total: usd(net) },
    ...more,
  };
}
