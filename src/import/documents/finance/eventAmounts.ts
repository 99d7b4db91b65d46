/**
 * The amounts of each kind of event in the Finances API v0. An amount that is a sum of others
 * counts once.
 */
import { CellError } from '../../cells/fields.ts';
import { listIn, part, textAt } from '../../cells/json.ts';
import { moneyIn, unitsIn } from '../../cells/money.ts';

/** The names of an amount's parts in this API. */
export const moneyNames = { amount: 'CurrencyAmount', currency: 'CurrencyCode' };

/** An amount of an event: its component and code, and the money as written. */
export type Entry = {
  readonly component: string;
  readonly code: string;
  readonly money: unknown;
  readonly sku?: string;
  readonly quantity?: number;
  readonly fulfillment?: 'AFN' | 'MFN';
  /** The sign of the amount, whatever its sign in the document: 1 for a credit, -1 for a debit. */
  readonly sign?: 1 | -1;
};
type EntriesOf = (event: unknown) => readonly Entry[];

/** The amounts of an event, by the name of its list without the suffix. */
export const entriesOf: Readonly<Record<string, EntriesOf>> = {
  Shipment: shipment,
  ShipmentSettle: shipment,
  Refund: shipment,
  GuaranteeClaim: shipment,
  EBTRefundReimbursementOnly: (event) => [one(event, 'Amount')],
  Chargeback: shipment,
  PayWithAmazon: (event) => {
    const fulfillment = textAt(event, 'FulfillmentChannel');
    const entries = [charge(part(event, 'Charge')), ...fees(event, 'FeeList')];
    return fulfillment === 'AFN' || fulfillment === 'MFN'
      ? entries.map((each) => ({ ...each, fulfillment }))
      : entries;
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
  // A charge that is given back to the seller: the reason names it.
  ChargeRefund: (event) =>
    (listIn(event, 'ChargeRefundTransactions') ?? []).map((value) => ({
      ...charge(value),
      component: textAt(event, 'ReasonCode') || 'ChargeList',
    })),
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

/** A field that is itself an amount. */
function one(event: unknown, name: string, code = ''): Entry {
  return { component: name, code: code || name, money: part(event, name) };
}

function charge(value: unknown): Entry {
  return {
    component: 'ChargeList',
    code: textAt(value, 'ChargeType'),
    money: part(value, 'ChargeAmount'),
  };
}

function charges(event: unknown, list: string): Entry[] {
  return (listIn(event, list) ?? []).map((value) => ({ ...charge(value), component: list }));
}

function fee(value: unknown): Entry {
  return { component: 'FeeList', code: textAt(value, 'FeeType'), money: part(value, 'FeeAmount') };
}

function fees(event: unknown, list: string): Entry[] {
  return (listIn(event, list) ?? []).map((value) => ({ ...fee(value), component: list }));
}

function withheld(event: unknown, list: string): Entry[] {
  return (listIn(event, list) ?? []).flatMap((model) =>
    charges(model, 'TaxesWithheld').map((each) => ({ ...each, component: list })),
  );
}

function promotions(item: unknown, list: string): Entry[] {
  return (listIn(item, list) ?? []).map((value) => ({
    component: list,
    code: textAt(value, 'PromotionType'),
    money: part(value, 'PromotionAmount'),
  }));
}

function shipment(event: unknown): readonly Entry[] {
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

function shipmentItem(item: unknown): readonly Entry[] {
  const entries = [
    ...['ItemChargeList', 'ItemChargeAdjustmentList'].flatMap((list) => charges(item, list)),
    ...['ItemFeeList', 'ItemFeeAdjustmentList'].flatMap((list) => fees(item, list)),
    ...withheld(item, 'ItemTaxWithheldList'),
    ...['PromotionList', 'PromotionAdjustmentList'].flatMap((list) => promotions(item, list)),
    one(item, 'CostOfPointsGranted'),
    one(item, 'CostOfPointsReturned'),
  ];
  const sku = textAt(item, 'SellerSKU');
  const quantity = unitsIn(part(item, 'QuantityShipped'));
  const principal = entries.find(({ code }) => code === 'Principal');
  return entries.map((each) => ({ ...each, sku, quantity: each === principal ? quantity : 0 }));
}

/**
 * The items of an adjustment, which name products, if they add up to its amount; otherwise the
 * amount.
 */
function adjustment(event: unknown): readonly Entry[] {
  const type = textAt(event, 'AdjustmentType');
  const whole = one(event, 'AdjustmentAmount', type);
  const items = (listIn(event, 'AdjustmentItemList') ?? []).map(
    (item): Entry => ({
      component: 'AdjustmentItemList',
      code: type,
      money: part(item, 'TotalAmount'),
      sku: textAt(item, 'SellerSKU'),
    }),
  );
  return addUp(items, whole) ? items : [whole];
}

function feeAndCharge(event: unknown): readonly Entry[] {
  const parts = [fee(part(event, 'FeeComponent')), charge(part(event, 'ChargeComponent'))];
  const whole = one(event, 'TotalAmount');
  return addUp(parts, whole) ? parts : [whole];
}

/** The sum if the event has it; otherwise its parts. */
function wholeOr(event: unknown, whole: string, parts: readonly string[]): readonly Entry[] {
  return millionthsOf(one(event, whole)) === undefined
    ? parts.map((name) => one(event, name))
    : [one(event, whole)];
}

function affordability(event: unknown): readonly Entry[] {
  const expenses = wholeOr(event, 'TotalExpense', [
    'BaseExpense',
    'TaxTypeCGST',
    'TaxTypeSGST',
    'TaxTypeIGST',
  ]);
  return bySense(expenses, textAt(event, 'TransactionType'));
}

/** Charges are debits and refunds are credits, whatever their sign in the document. */
function bySense(entries: readonly Entry[], type: string): readonly Entry[] {
  const sense = type.toLowerCase();
  if (sense === 'charge') return entries.map((each) => ({ ...each, sign: -1 }));
  return sense === 'refund' ? entries.map((each) => ({ ...each, sign: 1 })) : entries;
}

/** A tax and its withheld part, which has the opposite sign, whatever its sign in the document. */
function taxWithheld(item: unknown, tax: string, taken: string): readonly Entry[] {
  return [
    one(item, tax),
    { ...one(item, taken), sign: (millionthsOf(one(item, tax)) ?? 0n) < 0n ? 1 : -1 },
  ];
}

/** Whether the parts add up to the whole, or there is no whole. */
function addUp(parts: readonly Entry[], whole: Entry): boolean {
  const total = millionthsOf(whole);
  return (
    parts.length > 0 &&
    (total === undefined ||
      parts.reduce((sum, each) => sum + (millionthsOf(each) ?? 0n), 0n) === total)
  );
}

/** An amount in millionths; undefined if it is missing or unreadable. */
function millionthsOf({ money }: Entry): bigint | undefined {
  const read = moneyIn(money, moneyNames, 'XXX');
  return read === undefined || read instanceof CellError ? undefined : read.millionths;
}
