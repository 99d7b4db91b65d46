/**
 * Bodies of the Finances API v0: listFinancialEvents, by group, by order or by dates, one body a document or one a line. Model:
 * selling-partner-api-models, models/finances-api-model/financesV0.json.
 */
import { type DayNumber, dayNumber, localDay } from '../../../calendar/period.ts';
import { amountText, CellError, instant } from '../../cells/fields.ts';
import { type Money, moneyIn, textAt, unitsIn } from '../../cells/money.ts';
import { instantOfDay, nameOf, Occurrences } from '../../ledger/content.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { type DocumentKind, listIn, oneMarketplace, part } from '../kind.ts';
import { marketplaceOf } from '../marketplaces.ts';

const moneyNames = { amount: 'CurrencyAmount', currency: 'CurrencyCode' };
const listSuffix = 'EventList';
/** What a reason may hold of a name that the document tells. */
const shownMax = 60;

/** An amount of an event: its two inner names, and the money as the document tells it. */
type Told = {
  readonly component: string;
  readonly code: string;
  readonly money: unknown;
  readonly sku?: string;
  readonly quantity?: number;
  readonly fulfillment?: 'AFN' | 'MFN';
  /** Which sign it has whatever sign it is told with: 1 a credit, -1 a debit. */
  readonly sign?: 1 | -1;
};
type Reading = (event: unknown) => readonly Told[];
/** An event of the list of that name. */
type Found = { readonly list: string; readonly event: unknown };

/** The amounts of each list of events. Sums that stand beside their parts are told once. */
const readings: Readonly<Record<string, Reading>> = {
  Shipment: shipment,
  ShipmentSettle: shipment,
  Refund: shipment,
  GuaranteeClaim: shipment,
  EBTRefundReimbursementOnly: (event) => [one(event, 'Amount')],
  Chargeback: shipment,
  PayWithAmazon: (event) => {
    const fulfillment = textAt(event, 'FulfillmentChannel');
    const told = [charge(part(event, 'Charge')), ...fees(event, 'FeeList')];
    return fulfillment === 'AFN' || fulfillment === 'MFN'
      ? told.map((each) => ({ ...each, fulfillment }))
      : told;
  },
  ServiceProviderCredit: (event) => [
    one(event, 'TransactionAmount', textAt(event, 'ProviderTransactionType')),
  ],
  Retrocharge: (event) => {
    const type = textAt(event, 'RetrochargeEventType');
    return [
      { ...one(event, 'BaseTax'), component: type },
      { ...one(event, 'ShippingTax'), component: type },
      ...withheld(event, 'RetrochargeTaxWithheldList').map((each) => ({
        ...each,
        component: type,
      })),
    ];
  },
  RentalTransaction: (event) => [
    ...charges(event, 'RentalChargeList'),
    ...fees(event, 'RentalFeeList'),
    ...withheld(event, 'RentalTaxWithheldList'),
    one(event, 'RentalReimbursement', textAt(event, 'RentalEventType')),
  ],
  ProductAdsPayment: (event) =>
    bySense(
      wholeOr(event, 'transactionValue', ['baseValue', 'taxValue']),
      textAt(event, 'transactionType'),
    ),
  ServiceFee: (event) =>
    fees(event, 'FeeList').map((each) => ({ ...each, sku: textAt(event, 'SellerSKU') })),
  SellerDealPayment: (event) =>
    wholeOr(event, 'totalAmount', ['feeAmount', 'taxAmount']).map((each) => ({
      ...each,
      code: textAt(event, 'feeType') || each.code,
    })),
  DebtRecovery: (event) => {
    const type = textAt(event, 'DebtRecoveryType');
    return [one(event, 'RecoveryAmount', type), one(event, 'OverPaymentCredit', type)];
  },
  LoanServicing: (event) => [one(event, 'LoanAmount', textAt(event, 'SourceBusinessEventType'))],
  Adjustment: adjustment,
  SAFETReimbursement: (event) => [one(event, 'ReimbursedAmount', textAt(event, 'ReasonCode'))],
  SellerReviewEnrollmentPayment: feeAndCharge,
  FBALiquidation: (event) => [
    one(event, 'LiquidationProceedsAmount'),
    { ...one(event, 'LiquidationFeeAmount'), sign: -1 },
  ],
  CouponPayment: feeAndCharge,
  ImagingServicesFee: (event) => fees(event, 'FeeList'),
  NetworkComminglingTransaction: (event) => [
    one(event, 'TaxExclusiveAmount'),
    one(event, 'TaxAmount'),
  ],
  AffordabilityExpense: affordability,
  AffordabilityExpenseReversal: affordability,
  RemovalShipment: (event) =>
    (listIn(event, 'RemovalShipmentItemList') ?? []).flatMap((item) => [
      one(item, 'Revenue'),
      one(item, 'FeeAmount'),
      ...taxWithheld(item, 'TaxAmount', 'TaxWithheld'),
    ]),
  RemovalShipmentAdjustment: (event) =>
    (listIn(event, 'RemovalShipmentItemAdjustmentList') ?? []).flatMap((item) => [
      one(item, 'RevenueAdjustment'),
      ...taxWithheld(item, 'TaxAmountAdjustment', 'TaxWithheldAdjustment'),
    ]),
  TrialShipment: (event) =>
    fees(event, 'FeeList').map((each) => ({ ...each, sku: textAt(event, 'SKU') })),
  TDSReimbursement: (event) => [one(event, 'ReimbursedAmount')],
  AdhocDisbursement: (event) => [one(event, 'TransactionAmount', textAt(event, 'TransactionType'))],
  TaxWithholding: (event) => [{ ...one(event, 'WithheldAmount'), sign: -1 }],
  ChargeRefund: (event) => (listIn(event, 'ChargeRefundTransactions') ?? []).map(charge),
  FailedAdhocDisbursement: (event) => [
    one(event, 'TransferAmount', textAt(event, 'FundsTransfersType')),
  ],
  ValueAddedServiceCharge: (event) => [
    one(event, 'TransactionAmount', textAt(event, 'TransactionType')),
  ],
  CapacityReservationBilling: (event) => [
    one(event, 'TransactionAmount', textAt(event, 'TransactionType')),
  ],
};

/** Finances API v0. */
export const financialEvents: DocumentKind = {
  name: 'financialEvents',
  about:
    'Finances API v0 events (listFinancialEvents, …ByGroupId, …ByOrderId; JSON, or one body a line)',
  tables: ['finance_event'],
  ofChannel: true,
  recognises: (value) => eventsIn(value) !== undefined,
  rowsOf: eventsIn,
  read(desk) {
    const book = desk.finance('financialEvents');
    const isOfChannel = oneMarketplace(desk);
    const occurrences = new Occurrences();
    const undated: {
      readonly name: string;
      readonly postings: readonly Omit<Posting, 'postedAt'>[];
      readonly line: number;
    }[] = [];
    let days: { readonly first: DayNumber; readonly last: DayNumber } | undefined;

    function take({ list, event }: Found, line: number): void {
      const type = list.slice(0, -listSuffix.length);
      if (!Object.hasOwn(readings, type)) {
        desk.reject(line, `${list.slice(0, shownMax)} is no list of events that is known`);
        return;
      }
      if (!isOfChannel({ marketplaceId: marketplaceOf(textAt(event, 'MarketplaceName')) }, line))
        return;
      const name = occurrences.next(`${type}:${nameOf(event)}`);
      const orderId =
        ['AmazonOrderId', 'OrderId', 'TDSOrderId', 'SellerOrderId']
          .map((each) => textAt(event, each))
          .find((id) => id !== '') ?? '';
      const postings: Omit<Posting, 'postedAt'>[] = [];
      for (const { money, sign, ...names } of readings[type]!(event)) {
        const read = moneyIn(money, moneyNames, desk.currency);
        if (read instanceof CellError) {
          desk.reject(line, `${type} ${names.component} ${names.code}: the amount ${read.reason}`);
          return;
        }
        if (read !== undefined && (read.millionths !== 0n || names.quantity))
          postings.push({ ...names, type, orderId, ...signed(read, sign) });
      }
      const told = ['PostedDate', 'postedDate', 'TransactionPostedDate', 'TransactionCreationDate']
        .map((each) => part(event, each))
        .find((date) => date);
      if (told === undefined) {
        if (postings.length > 0) undated.push({ name, postings, line });
        return;
      }
      const postedAt = instant.read(told);
      if (postedAt instanceof CellError) {
        desk.reject(line, `${type}: PostedDate ${postedAt.reason}`);
        return;
      }
      const day = localDay(desk.timezone, postedAt);
      days = { first: Math.min(day, days?.first ?? day), last: Math.max(day, days?.last ?? day) };
      book.postAll(
        { name },
        postings.map((posting) => ({ ...posting, postedAt })),
        line,
      );
    }

    return {
      value(value, line) {
        for (const found of eventsIn(value) ?? [value as Found]) take(found, line);
      },
      async end() {
        // Service fees, debts and loans carry no date: they are of the days that the document speaks for.
        const all = desk.cover ?? days;
        for (const { name, postings, line } of undated) {
          if (all === undefined) {
            desk.reject(
              line,
              'has no date, nor has anything else in the document: import it with from and to, the dates that it was asked for',
            );
            continue;
          }
          const date = desk.bookOn(line, all.first, all.last);
          if (date === undefined) continue;
          const postedAt = instantOfDay(desk.timezone, dayNumber(date));
          const isCoarse = all.first !== all.last;
          // Without its date one month's fee is as the next one's.
          book.postAll(
            { name: `${name}@${date}` },
            postings.map((posting) => ({ ...posting, postedAt, isCoarse })),
            line,
          );
          await desk.relieve();
        }
        await book.close();
      },
    };
  },
};

function eventsIn(value: unknown): readonly Found[] | undefined {
  const body = part(value, 'payload') ?? value;
  const events = part(body, 'FinancialEvents') ?? body;
  if (typeof events !== 'object' || events === null || Array.isArray(events)) return undefined;
  const lists = Object.entries(events).filter(([name]) => name.endsWith(listSuffix));
  if (lists.length === 0 && events === body) return undefined;
  return lists.flatMap(([list, found]) =>
    Array.isArray(found) ? found.map((event: unknown) => ({ list, event })) : [],
  );
}

function signed(
  { currency, millionths }: Money,
  sign: 1 | -1 | undefined,
): Pick<Posting, 'currency' | 'amount'> {
  const size = millionths < 0n ? -millionths : millionths;
  return { currency, amount: amountText(sign === undefined ? millionths : size * BigInt(sign)) };
}

/** A field that is an amount itself. */
function one(event: unknown, name: string, code = ''): Told {
  return { component: name, code: code || name, money: part(event, name) };
}

function charge(value: unknown): Told {
  return {
    component: 'ChargeList',
    code: textAt(value, 'ChargeType'),
    money: part(value, 'ChargeAmount'),
  };
}

function charges(event: unknown, list: string): Told[] {
  return (listIn(event, list) ?? []).map((value) => ({ ...charge(value), component: list }));
}

function fee(value: unknown): Told {
  return { component: 'FeeList', code: textAt(value, 'FeeType'), money: part(value, 'FeeAmount') };
}

function fees(event: unknown, list: string): Told[] {
  return (listIn(event, list) ?? []).map((value) => ({ ...fee(value), component: list }));
}

function withheld(event: unknown, list: string): Told[] {
  return (listIn(event, list) ?? []).flatMap((model) =>
    charges(model, 'TaxesWithheld').map((each) => ({ ...each, component: list })),
  );
}

function promotions(item: unknown, list: string): Told[] {
  return (listIn(item, list) ?? []).map((value) => ({
    component: list,
    code: textAt(value, 'PromotionType'),
    money: part(value, 'PromotionAmount'),
  }));
}

function shipment(event: unknown): readonly Told[] {
  const items = ['ShipmentItemList', 'ShipmentItemAdjustmentList'].flatMap(
    (list) => listIn(event, list) ?? [],
  );
  return [
    ...['OrderChargeList', 'OrderChargeAdjustmentList'].flatMap((list) => charges(event, list)),
    ...[
      'ShipmentFeeList',
      'ShipmentFeeAdjustmentList',
      'OrderFeeList',
      'OrderFeeAdjustmentList',
    ].flatMap((list) => fees(event, list)),
    ...(listIn(event, 'DirectPaymentList') ?? []).map((payment) => ({
      component: 'DirectPaymentList',
      code: textAt(payment, 'DirectPaymentType'),
      money: part(payment, 'DirectPaymentAmount'),
    })),
    ...items.flatMap(shipmentItem),
  ];
}

function shipmentItem(item: unknown): readonly Told[] {
  const told = [
    ...['ItemChargeList', 'ItemChargeAdjustmentList'].flatMap((list) => charges(item, list)),
    ...['ItemFeeList', 'ItemFeeAdjustmentList'].flatMap((list) => fees(item, list)),
    ...withheld(item, 'ItemTaxWithheldList'),
    ...['PromotionList', 'PromotionAdjustmentList'].flatMap((list) => promotions(item, list)),
    one(item, 'CostOfPointsGranted'),
    one(item, 'CostOfPointsReturned'),
  ];
  const sku = textAt(item, 'SellerSKU');
  const quantity = unitsIn(part(item, 'QuantityShipped'));
  const principal = told.find(({ code }) => code === 'Principal');
  return told.map((each) => ({ ...each, sku, quantity: each === principal ? quantity : 0 }));
}

/** An adjustment by its items, which name their products, where they add up to its amount. */
function adjustment(event: unknown): readonly Told[] {
  const type = textAt(event, 'AdjustmentType');
  const whole = one(event, 'AdjustmentAmount', type);
  const items = (listIn(event, 'AdjustmentItemList') ?? []).map(
    (item): Told => ({
      component: 'AdjustmentItemList',
      code: type,
      money: part(item, 'TotalAmount'),
      sku: textAt(item, 'SellerSKU'),
    }),
  );
  return addUp(items, whole) ? items : [whole];
}

function feeAndCharge(event: unknown): readonly Told[] {
  const parts = [fee(part(event, 'FeeComponent')), charge(part(event, 'ChargeComponent'))];
  const whole = one(event, 'TotalAmount');
  return addUp(parts, whole) ? parts : [whole];
}

/** A sum where it is told, else its parts. */
function wholeOr(event: unknown, whole: string, parts: readonly string[]): readonly Told[] {
  return comesTo(one(event, whole)) === undefined
    ? parts.map((name) => one(event, name))
    : [one(event, whole)];
}

function affordability(event: unknown): readonly Told[] {
  const told = wholeOr(event, 'TotalExpense', [
    'BaseExpense',
    'TaxTypeCGST',
    'TaxTypeSGST',
    'TaxTypeIGST',
  ]);
  return bySense(told, textAt(event, 'TransactionType'));
}

/** What is charged is a debit and what is refunded a credit, with whatever sign it is told. */
function bySense(told: readonly Told[], type: string): readonly Told[] {
  const sense = type.toLowerCase();
  if (sense === 'charge') return told.map((each) => ({ ...each, sign: -1 }));
  return sense === 'refund' ? told.map((each) => ({ ...each, sign: 1 })) : told;
}

/** A tax, and what is withheld of it: told as a positive number or a negative one, it goes the other way. */
function taxWithheld(item: unknown, tax: string, taken: string): readonly Told[] {
  return [
    one(item, tax),
    { ...one(item, taken), sign: (comesTo(one(item, tax)) ?? 0n) < 0n ? 1 : -1 },
  ];
}

/** Whether parts come to a whole, or the whole is not told. */
function addUp(parts: readonly Told[], whole: Told): boolean {
  const total = comesTo(whole);
  return (
    parts.length > 0 &&
    (total === undefined || parts.reduce((sum, each) => sum + (comesTo(each) ?? 0n), 0n) === total)
  );
}

/** What an amount comes to in millionths, undefined where it is not told or cannot be read. */
function comesTo({ money }: Told): bigint | undefined {
  const read = moneyIn(money, moneyNames, 'XXX');
  return read === undefined || read instanceof CellError ? undefined : read.millionths;
}
