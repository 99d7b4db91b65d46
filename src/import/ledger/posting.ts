/** The amounts of a financial document, checked and assigned to lines of the profit and loss. */
import type { Booking, FinanceLine } from '../../contract/importable.ts';
import { amount, CellError, currency, millionthsOf, text } from '../cells/fields.ts';
import { financeAmountBelow, lineBySign } from '../datasets/finance.ts';

/** Events that are imported together and replaced together when they are imported again. */
export type Unit = {
  /** Identifies the unit within its source. */
  readonly name: string;
  /** The source's id of the transaction, if a unit may contain several. */
  readonly transactionId?: string;
  /** How final this state of the unit is: the highest revision counts. */
  readonly revision?: number;
  /** The name under which earlier versions of the service booked it. */
  readonly formerName?: string;
};

/** One amount of a document. */
export type Posting = {
  /** When the amount was booked, epoch seconds. */
  readonly postedAt: number;
  /** ISO 4217; the channel's currency by default. */
  readonly currency?: string;
  /** A number or its text: credit positive, debit negative. */
  readonly amount: unknown;
  /** The source's three names of it, from the whole to the part. */
  readonly type: string;
  readonly component: string;
  readonly code: string;
  readonly sku?: string;
  readonly orderId?: string;
  /** Units, on the one amount of a sale or refund that carries them. */
  readonly quantity?: number;
  readonly fulfillment?: 'AFN' | 'MFN' | '';
  /** Whether it covers several days; it is booked on the last of them. */
  readonly isMultiDay?: boolean;
};

/** The columns of an event that its posting determines. */
export type EventColumns = {
  readonly sku: string;
  readonly order_id: string;
  readonly line: FinanceLine;
  readonly code: string;
  /** A plain decimal, or 0. */
  readonly amount: string | number;
  readonly tax: string | number;
  readonly quantity: number;
  readonly fulfillment: string;
  readonly currency: string;
};

/** A checked posting. */
export type Entry = {
  readonly postedAt: number;
  /** Its line in the document. */
  readonly at: number;
  readonly columns: EventColumns;
  /** In millionths. */
  readonly amount: bigint;
  readonly tax: bigint;
  /** Whether its code is unknown, so that its sign determined the line. */
  readonly isUnknown: boolean;
};

const short = text(200);

/**
 * Checks a posting and assigns it to the booking of its code, whose names are `codeText`; a
 * CellError if it is invalid.
 */
export function entryOf(
  posting: Posting,
  at: number,
  ownCurrency: string,
  booking: Booking | undefined,
  codeText: string,
): Entry | CellError {
  const { quantity = 0, fulfillment = '' } = posting;
  const value = amount.read(posting.amount);
  if (value instanceof CellError) return new CellError(`amount ${value.reason}`);
  const currencyCode = currency.read(posting.currency ?? ownCurrency);
  if (currencyCode instanceof CellError) return new CellError(`currency ${currencyCode.reason}`);
  const sku = short.read(posting.sku ?? '');
  if (sku instanceof CellError) return new CellError(`sku ${sku.reason}`);
  const orderId = short.read(posting.orderId ?? '');
  if (orderId instanceof CellError) return new CellError(`order id ${orderId.reason}`);
  if (Math.abs(Number(value)) >= financeAmountBelow)
    return new CellError(`amount must be below ${financeAmountBelow.toLocaleString('en')}`);
  const isTax = booking === 'sales.tax' || booking === 'refunds.tax';
  const millionths = millionthsOf(value);
  return {
    postedAt: posting.postedAt,
    at,
    amount: isTax ? 0n : millionths,
    tax: isTax ? millionths : 0n,
    isUnknown: booking === undefined,
    columns: {
      sku,
      order_id: orderId,
      line: isTax
        ? (booking.slice(0, -'.tax'.length) as FinanceLine)
        : (booking ?? lineBySign(value)),
      code: codeText,
      amount: isTax ? 0 : value,
      tax: isTax ? value : 0,
      quantity,
      fulfillment,
      currency: currencyCode,
    },
  };
}
