/** One financial event of every list, and what becomes of them. */
import { charge, fee, money } from './finances.ts';

const posted = { PostedDate: '2025-03-18T10:00:00Z' };
const postedLower = { postedDate: posted.PostedDate };

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
  GuaranteeClaim: {
    ...posted,
    ShipmentItemAdjustmentList: [
      { SellerSKU: 'FLASK', ItemChargeAdjustmentList: [charge('Principal', -18.5)] },
    ],
  },
  EBTRefundReimbursementOnly: { ...posted, OrderId: 'O-2', Amount: money(1.11) },
  Chargeback: {
    ...posted,
    ShipmentItemAdjustmentList: [
      { SellerSKU: 'FLASK', ItemChargeAdjustmentList: [charge('Principal', -17.5)] },
    ],
  },
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
  Retrocharge: {
    ...posted,
    RetrochargeEventType: 'RetrochargeReversal',
    BaseTax: money(-1.9),
    ShippingTax: money(-0.38),
  },
  RentalTransaction: {
    ...posted,
    RentalEventType: 'RentalLostItemReimbursement',
    RentalInitialValue: money(99),
    RentalReimbursement: money(45),
    RentalFeeList: [fee('Commission', -2.2)],
  },
  ProductAdsPayment: {
    ...postedLower,
    transactionType: 'charge',
    baseValue: money(10),
    taxValue: money(1.9),
    transactionValue: money(11.9),
  },
  ServiceFee: {
    ...posted,
    FeeList: [fee('FBAStorageFee', -3.33), fee('Subscription', -39)],
    SellerSKU: 'FLASK',
  },
  SellerDealPayment: {
    ...postedLower,
    feeType: 'RunLightningDealFee',
    feeAmount: money(-50),
    taxAmount: money(-9.5),
    totalAmount: money(-59.5),
  },
  DebtRecovery: {
    ...posted,
    DebtRecoveryType: 'DebtPayment',
    RecoveryAmount: money(12.12),
    OverPaymentCredit: money(0.12),
    DebtRecoveryItemList: [{ RecoveryAmount: money(12.12) }],
  },
  LoanServicing: { ...posted, LoanAmount: money(-500), SourceBusinessEventType: 'LoanPayment' },
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
  SellerReviewEnrollmentPayment: {
    ...posted,
    FeeComponent: fee('EnrollmentFee', -60),
    ChargeComponent: charge('Tax', -11.4),
    TotalAmount: money(-71.4),
  },
  FBALiquidation: {
    ...posted,
    LiquidationProceedsAmount: money(22),
    LiquidationFeeAmount: money(2.3),
  },
  // The parts do not come to the total: it counts.
  CouponPayment: {
    ...posted,
    FeeComponent: fee('CouponRedemptionFee', -0.6),
    ChargeComponent: charge('Tax', 0),
    TotalAmount: money(-0.71),
  },
  ImagingServicesFee: { ...posted, FeeList: [fee('ImagingFee', -15)] },
  NetworkComminglingTransaction: {
    ...posted,
    TransactionType: 'ComminglingVAT',
    TaxExclusiveAmount: money(-6.6),
    TaxAmount: money(-1.25),
  },
  AffordabilityExpense: {
    ...posted,
    TransactionType: 'Charge',
    BaseExpense: money(100),
    TaxTypeIGST: money(18),
    TotalExpense: money(118),
  },
  AffordabilityExpenseReversal: {
    ...posted,
    TransactionType: 'Refund',
    BaseExpense: money(50),
    TaxTypeIGST: money(9),
  },
  RemovalShipment: {
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
  RemovalShipmentAdjustment: {
    ...posted,
    RemovalShipmentItemAdjustmentList: [
      {
        RevenueAdjustment: money(-3),
        TaxAmountAdjustment: money(-0.57),
        TaxWithheldAdjustment: money(-0.57),
      },
    ],
  },
  TrialShipment: { ...posted, SKU: 'FLASK', FeeList: [fee('FBAPerOrderFulfillmentFee', -2.02)] },
  TDSReimbursement: { ...posted, TDSOrderId: 'T-1', ReimbursedAmount: money(3.03) },
  AdhocDisbursement: { ...posted, TransactionType: 'Disbursed', TransactionAmount: money(-250) },
  TaxWithholding: { ...posted, BaseAmount: money(1000), WithheldAmount: money(13) },
  ChargeRefund: {
    ...posted,
    ReasonCode: 'SubscriptionFeeCorrection',
    ChargeRefundTransactions: [{ ChargeType: 'SubscriptionFee', ChargeAmount: money(39.01) }],
  },
  FailedAdhocDisbursement: {
    ...posted,
    FundsTransfersType: 'Refund',
    TransferAmount: money(251),
  },
  ValueAddedServiceCharge: {
    ...posted,
    TransactionType: 'Other Support Service fees',
    TransactionAmount: money(-7.07),
  },
  CapacityReservationBilling: {
    ...posted,
    TransactionType: 'FBA Inventory Fee',
    TransactionAmount: money(-8.09),
  },
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
  otherIncome, TDSReimbursement/ReimbursedAmount, 3.03, 0, 0
  balance, AdhocDisbursement/TransactionAmount/Disbursed, -250, 0, 0
  otherExpenses, TaxWithholding/WithheldAmount, -13, 0, 0
  otherIncome, ChargeRefund/ChargeList/SubscriptionFee, 39.01, 0, 0
  balance, FailedAdhocDisbursement/TransferAmount/Refund, 251, 0, 0
  otherExpenses, ValueAddedServiceCharge/TransactionAmount/Other Support Service fees, -7.07, 0, 0
  otherExpenses, CapacityReservationBilling/TransactionAmount/FBA Inventory Fee, -8.09, 0, 0`;
