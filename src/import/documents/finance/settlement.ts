/**
 * The marketplace's settlements as flat files, in both of its layouts: the older one with nine pairs of columns for amounts, and version 2
 * with one amount a row. The first row says what all others come to; a document that does not come to it is refused.
 */
import {
  amount,
  amountText,
  CellError,
  count,
  currency,
  millionthsOf,
} from '../../cells/fields.ts';
import {
  type DateOrder,
  type DecimalMark,
  decimalMarkOf,
  instantOf,
  type LocalDate,
  localDate,
  plainAmount,
} from '../../cells/localCells.ts';
import type { FinanceBook, Posting } from '../../ledger/ledger.ts';
import { DocumentRefused } from '../../refused.ts';
import type { Desk, DocumentKind, DocumentReader } from '../kind.ts';

/** How many rows are looked at before it is decided how the document writes dates and amounts. */
const headRows = 2000;
/** How many rows may wait for that, where the first ones do not tell. */
const headRowsMax = 32_000;
const secondsPerDay = 86_400;
/** How long a settlement lasts at most, in days, where its dates may be read in two ways. */
const settlementDaysMax = 45;
const orders: readonly DateOrder[] = ['dayFirst', 'monthFirst'];
const units = count();

type Cells = Readonly<Record<string, string>>;
type Row = { readonly cells: Cells; readonly line: number };
/** An amount of a row under the names that version 2 gives it. */
type Amount = Pick<Posting, 'type' | 'component' | 'code'> & { readonly text: string };
type Reading = { readonly order: DateOrder; readonly mark: DecimalMark };

/** What a layout has of its own. */
type Layout = {
  readonly amountsOf: (cells: Cells) => readonly Amount[];
  /** The columns of amounts. */
  readonly columns: readonly string[];
};

/** The columns that both layouts have. */
const commonColumns = [
  'settlement-id',
  'settlement-start-date',
  'settlement-end-date',
  'total-amount',
  'currency',
  'transaction-type',
  'posted-date',
];

/** GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2. */
export const settlement = settlementKind(
  'settlement',
  'Settlement, flat file version 2 (GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2)',
  {
    columns: ['amount-type', 'amount-description', 'amount'],
    amountsOf: (cells) => [
      {
        type: textOf(cells, 'transaction-type'),
        component: textOf(cells, 'amount-type'),
        code: textOf(cells, 'amount-description'),
        text: textOf(cells, 'amount'),
      },
    ],
  },
);

/** Columns of amounts, with the columns that name them, and what version 2 calls them. */
const amountColumns = [
  { amount: 'price-amount', name: 'price-type', component: 'ItemPrice' },
  { amount: 'item-related-fee-amount', name: 'item-related-fee-type', component: 'ItemFees' },
  { amount: 'shipment-fee-amount', name: 'shipment-fee-type', component: 'ShipmentFees' },
  { amount: 'order-fee-amount', name: 'order-fee-type', component: 'OrderFees' },
  { amount: 'promotion-amount', name: 'promotion-type', component: 'Promotion' },
  { amount: 'direct-payment-amount', name: 'direct-payment-type', component: 'DirectPayment' },
  { amount: 'other-fee-amount', name: 'other-fee-reason-description', component: 'OtherFees' },
  { amount: 'misc-fee-amount', name: '', component: '' },
  { amount: 'other-amount', name: 'price-type', component: 'Other transactions' },
];

/** Types of transactions that both layouts call the same; what else the older one says there is what version 2 says of an amount. */
const commonTypes = new Set(
  [
    'Order',
    'Refund',
    'Order_Retrocharge',
    'Refund_Retrocharge',
    'Chargeback Refund',
    'A-to-z Guarantee Refund',
    'ServiceFee',
    'Shipment',
    'Adjustment',
    'Fee Adjustment',
    'Transfer',
    'Liquidations',
    'Liquidations Adjustments',
    'CouponRedemptionFee',
    'Lightning Deal Fee',
    'SellerReviewEnrollmentPayment',
    'Vine Enrollment Fee',
    'Grade and Resell Fees',
    'Commingling VAT',
    'Income Tax Charged',
  ].map((type) => type.toLowerCase()),
);
const otherTransaction = 'other-transaction';

/** GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE, which the marketplace has given out before. */
export const settlementV1 = settlementKind(
  'settlementV1',
  'Settlement, flat file of the older layout (GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE)',
  {
    columns: amountColumns.map((column) => column.amount),
    amountsOf(cells) {
      const told = textOf(cells, 'transaction-type');
      const type = commonTypes.has(told.toLowerCase()) ? told : otherTransaction;
      const amounts = amountColumns.flatMap(({ amount, name, component }) => {
        const text = textOf(cells, amount);
        if (text === '') return [];
        const code = textOf(cells, name);
        return [
          code === ''
            ? { type, component: otherTransaction, code: told, text }
            : { type, component, code, text },
        ];
      });
      // How many were sold stands in a row of its own, beside those of the item's amounts.
      const isQuantity =
        amounts.length === 0 &&
        textOf(cells, 'order-item-code') !== '' &&
        textOf(cells, 'quantity-purchased') !== '';
      return isQuantity
        ? [{ type, component: 'ItemPrice', code: 'Principal', text: '0' }]
        : amounts;
    },
  },
);

function settlementKind(name: string, about: string, layout: Layout): DocumentKind {
  return {
    name,
    about,
    tables: ['finance_event', 'finance_claim'],
    ofChannel: true,
    tabsUnquoted: true,
    recognisesHeader: (names) =>
      ['settlement-id', 'total-amount', ...layout.columns].every((column) =>
        names.includes(column),
      ),
    read(desk) {
      if (desk.cover)
        throw new DocumentRefused('a settlement tells its own dates: leave from and to out');
      const reader = new SettlementReader(layout, desk);
      return {
        record: (cells, line) => reader.record(cells, line),
        end: () => reader.end(),
      } satisfies DocumentReader;
    },
  };
}

function textOf(cells: Cells, name: string): string {
  return cells[name]?.trim() ?? '';
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/** What the first row tells. */
type Summary = {
  readonly id: string;
  readonly currency: string;
  readonly total: string;
  readonly start: LocalDate;
  readonly end: LocalDate;
};

class SettlementReader {
  readonly #layout: Layout;
  readonly #desk: Desk;
  readonly #book: FinanceBook;
  #summary: Summary | undefined;
  #reading: Reading | undefined;
  /** Rows that wait until it is known how they are to be read. */
  #head: Row[] = [];
  #lookAt = headRows;
  #amounts = 0;
  /** What the amounts come to so far, in millionths. */
  #sum = 0n;

  constructor(layout: Layout, desk: Desk) {
    this.#layout = layout;
    this.#desk = desk;
    this.#book = desk.finance('settlement');
  }

  record(cells: Cells, line: number): void {
    const isSummary =
      textOf(cells, 'transaction-type') === '' && textOf(cells, 'total-amount') !== '';
    if (this.#summary === undefined) {
      if (!isSummary) {
        this.#requireColumns(cells);
        throw new DocumentRefused(
          `line ${line} should tell the settlement's dates and total-amount, and no transaction-type, but does not: the document is cut off, or its rows were sorted${this.#refusedRows()}`,
        );
      }
      this.#summary = this.#summaryOf(cells);
      return;
    }
    if (isSummary)
      throw new DocumentRefused(
        `line ${line} begins another settlement: import each settlement as a document of its own`,
      );
    const id = textOf(cells, 'settlement-id');
    if (id !== this.#summary.id) {
      throw new DocumentRefused(
        `line ${line} is of settlement ${shown(id)}, the first row of ${shown(this.#summary.id)}: import each settlement as a document of its own`,
      );
    }
    if (this.#reading) {
      this.#take({ cells, line }, this.#reading);
      return;
    }
    this.#head.push({ cells, line });
    if (this.#head.length < this.#lookAt) return;
    this.#lookAt *= 2;
    this.#look(this.#head.length >= headRowsMax);
  }

  async end(): Promise<void> {
    const summary = this.#summary;
    if (summary === undefined)
      throw new DocumentRefused(
        `the document holds no settlement: it is cut off${this.#refusedRows()}`,
      );
    if (this.#reading === undefined) this.#look(true);
    const { order, mark } = this.#reading!;
    if (this.#amounts === 0)
      throw new DocumentRefused(
        `settlement ${summary.id} holds no amounts: the document is cut off${this.#refusedRows()}`,
      );
    const total = amount.read(plainAmount(summary.total, mark));
    if (total instanceof CellError)
      throw new DocumentRefused(
        `the total-amount cannot be read as an amount (it is ${shown(summary.total)})`,
      );
    this.#prove(summary, millionthsOf(total));
    this.#book.documentTotal(summary.currency, total);
    // The first row is understood as well.
    this.#book.rowsAccepted++;
    const { timezone } = this.#desk;
    await this.#book.close({
      name: summary.id,
      from: instantOf(summary.start, order, timezone, 'start')!,
      to: instantOf(summary.end, order, timezone, 'end')!,
    });
  }

  /** Refuses the document where not all of its rows were taken, or they do not come to its total. */
  #prove({ id, currency: code }: Summary, total: bigint): void {
    if (this.#sum === total && this.#desk.refused().rows === 0) return;
    const text = (millionths: bigint) => `${moneyText(millionths, placesOf(code))} ${code}`;
    const told = `the rows of settlement ${id} come to ${text(this.#sum)}, its total-amount to ${text(total)}, a difference of ${text(total - this.#sum)}`;
    const refused = this.#refusedRows();
    throw new DocumentRefused(
      `${told}${refused === '' ? ': the document is cut off, or its rows were changed' : refused}`,
    );
  }

  #refusedRows(): string {
    const { rows, first } = this.#desk.refused();
    if (rows === 0) return '';
    const reasons = first.map(({ line, reason }) => `line ${line} ${reason}`).join('; ');
    return `; ${rows} ${rows === 1 ? 'row was' : 'rows were'} refused: ${reasons}${rows > first.length ? '; …' : ''}`;
  }

  #requireColumns(cells: Cells): void {
    const lacking = [...commonColumns, ...this.#layout.columns].filter(
      (column) => cells[column] === undefined,
    );
    if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
  }

  #summaryOf(cells: Cells): Summary {
    this.#requireColumns(cells);
    const id = textOf(cells, 'settlement-id');
    // A name of claims and units, so of a length that stores keep.
    if (id === '' || id.length > 100)
      throw new DocumentRefused('the first row has no settlement-id');
    const code = currency.read(textOf(cells, 'currency'));
    if (code instanceof CellError)
      throw new DocumentRefused(`the currency of the first row ${code.reason}`);
    return {
      id,
      currency: code,
      total: textOf(cells, 'total-amount'),
      start: this.#edge(cells, 'settlement-start-date'),
      end: this.#edge(cells, 'settlement-end-date'),
    };
  }

  #edge(cells: Cells, name: string): LocalDate {
    const text = textOf(cells, name);
    const read = localDate(text);
    if (read === undefined)
      throw new DocumentRefused(
        `the ${name} of the first row cannot be read as a date (it is ${shown(text)})`,
      );
    return read;
  }

  /** Decides how the document writes dates and amounts, and takes the rows that waited for it; leaves it open where that is allowed. */
  #look(mustDecide: boolean): void {
    const summary = this.#summary!;
    const order = this.#dateOrder(summary);
    if (order === undefined) {
      if (!mustDecide) return;
      throw new DocumentRefused(
        `whether the day or the month comes first in its dates cannot be told from the document: download it with dates that begin with the year`,
      );
    }
    const texts = this.#head.flatMap(({ cells }) =>
      this.#layout.amountsOf(cells).map(({ text }) => text),
    );
    const reading = {
      order,
      mark: decimalMarkOf([summary.total, ...texts], placesOf(summary.currency)),
    };
    this.#reading = reading;
    for (const row of this.#head.splice(0)) this.#take(row, reading);
  }

  /** The order in which the settlement is no longer than settlements are, or else in which more rows lie within it. */
  #dateOrder({ start, end }: Summary): DateOrder | undefined {
    const { timezone } = this.#desk;
    const dates = this.#head.flatMap(({ cells }) => localDate(postedText(cells)) ?? []);
    if ([start, end, ...dates].every(({ dayFirst, monthFirst }) => dayFirst === monthFirst)) {
      if (
        instantOf(start, 'dayFirst', timezone, 'start')! <=
        instantOf(end, 'dayFirst', timezone, 'end')!
      )
        return 'dayFirst';
      throw new DocumentRefused('the settlement-end-date lies before the settlement-start-date');
    }
    const found = orders.flatMap((order) => {
      const from = instantOf(start, order, timezone, 'start');
      const to = instantOf(end, order, timezone, 'end');
      if (from === undefined || to === undefined || from > to) return [];
      const isWithin = (at: number | undefined) =>
        at !== undefined && at >= from - secondsPerDay && at <= to + secondsPerDay;
      const within = dates.filter((one) => isWithin(instantOf(one, order, timezone))).length;
      return [{ order, isUsual: to - from <= settlementDaysMax * secondsPerDay, within }];
    });
    if (found.length === 0)
      throw new DocumentRefused(
        'settlement-start-date and settlement-end-date are not the dates of a settlement in either order of day and month',
      );
    const [one, other] = found;
    if (other === undefined) return one!.order;
    if (one!.isUsual !== other.isUsual) return one!.isUsual ? one!.order : other.order;
    if (one!.within === other.within) return undefined;
    return one!.within > other.within ? one!.order : other.order;
  }

  #take({ cells, line }: Row, reading: Reading): void {
    const postings = this.#postingsOf(cells, reading);
    if (typeof postings === 'string') {
      this.#desk.reject(line, postings);
      return;
    }
    if (postings.length > 0 && !this.#book.postAll({ name: this.#summary!.id }, postings, line))
      return;
    for (const posting of postings) this.#sum += millionthsOf(posting.amount);
    this.#amounts += postings.length;
    // A row is one, however many amounts it has.
    this.#book.rowsAccepted += 1 - postings.length;
  }

  /** The amounts of a row, or the reason why it is refused. */
  #postingsOf(
    cells: Cells,
    { order, mark }: Reading,
  ): (Posting & { readonly amount: string })[] | string {
    const { timezone } = this.#desk;
    const { currency: code } = this.#summary!;
    const amounts = this.#layout.amountsOf(cells).filter(({ text }) => text !== '');
    if (amounts.length === 0) return [];
    const told = textOf(cells, 'currency');
    if (told !== '' && told.toUpperCase() !== code)
      return `is in ${shown(told)}, but the settlement in ${code}`;
    const date = postedText(cells);
    if (date === '') return 'has no posted-date';
    const local = localDate(date);
    const postedAt = local && instantOf(local, order, timezone);
    if (postedAt === undefined)
      return `has a posted-date that cannot be read (it is ${shown(date)})`;
    const purchased = textOf(cells, 'quantity-purchased');
    const quantity = units.read(purchased === '' ? 0 : purchased);
    if (quantity instanceof CellError)
      return `quantity-purchased ${quantity.reason} (it is ${shown(purchased)})`;
    const fulfillment = textOf(cells, 'fulfillment-id').toUpperCase();
    const common = {
      postedAt,
      currency: code,
      sku: textOf(cells, 'sku'),
      orderId: textOf(cells, 'order-id'),
      fulfillment: fulfillment === 'AFN' || fulfillment === 'MFN' ? fulfillment : '',
    } as const;
    const postings: (Posting & { readonly amount: string })[] = [];
    for (const { text, ...names } of amounts) {
      const read = amount.read(plainAmount(text, mark));
      if (read instanceof CellError) {
        return `has an amount that cannot be read with decimals behind a ${mark === '.' ? 'point' : 'comma'} (it is ${shown(text)})`;
      }
      const isPrincipal = names.component === 'ItemPrice' && names.code === 'Principal';
      postings.push({
        ...common,
        ...names,
        amount: read,
        quantity: isPrincipal ? quantity : 0,
      });
    }
    return postings;
  }
}

/** When a row was posted: to the second, where the layout tells it. */
function postedText(cells: Cells): string {
  return textOf(cells, 'posted-date-time') || textOf(cells, 'posted-date');
}

function placesOf(code: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      .maximumFractionDigits ?? 2
  );
}

/** An amount in millionths with so many places, or with all that it has. */
function moneyText(millionths: bigint, places: number): string {
  return amountText(millionths).replace(new RegExp(`\\.?0{${6 - places}}$`), '');
}
