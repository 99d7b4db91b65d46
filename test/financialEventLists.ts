/** One financial event of every list, and what becomes of them. */
import { charge, fee, money } from './finances.ts';

const posted = { PostedDate: '2025-03-18T10:00:00Z' };
const postedLower = { postedDate: posted.PostedDate };

type Amounts = Readonly<Record<string, number>>;

/** Amounts by the names of their fields. */
const moneys = (amounts: Amounts): object =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, money(amount)]));
/** Charges by their types. */
const charges = (amounts: Amounts): object[] =>
  Object.entries(amounts).map(([type, amount]) => charge(type, amount));
/** An event with these amounts and other fields. */
const dated = (amounts: Amounts, fields: object = {}): object => {
  return { ...posted, ...fields, ...moneys(amounts) };
};
/** An event that takes back an amount of a sale. */
const takenBack = (amount: number): object => {
  const item = { SellerSKU: 'FLASK', ItemChargeAdjustmentList: [charge('Principal', amount)] };
  return { ...posted, ShipmentItemAdjustmentList: [item] };
};

/** The same, where names begin with small letters. */
function datedLower(amounts: Amounts, fields: object): object {
  return dated(amounts, { ...postedLower, ...fields, PostedDate: undefined });
}

/** Every list of events with one event. All amounts differ. */
export const lists: Readonly<Record<string, object>> = {
  Shipment: {
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
        ItemChargeList: charges({ Principal: 40, Tax: 7.6, GiftWrap: 2.5, GiftWrapTax: 0 }),
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
  ShipmentSettle: {
    ...posted,
    ShipmentItemList: [
      { SellerSKU: 'FLASK', QuantityShipped: 1, ItemChargeList: [charge('Principal', 19)] },
    ],
  },
  Refund: {
    ...posted,
    AmazonOrderId: 'O-1',
    ShipmentItemAdjustmentList: [
      {
        SellerSKU: 'FLASK',
        QuantityShipped: 1,
        ItemChargeAdjustmentList: charges({ Tax: -3.8, Principal: -20, RestockingFee: 2 }),
        ItemFeeAdjustmentList: [fee('Commission', 3), fee('RefundCommission', -0.6)],
        PromotionAdjustmentList: [{ PromotionType: 'X', PromotionAmount: money(2.25) }],
        CostOfPointsReturned: money(0.2),
      },
    ],
  },
  GuaranteeClaim: takenBack(-18.5),
  EBTRefundReimbursementOnly: dated({ Amount: 1.11 }, { OrderId: 'O-2' }),
  Chargeback: takenBack(-17.5),
  PayWithAmazon: {
    TransactionPostedDate: posted.PostedDate,
    SellerOrderId: 'S-1',
    Charge: charge('Principal', 30),
    FeeList: [fee('PayFee', -0.9)],
  },
  ServiceProviderCredit: {
    TransactionCreationDate: posted.PostedDate,
    ProviderTransactionType: 'Credit',
    TransactionAmount: money(0.55),
  },
  Retrocharge: dated(
    { BaseTax: -1.9, ShippingTax: -0.38 },
    { RetrochargeEventType: 'RetrochargeReversal' },
  ),
  RentalTransaction: dated(
    { RentalInitialValue: 99, RentalReimbursement: 45 },
    { RentalEventType: 'RentalLostItemReimbursement', RentalFeeList: [fee('Commission', -2.2)] },
  ),
  ProductAdsPayment: datedLower(
    { baseValue: 10, taxValue: 1.9, transactionValue: 11.9 },
    { transactionType: 'charge' },
  ),
  ServiceFee: dated(
    {},
    { FeeList: [fee('FBAStorageFee', -3.33), fee('Subscription', -39)], SellerSKU: 'FLASK' },
  ),
  SellerDealPayment: datedLower(
    { feeAmount: -50, taxAmount: -9.5, totalAmount: -59.5 },
    { feeType: 'RunLightningDealFee' },
  ),
  DebtRecovery: dated(
    { RecoveryAmount: 12.12, OverPaymentCredit: 0.12 },
    { DebtRecoveryType: 'DebtPayment', DebtRecoveryItemList: [{ RecoveryAmount: money(12.12) }] },
  ),
  LoanServicing: dated({ LoanAmount: -500 }, { SourceBusinessEventType: 'LoanPayment' }),
  Adjustment: {
    ...posted,
    AdjustmentType: 'FBAInventoryReimbursement',
    AdjustmentAmount: money(16.5),
    AdjustmentItemList: [
      { SellerSKU: 'FLASK', Quantity: '1', PerUnitAmount: money(11), TotalAmount: money(11) },
      { SellerSKU: 'LANTERN', Quantity: '1', PerUnitAmount: money(5.5), TotalAmount: money(5.5) },
    ],
  },
  SAFETReimbursement: {
    ...posted,
    ReasonCode: 'SAFETReturned',
    ReimbursedAmount: money(8.08),
    SAFETReimbursementItemList: [{ itemChargeList: [charge('SAFE-TReimbursement', 8.08)] }],
  },
  SellerReviewEnrollmentPayment: dated(
    { TotalAmount: -71.4 },
    { FeeComponent: fee('EnrollmentFee', -60), ChargeComponent: charge('Tax', -11.4) },
  ),
  FBALiquidation: dated({ LiquidationProceedsAmount: 22, LiquidationFeeAmount: 2.3 }),
  // The parts do not come to the total: it counts.
  CouponPayment: dated(
    { TotalAmount: -0.71 },
    { FeeComponent: fee('CouponRedemptionFee', -0.6), ChargeComponent: charge('Tax', 0) },
  ),
  ImagingServicesFee: dated({}, { FeeList: [fee('ImagingFee', -15)] }),
  NetworkComminglingTransaction: dated(
    { TaxExclusiveAmount: -6.6, TaxAmount: -1.25 },
    { TransactionType: 'ComminglingVAT' },
  ),
  AffordabilityExpense: dated(
    { BaseExpense: 100, TaxTypeIGST: 18, TotalExpense: 118 },
    { TransactionType: 'Charge' },
  ),
  AffordabilityExpenseReversal: dated(
    { BaseExpense: 50, TaxTypeIGST: 9 },
    { TransactionType: 'Refund' },
  ),
  RemovalShipment: {
    ...posted,
    OrderId: 'R-1',
    RemovalShipmentItemList: [
      {
        Quantity: 3,
        ...moneys({ Revenue: 33, FeeAmount: -4.4, TaxAmount: 6.27, TaxWithheld: 6.27 }),
      },
    ],
  },
  RemovalShipmentAdjustment: {
    ...posted,
    RemovalShipmentItemAdjustmentList: [
      moneys({ RevenueAdjustment: -3, TaxAmountAdjustment: -0.57, TaxWithheldAdjustment: -0.57 }),
    ],
  },
  TrialShipment: dated({}, { SKU: 'FLASK', FeeList: [fee('FBAPerOrderFulfillmentFee', -2.02)] }),
  TDSReimbursement: dated({ ReimbursedAmount: 3.03 }, { TDSOrderId: 'T-1' }),
  AdhocDisbursement: dated({ TransactionAmount: -250 }, { TransactionType: 'Disbursed' }),
  TaxWithholding: dated({ BaseAmount: 1000, WithheldAmount: 13 }),
  ChargeRefund: {
    ...posted,
    ReasonCode: 'SubscriptionFeeCorrection',
    ChargeRefundTransactions: [{ ChargeType: 'SubscriptionFee', ChargeAmount: money(39.01) }],
  },
  FailedAdhocDisbursement: dated({ TransferAmount: 251 }, { FundsTransfersType: 'Refund' }),
  ValueAddedServiceCharge: dated(
    { TransactionAmount: -7.07 },
    { TransactionType: 'Other Support Service fees' },
  ),
  CapacityReservationBilling: dated(
    { TransactionAmount: -8.09 },
    { TransactionType: 'FBA Inventory Fee' },
  ),
};

/** The facts that these events become. */
export const factsOfLists = `line, code, amount, tax, quantity
  otherExpenses, Shipment/DirectPaymentList/StoredValueCardRevenue, -1.03, 0, 0
  otherIncome, Shipment/ItemChargeList/GiftWrap, 2.5, 0, 0
  otherIncome, Shipment/OrderChargeList/ShippingCharge, 1.02, 0, 0
  promotions, Shipment/CostOfPointsGranted, -0.4, 0, 0
  promotions, Shipment/PromotionList/PromotionMetaDataDefinitionValue, -4.5, 0, 0
  sales, Shipment/ItemChargeList/Principal, 40, 0, 2
  sales, Shipment/ItemChargeList/Tax, 0, 7.6, 0
  sales, Shipment/ItemTaxWithheldList/MarketplaceFacilitatorTax-Principal, 0, -7.6, 0
  sellingFees, Shipment/ItemFeeList/Commission, -6, 0, 0
  shippingFees, Shipment/ItemFeeList/FBAPerUnitFulfillmentFee, -7.25, 0, 0
  shippingFees, Shipment/ShipmentFeeList/FBATransportationFee, -1.01, 0, 0
  sales, ShipmentSettle/ItemChargeList/Principal, 19, 0, 1
  refunds, Refund/CostOfPointsReturned, 0.2, 0, 0
  refunds, Refund/ItemChargeAdjustmentList/Principal, -20, 0, 1
  refunds, Refund/ItemChargeAdjustmentList/Tax, 0, -3.8, 0
  refunds, Refund/PromotionAdjustmentList/X, 2.25, 0, 0
  refundsAndReturnsOverheads, Refund/ItemChargeAdjustmentList/RestockingFee, 2, 0, 0
  refundsAndReturnsOverheads, Refund/ItemFeeAdjustmentList/Commission, 3, 0, 0
  refundsAndReturnsOverheads, Refund/ItemFeeAdjustmentList/RefundCommission, -0.6, 0, 0
  refunds, GuaranteeClaim/ItemChargeAdjustmentList/Principal, -18.5, 0, 0
  reimbursements, EBTRefundReimbursementOnly/Amount, 1.11, 0, 0
  refunds, Chargeback/ItemChargeAdjustmentList/Principal, -17.5, 0, 0
  otherExpenses, PayWithAmazon/FeeList/PayFee, -0.9, 0, 0
  sales, PayWithAmazon/ChargeList/Principal, 30, 0, 0
  otherExpenses, TDSReimbursement/ReimbursedAmount, 3.03, 0, 0
  sellingFees, ChargeRefund/SubscriptionFeeCorrection/SubscriptionFee, 39.01, 0, 0
  otherIncome, ServiceProviderCredit/TransactionAmount/Credit, 0.55, 0, 0
  refunds, Retrocharge/RetrochargeReversal/BaseTax, 0, -1.9, 0
  refunds, Retrocharge/RetrochargeReversal/ShippingTax, 0, -0.38, 0
  reimbursements, RentalTransaction/RentalReimbursement/RentalLostItemReimbursement, 45, 0, 0
  sellingFees, RentalTransaction/RentalFeeList/Commission, -2.2, 0, 0
  advertisingSpend, ProductAdsPayment/transactionValue, -11.9, 0, 0
  otherExpenses, ServiceFee/FeeList/FBAStorageFee, -3.33, 0, 0
  sellingFees, ServiceFee/FeeList/Subscription, -39, 0, 0
  promotions, SellerDealPayment/totalAmount/RunLightningDealFee, -59.5, 0, 0
  balance, DebtRecovery/OverPaymentCredit/DebtPayment, 0.12, 0, 0
  balance, DebtRecovery/RecoveryAmount/DebtPayment, 12.12, 0, 0
  balance, LoanServicing/LoanAmount/LoanPayment, -500, 0, 0
  reimbursements, Adjustment/AdjustmentItemList/FBAInventoryReimbursement, 5.5, 0, 0
  reimbursements, Adjustment/AdjustmentItemList/FBAInventoryReimbursement, 11, 0, 0
  reimbursements, SAFETReimbursement/ReimbursedAmount/SAFETReturned, 8.08, 0, 0
  otherExpenses, SellerReviewEnrollmentPayment/ChargeList/Tax, -11.4, 0, 0
  otherExpenses, SellerReviewEnrollmentPayment/FeeList/EnrollmentFee, -60, 0, 0
  otherExpenses, FBALiquidation/LiquidationFeeAmount, -2.3, 0, 0
  otherIncome, FBALiquidation/LiquidationProceedsAmount, 22, 0, 0
  promotions, CouponPayment/TotalAmount, -0.71, 0, 0
  otherExpenses, ImagingServicesFee/FeeList/ImagingFee, -15, 0, 0
  otherExpenses, NetworkComminglingTransaction/TaxAmount, -1.25, 0, 0
  otherExpenses, NetworkComminglingTransaction/TaxExclusiveAmount, -6.6, 0, 0
  promotions, AffordabilityExpense/TotalExpense, -118, 0, 0
  promotions, AffordabilityExpenseReversal/BaseExpense, 50, 0, 0
  promotions, AffordabilityExpenseReversal/TaxTypeIGST, 9, 0, 0
  otherExpenses, RemovalShipment/FeeAmount, -4.4, 0, 0
  otherIncome, RemovalShipment/Revenue, 33, 0, 0
  sales, RemovalShipment/TaxAmount, 0, 6.27, 0
  sales, RemovalShipment/TaxWithheld, 0, -6.27, 0
  otherIncome, RemovalShipmentAdjustment/RevenueAdjustment, -3, 0, 0
  sales, RemovalShipmentAdjustment/TaxAmountAdjustment, 0, -0.57, 0
  sales, RemovalShipmentAdjustment/TaxWithheldAdjustment, 0, 0.57, 0
  shippingFees, TrialShipment/FeeList/FBAPerOrderFulfillmentFee, -2.02, 0, 0
  balance, AdhocDisbursement/TransactionAmount/Disbursed, -250, 0, 0
  otherExpenses, TaxWithholding/WithheldAmount, -13, 0, 0
  balance, FailedAdhocDisbursement/TransferAmount/Refund, 251, 0, 0
  otherExpenses, ValueAddedServiceCharge/TransactionAmount/Other Support Service fees, -7.07, 0, 0
  otherExpenses, CapacityReservationBilling/TransactionAmount/FBA Inventory Fee, -8.09, 0, 0`;
