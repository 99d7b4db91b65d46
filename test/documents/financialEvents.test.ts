/**
 * The lists of financial events become facts: each innermost amount once, on the line of its code,
 * however documents overlap. Read in memory; other tests import them into the stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, fixture, holds } from '../facts.ts';
import { events, fee, money, newSeller, shipped } from '../finances.ts';
import { assertReasons, reasons, refused, taken } from '../imports.ts';
import { listsOf } from '../table.ts';

const posted = { PostedDate: '2025-03-18T10:00:00Z' };
const postedLower = { postedDate: posted.PostedDate };

test('every list of events posts its innermost amounts, on the line of its code', async () => {
  const channel = newSeller();
  // One event of every list. All amounts differ; the parts of a coupon come to less than its total.
  const lists = JSON.parse(fixture('finance.events.json'));
  assert.equal(Object.keys(lists).length, 34);
  const document = events({ ...lists, EmptyEventList: [], NoneEventList: null });
  const answer = await channel.import(document);
  const facts = fixture('finance.eventFacts.csv');
  const [, ...rows] = listsOf(facts);
  taken(answer, 'financialEvents', rows.length);
  await holds(channel, 'finance_event', facts);
  const [euros] = answer.body.finance.sums;
  const total = rows.reduce((sum, [, , amount, tax]) => sum + amount + tax, 0);
  assert.equal(Number(euros.total).toFixed(2), total.toFixed(2));
  assert.equal(euros.documentTotal, null);
  // 12.12 + 0.12 - 500 - 250 + 251
  assert.equal(euros.balance, '-486.760000');
  const unknown = answer.body.finance.unknownCodes.map(({ code }: { code: string }) => code);
  assert.deepEqual(unknown.sort(), [
    'PayWithAmazon/FeeList/PayFee',
    'ServiceProviderCredit/TransactionAmount/Credit',
    'Shipment/DirectPaymentList/StoredValueCardRevenue',
  ]);
  const ofOrders = `order_id, code, sku
    O-1, Refund/ItemChargeAdjustmentList/Principal,     FLASK
    O-1, Shipment/ShipmentFeeList/FBATransportationFee,
    S-1, PayWithAmazon/ChargeList/Principal,`;
  await holds(channel, 'finance_event', ofOrders, ({ code }) => ofOrders.includes(`${code},`));
  const columns = 'unit, number, posted_at, sku, order_id, line, code, amount, tax';
  const whole = () => channel.held('finance_event', columns);
  const before = whole();
  taken(await channel.import(document), 'financialEvents', rows.length);
  assert.deepEqual(whole(), before);
});

test('events carry no number: equal ones of a document are several, equal ones of overlapping documents the same', async () => {
  const channel = newSeller();
  const one = shipped('O-1', '2025-03-01T10:00:00Z', 5);
  const two = shipped('O-2', '2025-03-02T10:00:00Z', 6);
  const three = shipped('O-3', '2025-03-03T10:00:00Z', 7);
  const of = (...ShipmentEventList: object[]) => events({ ShipmentEventList });
  const sold = `order_id, amount, quantity
    O-1, 5, 1
    O-1, 5, 1
    O-2, 6, 1`;
  taken(await channel.import(`${of(one, two)}\n${of(one)}`), 'financialEvents', 3);
  await holds(channel, 'finance_event', sold);
  // Imported again alone, it counts as the first of the two.
  taken(await channel.import(of(one)), 'financialEvents', 1);
  await holds(channel, 'finance_event', sold);
  // The order of its fields does not make it another one.
  const turned = Object.fromEntries(Object.entries(two).reverse());
  const bare = JSON.stringify({ FinancialEvents: { ShipmentEventList: [turned, three] } });
  taken(await channel.import(bare), 'financialEvents', 2);
  await holds(channel, 'finance_event', `${sold}\nO-3, 7, 1`);

  const march4 = '2025-03-04T10:00:00Z';
  const ShipmentFeeList = [{ FeeType: 'Odd', FeeAmount: { CurrencyAmount: 'x' } }];
  const ShipmentEventList = [
    shipped('O-4', march4, 1, { MarketplaceName: 'Amazon.fr' }),
    shipped('O-5', '2025-03-04', 1),
    shipped('O-6', march4, 1, { ShipmentFeeList }),
    shipped('O-7', march4, 2, { MarketplaceName: 'Non-Amazon' }),
  ];
  const GiftEventList = [{ PostedDate: march4 }];
  const answer = await channel.import(events({ ShipmentEventList, GiftEventList }));
  assertReasons(answer)`
    2 Shipment: PostedDate must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or
      epoch seconds
    3 Shipment ShipmentFeeList Odd: the amount must be a decimal number such as 12.34
    5 GiftEventList is not a known list of events`;
  assert.equal(answer.body.otherStores, 1);
  await holds(channel, 'finance_event', `${sold}\nO-3, 7, 1\nO-7, 2, 1`);
  refused(await channel.import(events({})), /the document has no rows/);
  refused(await channel.import(of(one).slice(0, -3)), /damaged or was cut off/);
});

test('a sale of both lists is one sale on the day of its shipment, whichever document comes first', async () => {
  const [shipping, settling] = ['2025-03-05T18:00:00Z', '2025-03-13T18:00:00Z'] as const;
  const sold = (date: string, amount = 100) => shipped('O-1', date, amount);
  const ShipmentEventList = [sold(shipping)];
  // The last one is a sale that no shipment equals.
  const ShipmentSettleEventList = [sold(settling), sold(settling, 7)];
  const [first, second] = [events({ ShipmentEventList }), events({ ShipmentSettleEventList })];
  for (const documents of [
    [first, second],
    [second, first, second],
    [events({ ShipmentEventList, ShipmentSettleEventList }), first],
  ]) {
    const channel = newSeller();
    for (const document of documents) assert.equal((await channel.import(document)).status, 200);
    const columns = `posted_at, amount, quantity
      ${shipping}, 100, 1
      ${settling}, 7, 1`;
    await holds(channel, 'finance_event', columns);
  }
});

test('events without a date post on the document’s day, or on its last day with coarse=lastDay', async () => {
  const channel = newSeller();
  const storage = { FeeList: [fee('FBAStorageFee', -3)], SellerSKU: 'FLASK' };
  const undated = events({ ServiceFeeEventList: [storage] });
  const needsDates = /the document needs from=YYYY-MM-DD&to=YYYY-MM-DD \(its rows have no dates/;
  refused(await channel.import(undated), needsDates);
  // A fee that is the same in two months is two fees.
  for (const date of ['2025-01-31', '2025-02-28'])
    taken(await channel.import(undated, `&from=${date}&to=${date}`), 'financialEvents', 1);
  const twice = `day, posted_at, code, amount
    2025-01-31, 2025-01-31T11:00:00Z, ServiceFee/FeeList/FBAStorageFee, -3
    2025-02-28, 2025-02-28T11:00:00Z, ServiceFee/FeeList/FBAStorageFee, -3`;
  await holds(channel, 'finance_event', twice);
  const march = events({
    ShipmentEventList: [
      shipped('O-1', '2025-03-01T10:00:00Z', 5),
      shipped('O-2', '2025-03-03T23:30:00Z', 6),
    ],
    ServiceFeeEventList: [storage],
  });
  // 23:30 UTC is the next day in Berlin.
  assert.match(
    reasons(await channel.import(march))[0]![1],
    /^covers 2025-03-01 to 2025-03-04, but these facts are kept by day/,
  );
  const coarse = await channel.import(march, '&coarse=lastDay');
  taken(coarse, 'financialEvents', 3);
  assert.equal(coarse.body.rowsCoarse, 1);
  await assertHeld(channel, 'finance_event', ({ code }) => String(code).startsWith('ServiceFee'))`
    ${twice}
    2025-03-04, 2025-03-04T11:00:00Z, ServiceFee/FeeList/FBAStorageFee, -3`;
});

test('sums and their parts count once: adjustments by items that add up, ads with their own sign', async () => {
  const channel = newSeller();
  const adjusted = (amount: number, ...items: number[]) => ({
    ...posted,
    AdjustmentType: 'WAREHOUSE_LOST',
    AdjustmentAmount: money(amount),
    AdjustmentItemList: items.map((one) => ({ SellerSKU: 'FLASK', TotalAmount: money(one) })),
  });
  const advertised = (transactionType: string, value: number) => {
    const values = { baseValue: money(value), taxValue: money(0) };
    return { ...postedLower, transactionType, ...values };
  };
  const debt = { ...posted, DebtRecoveryType: 'DebtAdjustment', RecoveryAmount: null };
  const document = events({
    AdjustmentEventList: [adjusted(10, 4, 5), adjusted(-300)],
    ProductAdsPaymentEventList: Object.entries({ Charge: -8, charge: 9, refund: 1, other: 2 }).map(
      ([type, value]) => advertised(type, value),
    ),
    DebtRecoveryEventList: [debt],
  });
  taken(await channel.import(document), 'financialEvents', 6);
  await assertHeld(channel, 'finance_event')`
    line, amount, sku
    advertisingSpend, -9,
    advertisingSpend, -8,
    advertisingSpend, 1,
    advertisingSpend, 2,
    reimbursements, -300,
    reimbursements, 10,`;
});
