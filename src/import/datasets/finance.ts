/** Financial events, unit costs and exchange rates. */
import { ownRates } from '../../../schema/warehouse/tables.ts';
import { type FinanceLine, financeLines } from '../../contract/importable.ts';
import { amount, currency, date, factor, instant, oneOf, text } from '../cells/fields.ts';
import {
  type Cells,
  correctable,
  currencyOf,
  type Dataset,
  type Destination,
  destination,
  id,
  ofDate,
  optionalId,
  ownCurrency,
  secondsPerDay,
} from './dataset.ts';

/** The limit of one event, so that the sums of a product and day fit an amount. */
export const financeAmountBelow = 10_000_000_000;

/** The line of an amount with an unknown code: income if it is a credit, an expense if a debit. */
export function lineBySign(amount: string): FinanceLine {
  return amount.startsWith('-') ? 'otherExpenses' : 'otherIncome';
}

const postedAt = (cells: Cells) => cells.postedAt as number;

/** The dataset `financeEvents`. */
export const financeEvents: Dataset = {
  name: 'financeEvents',
  about:
    'Financial events: sales, refunds, fees and everything else that the marketplace books. Kept by event id: a row replaces an earlier one with the same id.',
  ofChannel: true,
  fields: {
    eventId: { type: id, required: true, about: 'Identifies the event within the channel.' },
    postedAt: { type: instant, required: true, about: 'When the event was booked.' },
    sku: {
      type: optionalId,
      about: "The seller's SKU. An event without one counts only for the whole store.",
    },
    orderId: { type: optionalId, about: "The marketplace's order number." },
    line: {
      type: oneOf(financeLines, ''),
      about:
        'The line of the profit and loss; `balance` for events that only move money, such as a transfer. By default credits are otherIncome and debits otherExpenses.',
    },
    code: { type: text(200), about: "The source's own name for the event." },
    amount: { type: amount, about: 'Credits positive, debits negative, in `currency`.' },
    tax: {
      type: amount,
      about:
        'For sales and refunds: the tax on top of the amount, with the same sign; counted if includeTax is set. The amounts of other lines include their tax.',
    },
    quantity: {
      type: correctable,
      about:
        'For sales: units sold. For refunds: units returned. Set on only one row of each sale or refund.',
    },
    fulfillment: {
      type: oneOf(['AFN', 'MFN'], ''),
      about: 'AFN if the marketplace shipped the order, MFN if the seller did.',
    },
    currency: ownCurrency,
  },
  destinations: [
    destination('finance_event', {
      day: (cells) => Math.floor(postedAt(cells) / secondsPerDay),
      unit: (cells) => `rows:${cells.eventId}`,
      number: () => 1,
      source: () => 'rows',
      transaction_id: () => '',
      revision: () => 0,
      line: (cells) => cells.line || lineBySign(cells.amount as string),
    }),
  ],
  destinationOf: () => 0,
  instantOf: postedAt,
  check: (cells) =>
    [cells.amount, cells.tax].some((value) => Math.abs(Number(value)) >= financeAmountBelow)
      ? `amount and tax must be below ${financeAmountBelow.toLocaleString('en')}`
      : undefined,
};

/** The dataset `unitCosts`. */
export const unitCosts: Dataset = {
  name: 'unitCosts',
  about:
    "The seller's costs of a unit from a date on. Kept by SKU and date. The latest row on or before a day applies to it.",
  ofChannel: true,
  fields: {
    sku: { type: id, required: true, about: "The seller's SKU." },
    effectiveFrom: { type: date, required: true, about: 'The first date that the costs apply to.' },
    cogs: { type: amount, about: 'Cost of goods of one unit, in `cogsCurrency`.' },
    cogsCurrency: ownCurrency,
    shippingCost: {
      type: amount,
      about: 'Shipping cost of one unit that the seller ships, in `shippingCostCurrency`.',
    },
    shippingCostCurrency: ownCurrency,
  },
  destinations: [
    destination('unit_cost', {
      cogs_currency: currencyOf('cogsCurrency'),
      shipping_cost_currency: currencyOf('shippingCostCurrency'),
    }),
  ],
  destinationOf: () => 0,
  check: ({ cogs, shippingCost }) =>
    [cogs, shippingCost].some((cost) => (cost as string).startsWith('-'))
      ? 'cogs and shippingCost must not be negative'
      : undefined,
};

/** The dataset `exchangeRates`. */
export const exchangeRates: Dataset = {
  name: 'exchangeRates',
  about:
    "Your own exchange rates of the euro. They belong to no channel. Kept by date and currency: a row replaces your earlier rate of both. It goes before the European Central Bank's of its date.",
  ofChannel: false,
  fields: {
    date: {
      type: date,
      required: true,
      about: 'The date from which the rate is valid.',
    },
    currency: { type: currency, required: true, about: 'ISO 4217.' },
    perEuro: { type: factor, required: true, about: 'Units of the currency that one euro buys.' },
  },
  destinations: [ratesOf(ownRates)],
  destinationOf: () => 0,
  dayOf: ofDate,
};

/** The rates of the bank's history. */
export const publishedRates: Dataset = { ...exchangeRates, destinations: [ratesOf('')] };

function ratesOf(source: string): Destination {
  return destination('exchange_rate', { day: (cells) => cells.date!, source: () => source });
}
