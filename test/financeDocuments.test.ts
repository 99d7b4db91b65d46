import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { StoreUnavailable } from '../src/engine/errors.ts';
import { casesOn, onEachPair, type Tenant, testOnOnePair, type World } from './harness.ts';
import { held, importDocument, reasons, refused, taken } from './imports.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/finances.${name}`, import.meta.url), 'utf8');
const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const at = (instant: string) => Date.parse(instant) / 1000;

const german = {
  merchantId: 'A1NORTHWIND @ A1PA6795UKMFR9',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
};
const american = {
  merchantId: 'A1NORTHWIND @ ATVPDKIKX0DER',
  currency: 'USD',
  timezone: 'America/Los_Angeles',
};
const newSeller = (world: World, channel: typeof german = german): Promise<Tenant> =>
  world.tenant({ channel });

/** Line, code, amount, tax and units of the stored events. */
const factColumns = 'line, code, amount, tax, quantity';
const facts = (world: World, tenant: Tenant) => held(world, tenant, 'finance_event', factColumns);
/** The same with every other column except the import. */
const whole = (world: World, tenant: Tenant) =>
  held(
    world,
    tenant,
    'finance_event',
    'unit, number, source, transaction_id, revision, posted_at, sku, order_id, line, code, amount, tax, quantity, currency',
  );

const zero = '0.000000';
/** The expected sums of an import in one currency. */
function sums(
  currency: string,
  lines: object,
  expected: {
    total: string;
    documentTotal: string | null;
    leftOut?: string;
    balance?: string;
    tax?: object;
  },
): object {
  return {
    currency,
    lines,
    tax: { sales: zero, refunds: zero, ...expected.tax },
    balance: expected.balance ?? zero,
    leftOut: expected.leftOut ?? zero,
    total: expected.total,
    documentTotal: expected.documentTotal,
  };
}

// Transactions

const eur = (currencyAmount: number, currencyCode = 'EUR') => ({ currencyAmount, currencyCode });
const breakdown = (breakdownType: string, amount: number, breakdowns: object[] | null = null) => ({
  breakdownType,
  breakdownAmount: eur(amount),
  breakdowns,
});
const item = (
  sku: string,
  quantityShipped: number,
  total: number,
  breakdowns: object[] | null,
) => ({
  description: 'A thing',
  totalAmount: eur(total),
  breakdowns,
  contexts: [
    {
      contextType: 'ProductContext',
      sku,
      asin: `B0${sku}`,
      quantityShipped,
      fulfillmentNetwork: 'AFN',
    },
  ],
});
const related = (identifiers: Record<string, string>) =>
  Object.entries(identifiers).map(([relatedIdentifierName, relatedIdentifierValue]) => ({
    relatedIdentifierName,
    relatedIdentifierValue,
  }));

function transaction(
  transactionId: string | undefined,
  postedDate: string,
  total: number,
  more: Record<string, unknown> = {},
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
const sale = (
  transactionId: string,
  shipmentId: string,
  transactionStatus: string | null,
  postedDate: string,
  orderId = `O-${shipmentId}`,
) =>
  transaction(transactionId, postedDate, 17, {
    transactionStatus,
    relatedIdentifiers: related({ ORDER_ID: orderId, SHIPMENT_ID: shipmentId }),
    items: [
      item('FLASK', 1, 17, [
        breakdown('ProductCharges', 20, [breakdown('OurPricePrincipal', 20)]),
        breakdown('AmazonFees', -3, [breakdown('Commission', -3, [breakdown('Base', -3)])]),
      ]),
    ],
  });
const page = (...transactions: object[]) =>
  JSON.stringify({ payload: { nextToken: 'more', transactions } });

// Financial events

const money = (CurrencyAmount: number, CurrencyCode = 'EUR') => ({ CurrencyCode, CurrencyAmount });
const charge = (ChargeType: string, amount: number) => ({
  ChargeType,
  ChargeAmount: money(amount),
});
const fee = (FeeType: string, amount: number) => ({ FeeType, FeeAmount: money(amount) });
const events = (FinancialEvents: object) =>
  JSON.stringify({ payload: { FinancialEvents, NextToken: 'more' } });
const posted = { PostedDate: '2025-03-18T10:00:00Z' };
const shipped = (AmazonOrderId: string, PostedDate: string, amount: number, more: object = {}) => ({
  AmazonOrderId,
  PostedDate,
  MarketplaceName: 'Amazon.de',
  ShipmentItemList: [
    {
      SellerSKU: 'FLASK',
      QuantityShipped: 1,
      ItemChargeList: [charge('Principal', amount), charge('ShippingCharge', 0)],
    },
  ],
  ...more,
});

/** Every list of events with one event, and the facts that it becomes: line, code, amount, tax, units. All amounts differ. */
const lists: readonly (readonly [
  string,
  object,
  readonly (readonly [string, string, number, number, number])[],
])[] = [
  [
    'Shipment',
    {
      ...posted,
      AmazonOrderId: 'O-1',
      ShipmentFeeList: [fee('FBATransportationFee', -1.01)],
      OrderChargeList: [charge('ShippingCharge', 1.02)],
      DirectPaymentList: [
        { DirectPaymentType: 'StoredValueCardRevenue', DirectPaymentAmount: money(-1.03) },
      ],
      ShipmentItemList: [
        {
          SellerSKU: 'FLASK',
          QuantityShipped: 2,
          ItemChargeList: [
            charge('Principal', 40),
            charge('Tax', 7.6),
            charge('GiftWrap', 2.5),
            charge('GiftWrapTax', 0),
          ],
          ItemFeeList: [fee('Commission', -6), fee('FBAPerUnitFulfillmentFee', -7.25)],
          ItemTaxWithheldList: [
            {
              TaxCollectionModel: 'MarketplaceFacilitator',
              TaxesWithheld: [charge('MarketplaceFacilitatorTax-Principal', -7.6)],
            },
          ],
          PromotionList: [
            {
              PromotionType: 'PromotionMetaDataDefinitionValue',
              PromotionId: 'P',
              PromotionAmount: money(-4.5),
            },
          ],
          CostOfPointsGranted: money(-0.4),
        },
      ],
    },
    [
      ['otherExpenses', 'Shipment/DirectPaymentList/StoredValueCardRevenue', -1.03, 0, 0],
      ['otherIncome', 'Shipment/ItemChargeList/GiftWrap', 2.5, 0, 0],
      ['otherIncome', 'Shipment/OrderChargeList/ShippingCharge', 1.02, 0, 0],
      ['promotions', 'Shipment/CostOfPointsGranted', -0.4, 0, 0],
      ['promotions', 'Shipment/PromotionList/PromotionMetaDataDefinitionValue', -4.5, 0, 0],
      ['sales', 'Shipment/ItemChargeList/Principal', 40, 0, 2],
      ['sales', 'Shipment/ItemChargeList/Tax', 0, 7.6, 0],
      ['sales', 'Shipment/ItemTaxWithheldList/MarketplaceFacilitatorTax-Principal', 0, -7.6, 0],
      ['sellingFees', 'Shipment/ItemFeeList/Commission', -6, 0, 0],
      ['shippingFees', 'Shipment/ItemFeeList/FBAPerUnitFulfillmentFee', -7.25, 0, 0],
      ['shippingFees', 'Shipment/ShipmentFeeList/FBATransportationFee', -1.01, 0, 0],
    ],
  ],
  [
    'ShipmentSettle',
    {
      ...posted,
      ShipmentItemList: [
        { SellerSKU: 'FLASK', QuantityShipped: 1, ItemChargeList: [charge('Principal', 19)] },
      ],
    },
    [['sales', 'ShipmentSettle/ItemChargeList/Principal', 19, 0, 1]],
  ],
  [
    'Refund',
    {
      ...posted,
      AmazonOrderId: 'O-1',
      ShipmentItemAdjustmentList: [
        {
          SellerSKU: 'FLASK',
          QuantityShipped: 1,
          ItemChargeAdjustmentList: [
            charge('Tax', -3.8),
            charge('Principal', -20),
            charge('RestockingFee', 2),
          ],
          ItemFeeAdjustmentList: [fee('Commission', 3), fee('RefundCommission', -0.6)],
          PromotionAdjustmentList: [{ PromotionType: 'X', PromotionAmount: money(2.25) }],
          CostOfPointsReturned: money(0.2),
        },
      ],
    },
    [
      ['refunds', 'Refund/CostOfPointsReturned', 0.2, 0, 0],
      ['refunds', 'Refund/ItemChargeAdjustmentList/Principal', -20, 0, 1],
      ['refunds', 'Refund/ItemChargeAdjustmentList/Tax', 0, -3.8, 0],
      ['refunds', 'Refund/PromotionAdjustmentList/X', 2.25, 0, 0],
      ['refundsAndReturnsOverheads', 'Refund/ItemChargeAdjustmentList/RestockingFee', 2, 0, 0],
      ['refundsAndReturnsOverheads', 'Refund/ItemFeeAdjustmentList/Commission', 3, 0, 0],
      ['refundsAndReturnsOverheads', 'Refund/ItemFeeAdjustmentList/RefundCommission', -0.6, 0, 0],
    ],
  ],
  [
    'GuaranteeClaim',
    {
      ...posted,
      ShipmentItemAdjustmentList: [
        { SellerSKU: 'FLASK', ItemChargeAdjustmentList: [charge('Principal', -18.5)] },
      ],
    },
    [['refunds', 'GuaranteeClaim/ItemChargeAdjustmentList/Principal', -18.5, 0, 0]],
  ],
  [
    'EBTRefundReimbursementOnly',
    { ...posted, OrderId: 'O-2', Amount: money(1.11) },
    [['reimbursements', 'EBTRefundReimbursementOnly/Amount', 1.11, 0, 0]],
  ],
  [
    'Chargeback',
    {
      ...posted,
      ShipmentItemAdjustmentList: [
        { SellerSKU: 'FLASK', ItemChargeAdjustmentList: [charge('Principal', -17.5)] },
      ],
    },
    [['refunds', 'Chargeback/ItemChargeAdjustmentList/Principal', -17.5, 0, 0]],
  ],
  [
    'PayWithAmazon',
    {
      TransactionPostedDate: posted.PostedDate,
      SellerOrderId: 'S-1',
      Charge: charge('Principal', 30),
      FeeList: [fee('PayFee', -0.9)],
    },
    [
      ['otherExpenses', 'PayWithAmazon/FeeList/PayFee', -0.9, 0, 0],
      ['sales', 'PayWithAmazon/ChargeList/Principal', 30, 0, 0],
    ],
  ],
  [
    'ServiceProviderCredit',
    {
      TransactionCreationDate: posted.PostedDate,
      ProviderTransactionType: 'Credit',
      TransactionAmount: money(0.55),
    },
    [['otherIncome', 'ServiceProviderCredit/TransactionAmount/Credit', 0.55, 0, 0]],
  ],
  [
    'Retrocharge',
    {
      ...posted,
      RetrochargeEventType: 'RetrochargeReversal',
      BaseTax: money(-1.9),
      ShippingTax: money(-0.38),
    },
    [
      ['refunds', 'Retrocharge/RetrochargeReversal/BaseTax', 0, -1.9, 0],
      ['refunds', 'Retrocharge/RetrochargeReversal/ShippingTax', 0, -0.38, 0],
    ],
  ],
  [
    'RentalTransaction',
    {
      ...posted,
      RentalEventType: 'RentalLostItemReimbursement',
      RentalInitialValue: money(99),
      RentalReimbursement: money(45),
      RentalFeeList: [fee('Commission', -2.2)],
    },
    [
      [
        'reimbursements',
        'RentalTransaction/RentalReimbursement/RentalLostItemReimbursement',
        45,
        0,
        0,
      ],
      ['sellingFees', 'RentalTransaction/RentalFeeList/Commission', -2.2, 0, 0],
    ],
  ],
  [
    'ProductAdsPayment',
    {
      postedDate: posted.PostedDate,
      transactionType: 'charge',
      baseValue: money(10),
      taxValue: money(1.9),
      transactionValue: money(11.9),
    },
    [['advertisingSpend', 'ProductAdsPayment/transactionValue', -11.9, 0, 0]],
  ],
  [
    'ServiceFee',
    {
      ...posted,
      FeeList: [fee('FBAStorageFee', -3.33), fee('Subscription', -39)],
      SellerSKU: 'FLASK',
    },
    [
      ['otherExpenses', 'ServiceFee/FeeList/FBAStorageFee', -3.33, 0, 0],
      ['sellingFees', 'ServiceFee/FeeList/Subscription', -39, 0, 0],
    ],
  ],
  [
    'SellerDealPayment',
    {
      postedDate: posted.PostedDate,
      feeType: 'RunLightningDealFee',
      feeAmount: money(-50),
      taxAmount: money(-9.5),
      totalAmount: money(-59.5),
    },
    [['promotions', 'SellerDealPayment/totalAmount/RunLightningDealFee', -59.5, 0, 0]],
  ],
  [
    'DebtRecovery',
    {
      ...posted,
      DebtRecoveryType: 'DebtPayment',
      RecoveryAmount: money(12.12),
      OverPaymentCredit: money(0.12),
      DebtRecoveryItemList: [{ RecoveryAmount: money(12.12) }],
    },
    [
      ['balance', 'DebtRecovery/OverPaymentCredit/DebtPayment', 0.12, 0, 0],
      ['balance', 'DebtRecovery/RecoveryAmount/DebtPayment', 12.12, 0, 0],
    ],
  ],
  [
    'LoanServicing',
    { ...posted, LoanAmount: money(-500), SourceBusinessEventType: 'LoanPayment' },
    [['balance', 'LoanServicing/LoanAmount/LoanPayment', -500, 0, 0]],
  ],
  [
    'Adjustment',
    {
      ...posted,
      AdjustmentType: 'FBAInventoryReimbursement',
      AdjustmentAmount: money(16.5),
      AdjustmentItemList: [
        { SellerSKU: 'FLASK', Quantity: '1', PerUnitAmount: money(11), TotalAmount: money(11) },
        { SellerSKU: 'LANTERN', Quantity: '1', PerUnitAmount: money(5.5), TotalAmount: money(5.5) },
      ],
    },
    [
      ['reimbursements', 'Adjustment/AdjustmentItemList/FBAInventoryReimbursement', 5.5, 0, 0],
      ['reimbursements', 'Adjustment/AdjustmentItemList/FBAInventoryReimbursement', 11, 0, 0],
    ],
  ],
  [
    'SAFETReimbursement',
    {
      ...posted,
      ReasonCode: 'SAFETReturned',
      ReimbursedAmount: money(8.08),
      SAFETReimbursementItemList: [{ itemChargeList: [charge('SAFE-TReimbursement', 8.08)] }],
    },
    [['reimbursements', 'SAFETReimbursement/ReimbursedAmount/SAFETReturned', 8.08, 0, 0]],
  ],
  [
    'SellerReviewEnrollmentPayment',
    {
      ...posted,
      FeeComponent: fee('EnrollmentFee', -60),
      ChargeComponent: charge('Tax', -11.4),
      TotalAmount: money(-71.4),
    },
    [
      ['otherExpenses', 'SellerReviewEnrollmentPayment/ChargeList/Tax', -11.4, 0, 0],
      ['otherExpenses', 'SellerReviewEnrollmentPayment/FeeList/EnrollmentFee', -60, 0, 0],
    ],
  ],
  [
    'FBALiquidation',
    { ...posted, LiquidationProceedsAmount: money(22), LiquidationFeeAmount: money(2.3) },
    [
      ['otherExpenses', 'FBALiquidation/LiquidationFeeAmount', -2.3, 0, 0],
      ['otherIncome', 'FBALiquidation/LiquidationProceedsAmount', 22, 0, 0],
    ],
  ],
  [
    'CouponPayment',
    // The parts do not come to the total: it counts.
    {
      ...posted,
      FeeComponent: fee('CouponRedemptionFee', -0.6),
      ChargeComponent: charge('Tax', 0),
      TotalAmount: money(-0.71),
    },
    [['promotions', 'CouponPayment/TotalAmount', -0.71, 0, 0]],
  ],
  [
    'ImagingServicesFee',
    { ...posted, FeeList: [fee('ImagingFee', -15)] },
    [['otherExpenses', 'ImagingServicesFee/FeeList/ImagingFee', -15, 0, 0]],
  ],
  [
    'NetworkComminglingTransaction',
    {
      ...posted,
      TransactionType: 'ComminglingVAT',
      TaxExclusiveAmount: money(-6.6),
      TaxAmount: money(-1.25),
    },
    [
      ['otherExpenses', 'NetworkComminglingTransaction/TaxAmount', -1.25, 0, 0],
      ['otherExpenses', 'NetworkComminglingTransaction/TaxExclusiveAmount', -6.6, 0, 0],
    ],
  ],
  [
    'AffordabilityExpense',
    {
      ...posted,
      TransactionType: 'Charge',
      BaseExpense: money(100),
      TaxTypeIGST: money(18),
      TotalExpense: money(118),
    },
    [['promotions', 'AffordabilityExpense/TotalExpense', -118, 0, 0]],
  ],
  [
    'AffordabilityExpenseReversal',
    { ...posted, TransactionType: 'Refund', BaseExpense: money(50), TaxTypeIGST: money(9) },
    [
      ['promotions', 'AffordabilityExpenseReversal/BaseExpense', 50, 0, 0],
      ['promotions', 'AffordabilityExpenseReversal/TaxTypeIGST', 9, 0, 0],
    ],
  ],
  [
    'RemovalShipment',
    {
      ...posted,
      OrderId: 'R-1',
      RemovalShipmentItemList: [
        {
          Quantity: 3,
          Revenue: money(33),
          FeeAmount: money(-4.4),
          TaxAmount: money(6.27),
          TaxWithheld: money(6.27),
        },
      ],
    },
    [
      ['otherExpenses', 'RemovalShipment/FeeAmount', -4.4, 0, 0],
      ['otherIncome', 'RemovalShipment/Revenue', 33, 0, 0],
      ['sales', 'RemovalShipment/TaxAmount', 0, 6.27, 0],
      ['sales', 'RemovalShipment/TaxWithheld', 0, -6.27, 0],
    ],
  ],
  [
    'RemovalShipmentAdjustment',
    {
      ...posted,
      RemovalShipmentItemAdjustmentList: [
        {
          RevenueAdjustment: money(-3),
          TaxAmountAdjustment: money(-0.57),
          TaxWithheldAdjustment: money(-0.57),
        },
      ],
    },
    [
      ['otherIncome', 'RemovalShipmentAdjustment/RevenueAdjustment', -3, 0, 0],
      ['sales', 'RemovalShipmentAdjustment/TaxAmountAdjustment', 0, -0.57, 0],
      ['sales', 'RemovalShipmentAdjustment/TaxWithheldAdjustment', 0, 0.57, 0],
    ],
  ],
  [
    'TrialShipment',
    { ...posted, SKU: 'FLASK', FeeList: [fee('FBAPerOrderFulfillmentFee', -2.02)] },
    [['shippingFees', 'TrialShipment/FeeList/FBAPerOrderFulfillmentFee', -2.02, 0, 0]],
  ],
  [
    'TDSReimbursement',
    { ...posted, TDSOrderId: 'T-1', ReimbursedAmount: money(3.03) },
    [['otherIncome', 'TDSReimbursement/ReimbursedAmount', 3.03, 0, 0]],
  ],
  [
    'AdhocDisbursement',
    { ...posted, TransactionType: 'Disbursed', TransactionAmount: money(-250) },
    [['balance', 'AdhocDisbursement/TransactionAmount/Disbursed', -250, 0, 0]],
  ],
  [
    'TaxWithholding',
    { ...posted, BaseAmount: money(1000), WithheldAmount: money(13) },
    [['otherExpenses', 'TaxWithholding/WithheldAmount', -13, 0, 0]],
  ],
  [
    'ChargeRefund',
    {
      ...posted,
      ReasonCode: 'SubscriptionFeeCorrection',
      ChargeRefundTransactions: [{ ChargeType: 'SubscriptionFee', ChargeAmount: money(39.01) }],
    },
    [['otherIncome', 'ChargeRefund/ChargeList/SubscriptionFee', 39.01, 0, 0]],
  ],
  [
    'FailedAdhocDisbursement',
    { ...posted, FundsTransfersType: 'Refund', TransferAmount: money(251) },
    [['balance', 'FailedAdhocDisbursement/TransferAmount/Refund', 251, 0, 0]],
  ],
  [
    'ValueAddedServiceCharge',
    { ...posted, TransactionType: 'Other Support Service fees', TransactionAmount: money(-7.07) },
    [
      [
        'otherExpenses',
        'ValueAddedServiceCharge/TransactionAmount/Other Support Service fees',
        -7.07,
        0,
        0,
      ],
    ],
  ],
  [
    'CapacityReservationBilling',
    { ...posted, TransactionType: 'FBA Inventory Fee', TransactionAmount: money(-8.09) },
    [
      [
        'otherExpenses',
        'CapacityReservationBilling/TransactionAmount/FBA Inventory Fee',
        -8.09,
        0,
        0,
      ],
    ],
  ],
];

// Economics

const usd = (amount: number, currencyCode = 'USD') => ({ amount, currencyCode });
const product = (
  date: string,
  msku: string | null,
  sold: [number, number],
  net: number,
  more: object = {},
) => ({
  startDate: date,
  endDate: date,
  marketplaceId: 'ATVPDKIKX0DER',
  msku,
  childAsin: 'B0NORTH001',
  sales: {
    orderedProductSales: usd(sold[0]),
    refundedProductSales: usd(0),
    unitsOrdered: sold[1],
    unitsRefunded: 0,
  },
  fees: [],
  ads: [],
  netProceeds: { total: usd(net) },
  ...more,
});
const jsonl = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

onEachPair('Financial documents in JSON', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads(
    'a transaction posts the innermost parts of its items once: fees with tax, units with price',
    async () => {
      const tenant = await newSeller(world(), {
        merchantId: 'A1NORTHWIND000',
        currency: 'SEK',
        timezone: 'Europe/Stockholm',
      });
      const answer = await importDocument(world(), tenant.channelId, fixture('transactions.json'));
      taken(answer, 'transactions', 7);
      assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-18', '2025-03-18']);
      // 260 + 40 + 75 of tax - 40.25 - 39 - 50 = 245.75
      assert.deepEqual(answer.body.finance, {
        source: 'transactions',
        sums: [
          sums(
            'SEK',
            {
              sales: '260.000000',
              otherIncome: '40.000000',
              sellingFees: '-39.000000',
              shippingFees: '-90.250000',
            },
            { total: '245.750000', documentTotal: '245.750000', tax: { sales: '75.000000' } },
          ),
        ],
        unknownCodes: [],
        leftOut: [],
        gaveWay: [],
      });
      assert.deepEqual(await facts(world(), tenant), [
        ['otherIncome', 'Shipment/Shipping/ShippingPrincipal', 40_000_000n, 0n, 0],
        ['sales', 'Shipment/ProductCharges/OurPricePrincipal', 260_000_000n, 0n, 2],
        ['sales', 'Shipment/Tax/OurPriceTax', 0n, 65_000_000n, 0],
        ['sales', 'Shipment/Tax/ShippingTax', 0n, 10_000_000n, 0],
        ['sellingFees', 'Shipment/AmazonFees/Commission', -39_000_000n, 0n, 0],
        ['shippingFees', 'Shipment/AmazonFees/FBAPerUnitFulfillmentFee', -40_250_000n, 0n, 0],
        ['shippingFees', 'Shipment/AmazonFees/ShippingChargeback', -50_000_000n, 0n, 0],
      ]);
      const columns =
        'unit, transaction_id, revision, posted_at, sku, order_id, fulfillment, currency';
      assert.deepEqual(
        new Set((await held(world(), tenant, 'finance_event', columns)).map((row) => row.join())),
        new Set([
          `transactions:Shipment:20000000000017,kYx2n7Rr-5aB_c0dEfGhIjKlMnOpQrStUvWxYz01234,1,${at('2025-03-18T12:45:47Z')},FLASK-1L,911-1112223-3334445,AFN,SEK`,
        ]),
      );
      const before = await whole(world(), tenant);
      taken(
        await importDocument(
          world(),
          tenant.channelId,
          gzipSync(`\ufeff${fixture('transactions.json')}`),
        ),
        'transactions',
        7,
      );
      assert.deepEqual(await whole(world(), tenant), before);
    },
  );

  reads(
    'a sale that was deferred counts once, on its first date, whatever states of it come and in whatever order',
    async () => {
      const deferred = sale('T-deferred', '71', 'DEFERRED', '2025-03-01T10:00:00Z');
      const later = sale('T-deferred', '71', 'DEFERRED_RELEASED', '2025-03-01T10:00:00Z');
      const released = sale('T-released', '71', 'Released', '2025-03-15T10:00:00Z');
      const own = 'transaction_id, revision, posted_at, line, amount';
      const expected = (revision: number) => [
        ['T-deferred', revision, at('2025-03-01T10:00:00Z'), 'sales', 20_000_000n],
        ['T-deferred', revision, at('2025-03-01T10:00:00Z'), 'sellingFees', -3_000_000n],
      ];
      const together = await newSeller(world());
      const answer = await importDocument(
        world(),
        together.channelId,
        page(released, deferred, later),
      );
      taken(answer, 'transactions', 6);
      // 17 counts and twice 17 is skipped: 51 in all.
      assert.deepEqual(answer.body.finance.sums, [
        sums(
          'EUR',
          { sales: '20.000000', sellingFees: '-3.000000' },
          { total: '51.000000', documentTotal: '51.000000', leftOut: '34.000000' },
        ),
      ]);
      assert.deepEqual(answer.body.finance.leftOut, [{ told: 'transactions', rows: 4 }]);
      assert.deepEqual(await held(world(), together, 'finance_event', own), expected(3));
      const orders = [
        [deferred, released, later],
        [released, later, deferred],
      ];
      for (const order of orders) {
        const apart = await newSeller(world());
        for (const one of order)
          taken(await importDocument(world(), apart.channelId, page(one)), 'transactions', 2);
        assert.deepEqual(await held(world(), apart, 'finance_event', own), expected(3));
      }
      // Without a shipment, the released one names the deferred one.
      const fees = (
        id: string,
        transactionStatus: string,
        date: string,
        identifiers: Record<string, string>,
      ) =>
        transaction(id, date, -5, {
          transactionType: 'ServiceFee',
          transactionStatus,
          relatedIdentifiers: related(identifiers),
        });
      const nameless = await newSeller(world());
      const other = fees('T-other', 'RELEASED', '2025-03-16T10:00:00Z', {});
      await importDocument(
        world(),
        nameless.channelId,
        page(
          fees('T-2', 'RELEASED', '2025-03-15T10:00:00Z', { DEFERRED_TRANSACTION_ID: 'T-1' }),
          other,
        ),
      );
      await importDocument(
        world(),
        nameless.channelId,
        page(fees('T-1', 'DEFERRED', '2025-03-01T10:00:00Z', {})),
      );
      assert.deepEqual(await held(world(), nameless, 'finance_event', own), [
        ['T-1', 2, at('2025-03-01T10:00:00Z'), 'otherExpenses', -5_000_000n],
        ['T-other', 1, at('2025-03-16T10:00:00Z'), 'otherExpenses', -5_000_000n],
      ]);
    },
  );

  reads(
    'the unexplained rest of a transaction is posted: nothing is lost, nothing doubled',
    async () => {
      const tenant = await newSeller(world());
      const day = (second: number) => `2025-03-02T10:00:0${second}Z`;
      const document = page(
        // Parts that do not add up to their whole: the whole counts.
        transaction('A', day(1), 9, {
          items: [
            item('A', 1, 9, [
              breakdown('ProductCharges', 10, [breakdown('OurPricePrincipal', 4)]),
              breakdown('AmazonFees', -1, [breakdown('Commission', -1, [])]),
            ]),
          ],
        }),
        // Items without breakdowns: the transaction has the type, the items have the SKUs.
        transaction('B', day(2), 8.5, {
          transactionType: 'Adjustment',
          items: [item('A', 1, 6, null), item('B', 1, 2.5, null)],
          breakdowns: [
            breakdown('Adjustments', 8.5, [breakdown('FBAInventoryReimbursement', 8.5)]),
          ],
        }),
        // Only groups that sort others, with several parts, of one product.
        transaction('C', day(3), -12, {
          transactionType: 'Refund',
          items: [item('C', 2, -12, null)],
          breakdowns: [
            breakdown('Refund Sales', -14, [
              breakdown('ProductCharges', -12, []),
              breakdown('Tax', -2),
            ]),
            breakdown('Refund Expenses', 2, [
              breakdown('AmazonFees', 2, [
                breakdown('Commission', 2, [breakdown('Tax', 0.3), breakdown('Base', 1.7)]),
              ]),
            ]),
          ],
        }),
        // Nothing adds up: the rest goes by the type.
        transaction('D', day(4), 5, { items: [item('D', 1, 5, [breakdown('ProductCharges', 7)])] }),
        // A part in another currency says nothing of the whole.
        transaction('E', day(5), 3, {
          items: [
            item('E', 1, 3, [{ breakdownType: 'ProductCharges', breakdownAmount: eur(3, 'USD') }]),
          ],
        }),
        // Nothing but a total.
        transaction('F', day(6), -1.5, { transactionType: 'ProductAdsPayment' }),
        transaction('G', day(7), 0, { transactionType: 'Shipment' }),
      );
      const answer = await importDocument(world(), tenant.channelId, document);
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'finance_event',
          'transaction_id, line, code, amount, tax, quantity, sku',
        ),
        [
          ['A', 'sales', 'Shipment/ProductCharges', 10_000_000n, 0n, 1, 'A'],
          ['A', 'sellingFees', 'Shipment/AmazonFees/Commission', -1_000_000n, 0n, 0, 'A'],
          [
            'B',
            'reimbursements',
            'Adjustment/Adjustments/FBAInventoryReimbursement',
            2_500_000n,
            0n,
            0,
            'B',
          ],
          [
            'B',
            'reimbursements',
            'Adjustment/Adjustments/FBAInventoryReimbursement',
            6_000_000n,
            0n,
            0,
            'A',
          ],
          ['C', 'refunds', 'Refund/ProductCharges', -12_000_000n, 0n, 2, 'C'],
          ['C', 'refunds', 'Refund/Tax', 0n, -2_000_000n, 0, 'C'],
          [
            'C',
            'refundsAndReturnsOverheads',
            'Refund/AmazonFees/Commission',
            2_000_000n,
            0n,
            0,
            'C',
          ],
          ['D', 'otherExpenses', 'Shipment', -2_000_000n, 0n, 0, ''],
          ['D', 'sales', 'Shipment/ProductCharges', 7_000_000n, 0n, 1, 'D'],
          ['E', 'otherIncome', 'Shipment', 3_000_000n, 0n, 0, ''],
          ['E', 'sales', 'Shipment/ProductCharges', 0n, 0n, 1, 'E'],
          ['F', 'advertisingSpend', 'ProductAdsPayment', -1_500_000n, 0n, 0, ''],
          ['G', 'otherIncome', 'Shipment', 0n, 0n, 0, ''],
        ],
      );
      // 9 + 8.5 - 12 + 5 + 3 - 1.5 + 0 = 12
      const [euros] = answer.body.finance.sums;
      assert.deepEqual([euros.total, euros.documentTotal], ['12.000000', '12.000000']);
      assert.deepEqual(answer.body.finance.unknownCodes, [
        { code: 'Shipment', currency: 'EUR', rows: 3, amount: '1.000000' },
      ]);
    },
  );

  reads(
    'transactions are read from bodies, lines or a list; invalid ones are rejected with their line',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const [one, two, three] = ['1', '2', '3'].map((id) =>
        sale(`T-${id}`, id, 'RELEASED', `2025-03-0${id}T10:00:00Z`),
      ) as [object, object, object];
      taken(await importDocument(world(), channelId, jsonl(one, two, three)), 'transactions', 6);
      const before = await whole(world(), tenant);
      taken(
        await importDocument(world(), channelId, `${page(one)}\n${page(two, three)}\n`),
        'transactions',
        6,
      );
      taken(
        await importDocument(
          world(),
          channelId,
          JSON.stringify([JSON.parse(page(one)), { transactions: [two, three] }]),
        ),
        'transactions',
        6,
      );
      taken(await importDocument(world(), channelId, JSON.stringify(three)), 'transactions', 2);
      assert.deepEqual(await whole(world(), tenant), before);

      const total = { currencyAmount: 'a lot', currencyCode: 'EUR' };
      const answer = await importDocument(
        world(),
        channelId,
        page(
          one,
          one,
          transaction('T-4', '2025-03-04T10:00:00Z', 1, {
            marketplaceDetails: { marketplaceId: 'A13V1IB3VIYZZH', marketplaceName: 'Amazon.fr' },
          }),
          transaction('T-5', 'yesterday', 1),
          transaction('T-6', '2025-03-04T10:00:00Z', 1, { totalAmount: total }),
          transaction('T-7', '2025-03-04T10:00:00Z', 1, { totalAmount: undefined }),
          transaction('T-8', '2025-03-04T10:00:00Z', 1, {
            items: [item('S'.repeat(201), 1, 1, [breakdown('ProductCharges', 1)])],
          }),
        ),
      );
      assert.deepEqual(reasons(answer), [
        [2, 'repeats the transaction of line 1'],
        [
          3,
          'belongs to marketplace A13V1IB3VIYZZH, but the channel belongs to A1PA6795UKMFR9: a channel has one marketplace',
        ],
        [
          4,
          'postedDate must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds',
        ],
        [5, 'totalAmount must be a decimal number such as 12.34'],
        [6, 'totalAmount is required'],
        [7, 'sku must be text of at most 200 characters'],
      ]);
      // The refused rows are missing from the posted total: 17 of 17 + 1 + 1.
      assert.deepEqual(
        [answer.body.finance.sums[0].total, answer.body.finance.sums[0].documentTotal],
        ['17.000000', '19.000000'],
      );
      assert.deepEqual(await whole(world(), tenant), before);

      const outside = await importDocument(
        world(),
        channelId,
        page(one, two),
        '&from=2025-03-02&to=2025-03-02',
      );
      assert.deepEqual(reasons(outside), [[1, 'is outside the dates that the import covers']]);
      refused(await importDocument(world(), channelId, page()), /the document has no rows/);
      refused(
        await importDocument(world(), channelId, page(one).slice(0, -20)),
        /is not JSON: it is damaged or was cut off/,
      );
      refused(
        await importDocument(world(), channelId, JSON.stringify({ payload: { balances: [] } })),
        /unrecognised document/,
      );
      assert.deepEqual(
        reasons(
          await importDocument(world(), channelId, `${jsonl(one, two)}\n{"transactionType":"Ship`),
        ),
        [[3, 'is not JSON']],
      );
      assert.deepEqual(await whole(world(), tenant), before);

      // Where the channel does not name its marketplace, the document may name one only.
      const unnamed = await newSeller(world(), { ...german, merchantId: 'A1NORTHWIND' });
      const french = transaction('T-9', '2025-03-05T10:00:00Z', 1, {
        sellingPartnerMetadata: { marketplaceId: 'A13V1IB3VIYZZH' },
      });
      assert.deepEqual(
        reasons(await importDocument(world(), unnamed.channelId, page(one, french))),
        [
          [
            2,
            'belongs to marketplace A13V1IB3VIYZZH, but earlier rows belong to A1PA6795UKMFR9: a channel has one marketplace',
          ],
        ],
      );
    },
  );

  reads(
    'transactions without a number are identified by their content, equal ones by their order',
    async () => {
      const tenant = await newSeller(world());
      const nameless = transaction(undefined, '2025-03-03T10:00:00Z', 2);
      const dollars = transaction(undefined, '2025-03-03T10:00:00Z', 2, {
        totalAmount: { currencyAmount: '4.25', currencyCode: 'USD' },
      });
      for (const document of [
        page(nameless, nameless, dollars),
        page(nameless, nameless),
        page(dollars, nameless),
      ]) {
        await importDocument(world(), tenant.channelId, document);
        assert.deepEqual(await held(world(), tenant, 'finance_event', 'amount, currency'), [
          [2_000_000n, 'EUR'],
          [2_000_000n, 'EUR'],
          [4_250_000n, 'USD'],
        ]);
      }
    },
  );

  reads('every list of events posts its innermost amounts, on the line of its code', async () => {
    const tenant = await newSeller(world());
    const all = lists.map(([list, event]) => [`${list}EventList`, [event]]);
    assert.equal(all.length, 34);
    const document = events({
      ...Object.fromEntries(all),
      EmptyEventList: [],
      NoneEventList: null,
    });
    const answer = await importDocument(world(), tenant.channelId, document);
    const listed = lists.flatMap(([, , rows]) => rows);
    taken(answer, 'financialEvents', listed.length);
    for (const [list, , rows] of lists) {
      const booked = (await facts(world(), tenant)).filter(([, code]) =>
        String(code).startsWith(`${list}/`),
      );
      const millionths = (value: number) => BigInt(Math.round(value * 1e6));
      assert.deepEqual(
        booked,
        rows.map(([line, code, amount, tax, quantity]) => [
          line,
          code,
          millionths(amount),
          millionths(tax),
          quantity,
        ]),
        list,
      );
    }
    const [euros] = answer.body.finance.sums;
    assert.equal(
      Number(euros.total).toFixed(2),
      listed.reduce((sum, [, , amount, tax]) => sum + amount + tax, 0).toFixed(2),
    );
    assert.equal(euros.documentTotal, null);
    // 12.12 + 0.12 - 500 - 250 + 251
    assert.equal(euros.balance, '-486.760000');
    const before = await whole(world(), tenant);
    const unknown = answer.body.finance.unknownCodes.map(({ code }: { code: string }) => code);
    assert.deepEqual(unknown.sort(), [
      'ChargeRefund/ChargeList/SubscriptionFee',
      'PayWithAmazon/FeeList/PayFee',
      'ServiceProviderCredit/TransactionAmount/Credit',
      'Shipment/DirectPaymentList/StoredValueCardRevenue',
      'TDSReimbursement/ReimbursedAmount',
    ]);
    const ofOrders = await held(world(), tenant, 'finance_event', 'order_id, code, sku');
    const expectedOf = (code: string) => ofOrders.find((row) => row[1] === code);
    assert.deepEqual(expectedOf('Refund/ItemChargeAdjustmentList/Principal'), [
      'O-1',
      'Refund/ItemChargeAdjustmentList/Principal',
      'FLASK',
    ]);
    assert.deepEqual(expectedOf('Shipment/ShipmentFeeList/FBATransportationFee'), [
      'O-1',
      'Shipment/ShipmentFeeList/FBATransportationFee',
      '',
    ]);
    assert.deepEqual(expectedOf('PayWithAmazon/ChargeList/Principal'), [
      'S-1',
      'PayWithAmazon/ChargeList/Principal',
      '',
    ]);
    taken(
      await importDocument(world(), tenant.channelId, document),
      'financialEvents',
      listed.length,
    );
    assert.deepEqual(await whole(world(), tenant), before);
  });

  reads(
    'events carry no number: equal ones of a document are several, those of an overlapping one the same',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const [one, two] = [
        shipped('O-1', '2025-03-01T10:00:00Z', 5),
        shipped('O-2', '2025-03-02T10:00:00Z', 6),
      ];
      taken(
        await importDocument(
          world(),
          channelId,
          `${events({ ShipmentEventList: [one, two] })}\n${events({ ShipmentEventList: [one] })}`,
        ),
        'financialEvents',
        3,
      );
      const sold = () => held(world(), tenant, 'finance_event', 'order_id, amount, quantity');
      const rows = [
        ['O-1', 5_000_000n, 1],
        ['O-1', 5_000_000n, 1],
        ['O-2', 6_000_000n, 1],
      ];
      assert.deepEqual(await sold(), rows);
      const three = shipped('O-3', '2025-03-03T10:00:00Z', 7);
      // Imported again alone, it counts as the first of the two.
      taken(
        await importDocument(world(), channelId, events({ ShipmentEventList: [one] })),
        'financialEvents',
        1,
      );
      assert.deepEqual(await sold(), rows);
      // The order of its fields does not make it another one.
      const turned = Object.fromEntries(Object.entries(two).reverse());
      taken(
        await importDocument(
          world(),
          channelId,
          JSON.stringify({ FinancialEvents: { ShipmentEventList: [turned, three] } }),
        ),
        'financialEvents',
        2,
      );
      assert.deepEqual(await sold(), [...rows, ['O-3', 7_000_000n, 1]]);

      const answer = await importDocument(
        world(),
        channelId,
        events({
          ShipmentEventList: [
            shipped('O-4', '2025-03-04T10:00:00Z', 1, { MarketplaceName: 'Amazon.fr' }),
            shipped('O-5', '2025-03-04', 1),
            shipped('O-6', '2025-03-04T10:00:00Z', 1, {
              ShipmentFeeList: [{ FeeType: 'Odd', FeeAmount: { CurrencyAmount: 'x' } }],
            }),
            shipped('O-7', '2025-03-04T10:00:00Z', 2, { MarketplaceName: 'Non-Amazon' }),
          ],
          GiftEventList: [{ PostedDate: '2025-03-04T10:00:00Z' }],
        }),
      );
      assert.deepEqual(reasons(answer), [
        [
          1,
          'belongs to marketplace A13V1IB3VIYZZH, but the channel belongs to A1PA6795UKMFR9: a channel has one marketplace',
        ],
        [
          2,
          'Shipment: PostedDate must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds',
        ],
        [3, 'Shipment ShipmentFeeList Odd: the amount must be a decimal number such as 12.34'],
        [5, 'GiftEventList is not a known list of events'],
      ]);
      assert.deepEqual(await sold(), [...rows, ['O-3', 7_000_000n, 1], ['O-7', 2_000_000n, 1]]);
      refused(await importDocument(world(), channelId, events({})), /the document has no rows/);
      refused(
        await importDocument(world(), channelId, events({ ShipmentEventList: [one] }).slice(0, -3)),
        /damaged or was cut off/,
      );
    },
  );

  reads(
    'events without a date post on the document’s day, or on its last day with coarse=lastDay',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const storage = { FeeList: [fee('FBAStorageFee', -3)], SellerSKU: 'FLASK' };
      const undated = events({ ServiceFeeEventList: [storage] });
      const own = 'day, posted_at, code, amount';
      const noon = (date: string) => [
        dayOf(date),
        at(`${date}T11:00:00Z`),
        'ServiceFee/FeeList/FBAStorageFee',
        -3_000_000n,
      ];
      assert.deepEqual(reasons(await importDocument(world(), channelId, undated)), [
        [
          1,
          'has no date, and no other event of the document has one: pass the dates of its request as from=YYYY-MM-DD&to=YYYY-MM-DD',
        ],
      ]);
      // A fee that is the same in two months is two fees.
      for (const date of ['2025-01-31', '2025-02-28'])
        taken(
          await importDocument(world(), channelId, undated, `&from=${date}&to=${date}`),
          'financialEvents',
          1,
        );
      assert.deepEqual(await held(world(), tenant, 'finance_event', own), [
        noon('2025-01-31'),
        noon('2025-02-28'),
      ]);
      const march = events({
        ShipmentEventList: [
          shipped('O-1', '2025-03-01T10:00:00Z', 5),
          shipped('O-2', '2025-03-03T23:30:00Z', 6),
        ],
        ServiceFeeEventList: [storage],
      });
      // 23:30 UTC is the next day in Berlin.
      assert.match(
        reasons(await importDocument(world(), channelId, march))[0]![1],
        /^covers 2025-03-01 to 2025-03-04, but these facts are kept by day/,
      );
      const coarse = await importDocument(world(), channelId, march, '&coarse=lastDay');
      taken(coarse, 'financialEvents', 3);
      assert.equal(coarse.body.rowsCoarse, 1);
      const fees = (await held(world(), tenant, 'finance_event', own)).filter((row) =>
        String(row[2]).startsWith('ServiceFee'),
      );
      assert.deepEqual(fees, [noon('2025-01-31'), noon('2025-02-28'), noon('2025-03-04')]);
    },
  );

  reads(
    'sums and their parts count once: adjustments by items that add up, ads with their own sign',
    async () => {
      const tenant = await newSeller(world());
      const adjusted = (amount: number, ...items: number[]) => ({
        ...posted,
        AdjustmentType: 'WAREHOUSE_LOST',
        AdjustmentAmount: money(amount),
        AdjustmentItemList: items.map((total) => ({
          SellerSKU: 'FLASK',
          TotalAmount: money(total),
        })),
      });
      const advertised = (transactionType: string, value: number) => ({
        postedDate: posted.PostedDate,
        transactionType,
        baseValue: money(value),
        taxValue: money(0),
      });
      const document = events({
        AdjustmentEventList: [adjusted(10, 4, 5), adjusted(-300)],
        ProductAdsPaymentEventList: [
          advertised('Charge', -8),
          advertised('charge', 9),
          advertised('refund', 1),
          advertised('other', 2),
        ],
        DebtRecoveryEventList: [
          { ...posted, DebtRecoveryType: 'DebtAdjustment', RecoveryAmount: null },
        ],
      });
      taken(await importDocument(world(), tenant.channelId, document), 'financialEvents', 6);
      assert.deepEqual(await held(world(), tenant, 'finance_event', 'line, amount, sku'), [
        ['advertisingSpend', -9_000_000n, ''],
        ['advertisingSpend', -8_000_000n, ''],
        ['advertisingSpend', 1_000_000n, ''],
        ['advertisingSpend', 2_000_000n, ''],
        ['reimbursements', -300_000_000n, ''],
        ['reimbursements', 10_000_000n, ''],
      ]);
    },
  );

  reads(
    'economics post by product and day, less costs, and add up to the document’s net proceeds',
    async () => {
      const tenant = await newSeller(world(), american);
      const { channelId } = tenant;
      const document = fixture('economics.jsonl');
      const daily = await importDocument(world(), channelId, document);
      refused(daily, /coarse=lastDay \(.*, such as 2025-03-02 to 2025-03-08,/);
      const answer = await importDocument(world(), channelId, document, '&coarse=lastDay');
      // 5 + 0 + 6 + 4 amounts in 4 rows
      taken(answer, 'economics', 15);
      assert.equal(answer.body.rowsCoarse, 15);
      // The child ASIN is the id of its product.
      const page = await world().ask(tenant.key, 'POST', '/profitability/productProfitAndLoss', {
        channelId,
        merchantId: tenant.merchantId,
        reportOptions: { fromDate: at('2025-03-02T00:00:00Z'), toDate: at('2025-03-31T00:00:00Z') },
      });
      const ids = page.body.productEvents.map((row: Record<string, string>) => [
        row.sellerSku,
        row.productSku,
      ]);
      assert.deepEqual(ids.sort(), [
        ['FLASK-1L', 'B0NORTH001'],
        ['LANTERN-S', 'B0NORTH002'],
      ]);
      // 61.5 + 30.75 + 12; 9.24 + 4.62 + 1.8 + 1; 8.3 + (4.15 - 0.5 + 0.31); 0.0573 + 0.52;
      // 1.27 + 0.4
      assert.deepEqual(answer.body.finance.sums, [
        sums(
          'USD',
          {
            sales: '104.250000',
            refunds: '-61.500000',
            advertisingSpend: '-1.670000',
            sellingFees: '-16.660000',
            shippingFees: '-12.260000',
            refundsAndReturnsOverheads: '7.390000',
            otherExpenses: '-0.577300',
          },
          { total: '18.972700', documentTotal: '18.972700' },
        ),
      ]);
      assert.deepEqual(answer.body.finance.unknownCodes, []);
      // The last days of the weeks, at noon of the Pacific: winter time, then summer time.
      const own = 'posted_at, sku, line, amount, quantity, fulfillment';
      const sold = (await held(world(), tenant, 'finance_event', own)).filter(
        ([, , line]) => line === 'sales' || line === 'refunds',
      );
      assert.deepEqual(sold, [
        [at('2025-03-08T20:00:00Z'), 'FLASK-1L', 'sales', 61_500_000n, 2, 'AFN'],
        [at('2025-03-15T19:00:00Z'), 'FLASK-1L', 'refunds', -61_500_000n, 2, 'AFN'],
        [at('2025-03-15T19:00:00Z'), 'FLASK-1L', 'sales', 30_750_000n, 1, 'AFN'],
        [at('2025-03-15T19:00:00Z'), 'LANTERN-S', 'sales', 12_000_000n, 1, ''],
      ]);
      const before = await whole(world(), tenant);
      taken(
        await importDocument(
          world(),
          channelId,
          JSON.stringify(
            document
              .trim()
              .split('\n')
              .map((row) => JSON.parse(row)),
          ),
          '&coarse=lastDay',
        ),
        'economics',
        15,
      );
      assert.deepEqual(await whole(world(), tenant), before);
    },
  );

  reads('economics of weeks and of days never count twice, whichever come first', async () => {
    const weekly = fixture('economics.jsonl');
    const daily = JSON.stringify({
      ...JSON.parse(weekly.split('\n')[0]!),
      ...{ startDate: '2025-03-05', endDate: '2025-03-05' },
    });
    const coarse = '&coarse=lastDay';
    const days = async (tenant: Tenant) => {
      const found = await held(world(), tenant, 'finance_event', 'day');
      return [...new Set(found.map(([day]) => day))];
    };
    const [march5, march8, march15] = [20_152, 20_155, 20_162];
    const one = await newSeller(world(), american);
    await importDocument(world(), one.channelId, weekly, coarse);
    refused(
      await importDocument(world(), one.channelId, daily),
      /^the dates overlap the facts of several days of economics \(import \d+, .*\) on 2025-03-02 to 2025-03-08, so they would count twice: pass replace=true/,
    );
    assert.deepEqual(await days(one), [march8, march15]);
    // The old facts go in the very step that brings the new ones: a failure before it loses none.
    const { warehouse } = world();
    const begin = warehouse.begin.bind(warehouse);
    const failure = () => Promise.reject(new StoreUnavailable('warehouse', new Error('full')));
    warehouse.begin = async (key) => Object.assign(await begin(key), { commit: failure });
    const failed = await importDocument(world(), one.channelId, daily, '&replace=true');
    warehouse.begin = begin;
    assert.equal(failed.status, 503);
    assert.deepEqual(await days(one), [march8, march15]);
    const replaced = await importDocument(world(), one.channelId, daily, '&replace=true');
    assert.equal(replaced.status, 200, replaced.body.error);
    assert.deepEqual(await days(one), [march5, march15]);

    // Weeks that follow one another do not overlap; their last evening is the next day in UTC.
    const weeks = await newSeller(world(), american);
    const [firstWeek, secondWeek] = ['2025-03-02', '2025-03-09'].map((startDate) => {
      const rows = weekly.trim().split('\n');
      return rows.filter((row) => JSON.parse(row).startDate === startDate).join('\n');
    });
    for (const week of [secondWeek!, firstWeek!]) {
      const { status, body } = await importDocument(world(), weeks.channelId, week, coarse);
      assert.equal(status, 200, body.error);
    }
    assert.deepEqual(await days(weeks), [march8, march15]);

    const other = await newSeller(world(), american);
    await importDocument(world(), other.channelId, daily);
    refused(
      await importDocument(world(), other.channelId, weekly, coarse),
      /^the dates overlap the facts of single days of economics .* on 2025-03-05,/,
    );
    await importDocument(world(), other.channelId, weekly, `${coarse}&replace=true`);
    assert.deepEqual(await days(other), [march8, march15]);
  });

  reads(
    'economics replace whole days: a restated day loses its missing rows, other days stay',
    async () => {
      const tenant = await newSeller(world(), american);
      const { channelId } = tenant;
      const own = () => held(world(), tenant, 'finance_event', 'day, sku, amount');
      const day = (date: string, sku: string, amount: number) =>
        product(date, sku, [amount, 1], amount);
      await importDocument(
        world(),
        channelId,
        jsonl(
          day('2025-03-01', 'A', 1),
          day('2025-03-02', 'A', 2),
          day('2025-03-02', 'B', 3),
          day('2025-03-03', 'A', 4),
        ),
      );
      taken(
        await importDocument(world(), channelId, jsonl(day('2025-03-02', 'A', 2.5))),
        'economics',
        1,
      );
      assert.deepEqual(await own(), [
        [dayOf('2025-03-01'), 'A', 1_000_000n],
        [dayOf('2025-03-02'), 'A', 2_500_000n],
        [dayOf('2025-03-03'), 'A', 4_000_000n],
      ]);
      // Products that sold nothing say so of their days.
      const idle = jsonl(
        product('2025-03-03', 'A', [0, 0], 0),
        product('2025-03-03', 'B', [0, 0], 0),
      );
      for (const [query, rows] of [
        ['&from=2025-03-03&to=2025-03-03', 1],
        ['', 0],
      ] as const) {
        const { status, body } = await importDocument(world(), channelId, idle, query);
        assert.deepEqual(
          [status, body.rowsRead, body.rowsAccepted, body.finance.gaveWay],
          [200, 2, 0, rows ? [{ told: 'economics', rows }] : []],
        );
      }
      assert.equal((await own()).length, 2);
      // An unreadable row changes nothing.
      const unread = await importDocument(world(), channelId, jsonl(day('2025-03-01', '', 9)));
      assert.equal(reasons(unread).length, 1);
      assert.equal((await own()).length, 2);
      refused(
        await importDocument(
          world(),
          channelId,
          jsonl(day('2025-03-01', '', 9)),
          '&from=2025-03-01&to=2025-03-02',
        ),
        /has no SKU/,
      );
      const some = await importDocument(
        world(),
        channelId,
        jsonl(product('2025-03-03', 'A', [0, 0], 0), day('2025-03-03', 'B', 5)),
        '&from=2025-03-02&to=2025-03-03',
      );
      assert.equal(some.status, 200);
      assert.deepEqual(await own(), [
        [dayOf('2025-03-01'), 'A', 1_000_000n],
        [dayOf('2025-03-03'), 'B', 5_000_000n],
      ]);
      // Far in the east, noon falls on the previous UTC day; days still post on their own date.
      const east = await newSeller(world(), { ...american, timezone: 'Pacific/Auckland' });
      taken(
        await importDocument(
          world(),
          east.channelId,
          jsonl(day('2025-01-10', 'A', 1)),
          '&from=2025-01-10&to=2025-01-10',
        ),
        'economics',
        1,
      );
      assert.deepEqual(await held(world(), east, 'finance_event', 'day, posted_at'), [
        [dayOf('2025-01-10'), at('2025-01-10T00:00:00Z')],
      ]);
    },
  );

  reads(
    'economics count costs for units sold and not returned, and report rows that do not add up',
    async () => {
      const tenant = await newSeller(world(), american);
      const { channelId } = tenant;
      const cost = (more: object) => ({
        costOfGoodsSold: usd(4),
        miscellaneousCost: usd(0.5),
        fbaCost: null,
        mfnCost: null,
        ...more,
      });
      const sales = {
        orderedProductSales: usd(60),
        refundedProductSales: usd(20),
        unitsOrdered: 3,
        unitsRefunded: 1,
      };
      const answer = await importDocument(
        world(),
        channelId,
        jsonl(
          // 60 - 20 - 2 x (4 + 0.5 + 0.25) = 30.5
          product('2025-03-01', 'A', [0, 0], 30.5, {
            sales,
            cost: cost({ fbaCost: { shippingToAmazonCost: usd(0.25) } }),
          }),
          // 10 - (4 + 0.5 + 1 + 0.1) = 4.4, but the row says 4.38
          product('2025-03-01', 'B', [10, 1], 4.38, {
            cost: cost({ mfnCost: { fulfillmentCost: usd(1), storageCost: usd(0.1) } }),
          }),
          product('2025-03-02', 'C', [7, 1], 0, {
            sales: { orderedProductSales: usd(7, 'CAD'), unitsOrdered: 1 },
            netProceeds: { total: usd(7, 'CAD') },
          }),
        ),
      );
      assert.deepEqual(answer.body.finance.sums, [
        sums(
          'USD',
          {
            sales: '70.000000',
            refunds: '-20.000000',
            cogs: '-12.000000',
            otherExpenses: '-3.100000',
          },
          { total: '34.900000', documentTotal: '34.880000' },
        ),
        sums('CAD', { sales: '7.000000' }, { total: '7.000000', documentTotal: '7.000000' }),
      ]);
      const events = await held(
        world(),
        tenant,
        'finance_event',
        'sku, line, code, amount, quantity, fulfillment, currency',
      );
      assert.deepEqual(events, [
        ['A', 'cogs', 'economics/cost/costOfGoodsSold', -8_000_000n, 0, 'AFN', 'USD'],
        ['A', 'otherExpenses', 'economics/cost/miscellaneousCost', -1_000_000n, 0, 'AFN', 'USD'],
        ['A', 'otherExpenses', 'economics/cost/shippingToAmazonCost', -500_000n, 0, 'AFN', 'USD'],
        ['A', 'refunds', 'economics/sales/refundedProductSales', -20_000_000n, 1, 'AFN', 'USD'],
        ['A', 'sales', 'economics/sales/orderedProductSales', 60_000_000n, 3, 'AFN', 'USD'],
        ['B', 'cogs', 'economics/cost/costOfGoodsSold', -4_000_000n, 0, 'MFN', 'USD'],
        ['B', 'otherExpenses', 'economics/cost/fulfillmentCost', -1_000_000n, 0, 'MFN', 'USD'],
        ['B', 'otherExpenses', 'economics/cost/miscellaneousCost', -500_000n, 0, 'MFN', 'USD'],
        ['B', 'otherExpenses', 'economics/cost/storageCost', -100_000n, 0, 'MFN', 'USD'],
        ['B', 'sales', 'economics/sales/orderedProductSales', 10_000_000n, 1, 'MFN', 'USD'],
        ['C', 'sales', 'economics/sales/orderedProductSales', 7_000_000n, 1, '', 'CAD'],
      ]);
      const odd = jsonl(
        product('2025-03-05', null, [1, 1], 1),
        product('2025-03-05', 'A', [1, 1], 1, { marketplaceId: 'A2EUQ1WTGCTBG2' }),
        product('2025-03-05', 'A', [1, 1], 1, { endDate: '2025-03-04' }),
        product('2025-03-05', 'A', [1, 1], 1),
        product('2025-03-05', 'A', [1, 1], 1),
        product('2025-03-06', 'A', [1, 1], 1, {
          fees: [
            {
              feeTypeName: 'NewFee',
              charges: [{ aggregatedDetail: { totalAmount: usd(Number.NaN) } }],
            },
          ],
        }),
        product('2025-03-06', 'B', [1, 1], 1, {
          fees: [
            {
              feeTypeName: 'OddFee',
              charges: [{ aggregatedDetail: { totalAmount: { amount: 'x' } } }],
            },
          ],
        }),
        product('2025-03-06', 'C', [1, 1], 0.5, {
          fees: [
            { feeTypeName: 'NewFee', charge: { aggregatedDetail: { totalAmount: usd(0.5) } } },
          ],
        }),
      );
      const strange = await importDocument(world(), channelId, odd);
      assert.deepEqual(reasons(strange), [
        [1, 'has no SKU: request the document with aggregateBy productId: MSKU'],
        [
          2,
          'belongs to marketplace A2EUQ1WTGCTBG2, but the channel belongs to ATVPDKIKX0DER: a channel has one marketplace',
        ],
        [3, 'startDate and endDate must be dates (YYYY-MM-DD) in order'],
        [5, 'repeats the key of line 4'],
        [7, 'fees OddFee: the amount must be a decimal number such as 12.34'],
      ]);
      assert.deepEqual(strange.body.finance.unknownCodes, [
        { code: 'economics/fees/NewFee', currency: 'USD', rows: 1, amount: '-0.500000' },
      ]);
    },
  );

  test('the most detailed source of an instant counts, whichever is imported first', async () => {
    const orders = (...numbers: number[]) =>
      page(
        ...numbers.map((day) =>
          sale(`T-${day}`, String(day), 'RELEASED', `2025-03-0${day}T10:00:00Z`, `O-${day}`),
        ),
      );
    const shipments = events({
      ShipmentEventList: [
        // Superseded by the transactions, because its instant lies between theirs.
        shipped('O-2', '2025-03-02T09:00:00Z', 20),
        // Before and after them: no other source reports these.
        shipped('O-8', '2025-03-01T09:00:00Z', 8),
        shipped('O-9', '2025-03-04T09:00:00Z', 9),
      ],
    });
    const kiosk = jsonl(
      ...['2025-03-01', '2025-03-02', '2025-03-05'].map((date, at) =>
        product(date, 'FLASK', [at + 1, 1], at + 1, {
          marketplaceId: 'A1PA6795UKMFR9',
          sales: { orderedProductSales: { amount: at + 1, currencyCode: 'EUR' }, unitsOrdered: 1 },
          netProceeds: undefined,
        }),
      ),
    );
    const documents = { transactions: orders(1, 3), financialEvents: shipments, economics: kiosk };
    type Name = keyof typeof documents;
    // Transactions cover the 1st 10:00 to the 3rd 10:00, events the 1st 9:00 to the 4th 9:00.
    // Of the days, only noon of the 5th is left.
    const expected = [
      ['economics', at('2025-03-05T11:00:00Z'), 'sales', 3_000_000n],
      ['financialEvents', at('2025-03-01T09:00:00Z'), 'sales', 8_000_000n],
      ['financialEvents', at('2025-03-04T09:00:00Z'), 'sales', 9_000_000n],
      ['transactions', at('2025-03-01T10:00:00Z'), 'sales', 20_000_000n],
      ['transactions', at('2025-03-01T10:00:00Z'), 'sellingFees', -3_000_000n],
      ['transactions', at('2025-03-03T10:00:00Z'), 'sales', 20_000_000n],
      ['transactions', at('2025-03-03T10:00:00Z'), 'sellingFees', -3_000_000n],
    ];
    const comings: Name[][] = [
      ['transactions', 'financialEvents', 'economics'],
      ['economics', 'financialEvents', 'transactions'],
      ['financialEvents', 'economics', 'transactions'],
    ];
    for (const order of casesOn(world(), comings, 3)) {
      const tenant = await newSeller(world());
      const answers = new Map<Name, Awaited<ReturnType<typeof importDocument>>>();
      for (const name of order)
        answers.set(name, await importDocument(world(), tenant.channelId, documents[name]));
      assert.deepEqual(
        await held(world(), tenant, 'finance_event', 'source, posted_at, line, amount'),
        expected,
        order.join(),
      );
      const first = answers.get(order[0]!)!.body.finance;
      assert.deepEqual([first.leftOut, first.gaveWay], [[], []]);
      if (order[0] !== 'transactions') continue;
      const { leftOut, sums: actual } = answers.get('financialEvents')!.body.finance;
      assert.deepEqual(leftOut, [{ told: 'transactions', rows: 1 }]);
      // 8 and 9 are posted, 20 is skipped.
      assert.deepEqual(actual, [
        sums(
          'EUR',
          { sales: '17.000000' },
          { total: '37.000000', documentTotal: null, leftOut: '20.000000' },
        ),
      ]);
    }
  });

  reads(
    'a settlement supersedes every state of its transactions, whichever is imported first',
    async () => {
      const columns = readFileSync(new URL('fixtures/settlement.v2.txt', import.meta.url), 'utf8')
        .split(/\r?\n/, 1)[0]!
        .split('\t');
      const row = (cells: Record<string, string>) =>
        columns.map((column) => cells[column] ?? '').join('\t');
      const settlement = [
        columns.join('\t'),
        row({
          'settlement-id': '1',
          'settlement-start-date': '2025-03-03 00:00:00 UTC',
          'settlement-end-date': '2025-03-17 00:00:00 UTC',
          'total-amount': '100.00',
          currency: 'EUR',
        }),
        row({
          'settlement-id': '1',
          currency: 'EUR',
          'transaction-type': 'Order',
          'order-id': 'O-1',
          'amount-type': 'ItemPrice',
          'amount-description': 'Principal',
          amount: '100.00',
          'posted-date-time': '2025-03-05 10:00:00 UTC',
          sku: 'FLASK',
          'quantity-purchased': '1',
        }),
        '',
      ].join('\n');
      const expected = [['settlement', at('2025-03-05T10:00:00Z'), 'sales', 100_000_000n]];
      const posted = async (tenant: Tenant) =>
        (await held(world(), tenant, 'finance_event', 'source, posted_at, line, amount')).filter(
          ([, , line]) => line !== 'balance',
        );
      for (const documents of [
        // Reported earlier on another day, and again within the settlement.
        [
          page(sale('T', '7', 'RELEASED', '2025-04-03T10:00:00Z', 'O-1')),
          settlement,
          page(sale('T', '7', 'RELEASED', '2025-03-05T10:00:00Z', 'O-1')),
        ],
        // Deferred before the settlement, released within it.
        [
          settlement,
          page(sale('D', '7', 'DEFERRED', '2025-02-25T10:00:00Z', 'O-1')),
          page(sale('R', '7', 'RELEASED', '2025-03-05T10:00:00Z', 'O-1')),
        ],
        // Deferred within it, released after it.
        [
          settlement,
          page(sale('D', '7', 'DEFERRED', '2025-03-05T10:00:00Z', 'O-1')),
          page(sale('R', '7', 'RELEASED', '2025-03-20T10:00:00Z', 'O-1')),
        ],
      ]) {
        const tenant = await newSeller(world());
        for (const document of documents)
          assert.equal((await importDocument(world(), tenant.channelId, document)).status, 200);
        assert.deepEqual(await posted(tenant), expected);
      }
    },
  );
});
