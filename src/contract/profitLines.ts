/** The lines of the profit and loss, in the words of descriptions. */

/** The lines that make up total revenue. */
export const revenueLines = {
  sales: 'Price of the items sold, with tax by includeTax.',
  refunds: 'What was refunded, with tax by includeTax; negative as a rule.',
  promotions: 'Promotions and coupons that the seller paid for; negative as a rule.',
  reimbursements: 'What the marketplace made good, such as lost and damaged stock.',
  otherIncome: 'Shipping and gift wrap that buyers paid for, liquidations, other credits.',
} as const;

/** The lines that make up total expenses. */
export const expenseLines = {
  advertisingSpend: 'What advertising cost.',
  sellingFees: 'Referral, closing, digital service and subscription fees.',
  shippingFees:
    'Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped.',
  refundsAndReturnsOverheads: 'What refunds and returns cost besides the refund itself.',
  cogs: 'What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit returned.',
  otherExpenses: 'Storage, inbound, removals and all that is listed nowhere else.',
} as const;

/** The totals of the lines. */
const totalLines = {
  totalRevenue: 'sales + refunds + promotions + reimbursements + otherIncome.',
  totalExpenses:
    'advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs + otherExpenses.',
} as const;

type Name = keyof typeof totalLines | keyof typeof revenueLines | keyof typeof expenseLines;

/** Makes a field of each total and each line from its description, in the order of answers. */
export function statementFields<Field>(make: (description: string) => Field): {
  [N in Name]: Field;
} {
  const signed = (text: string) =>
    `${text} Positive where it is a cost, negative where more came back.`;
  const fields: [string, Field][] = [
    ...Object.entries({ ...totalLines, ...revenueLines }).map(([name, text]): [string, Field] => [
      name,
      make(text),
    ]),
    ...Object.entries(expenseLines).map(([name, text]): [string, Field] => [
      name,
      make(signed(text)),
    ]),
  ];
  return Object.fromEntries(fields) as { [N in Name]: Field };
}
