import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  onEachPair,
  onePair,
  type Tenant,
  testOnOnePair,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf } from '../../../../../test/reports.ts';

const names = [
  ...[
    'sku',
    'asin',
    'productName',
    'storageType',
    'dailySales7',
    'dailySales30',
    'dailySales60',
    'dailySales90',
    'available',
  ],
  ...[
    'reservedQuantity',
    'inboundQuantity',
    'unfulfillableQuantity',
    'fcTransfer',
    'awdOnhandQuantity',
    'awdInboundQuantity',
  ],
  ...[
    'totalInventory',
    'daysCover',
    'projectedOOSDate',
    'estimatedReorderDate',
    'replenUnits',
    'replenCases',
    'unitsPerCase',
  ],
  ...['storageVolume', 'estimatedStorageCostNextMonth'],
];
const own = { timezone: 'America/Los_Angeles', currency: 'USD' };
const newSeller = (world: World) => world.tenant({ channel: own });

/** The settings by which a channel's stock is replenished. */
type Replenishment = {
  readonly leadTimeDays: number;
  readonly safetyStockDays: number;
  readonly targetCoverDays: number;
};

/** The rows of the report, which has the columns of the contract in their order. */
async function rowsOf(
  world: World,
  tenant: Tenant,
  replenishment?: Replenishment,
): Promise<string[][]> {
  if (replenishment) {
    const settings = { ...own, replenishment };
    await world.channel(tenant.organisationId, tenant.channelId, settings);
  }
  const report = await csvOf(world, tenant, 'inventoryReplenishment');
  assert.deepEqual(report.columns, names);
  return report.rows;
}

/** The cells of these columns, row by row. */
function columns(rows: readonly string[][], ...wanted: string[]): string[][] {
  return rows.map((row) => wanted.map((name) => row[names.indexOf(name)]!));
}

/** Expects these cells; what is not known is blank. */
function shows(rows: readonly string[][], expected: readonly (readonly unknown[])[]): void {
  assert.deepEqual(
    rows,
    expected.map((row) => row.map((value) => String(value ?? ''))),
  );
}

const date = '2025-03-10';
/** Units shipped in 7, 30, 60 and 90 days. */
const shipped = (in7: number, in30: number, in60: number, in90: number) => ({
  unitsShipped7: in7,
  unitsShipped30: in30,
  unitsShipped60: in60,
  unitsShipped90: in90,
});

onEachPair('Rows of inventory to replenish', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  test('one SKU by hand: what it sells, how long it lasts, when to order again and how much, in whole cases', async () => {
    const tenant = await newSeller(world());
    const { channelId } = tenant;
    shows(await rowsOf(world(), tenant), []);
    await importRows(world(), 'products', channelId, [
      {
        sku: 'A',
        productId: 'B0',
        title: 'Kettle',
        unitsPerCase: 12,
        fulfilledByMarketplace: true,
      },
    ]);
    await importRows(world(), 'inventory', channelId, [
      { date: '2025-03-09', sku: 'OLD', available: 4 },
      {
        ...{
          date,
          sku: 'A',
          asin: 'B1',
          title: 'Reported',
          storageType: 'Standard-Size',
          available: 100,
          reserved: 5,
          inbound: 20,
        },
        ...{
          unfulfillable: 2,
          fcTransfer: 3,
          awdOnhand: 30,
          awdInbound: 10,
          ...shipped(7, 45, 60, 100),
        },
        ...{ storageVolume: '1.25', estimatedStorageCostNextMonth: '0.345' },
      },
    ]);
    // Velocity 45 / 30 = 1.5; position 100 + 5 + 20 + 30 + 10 = 165. 100 / 1.5 = 66.67 days: to 15
    // May. 165 / 1.5 = 110 days, less 30 + 14 is 66: again on 15 May. 1.5 x (30 + 14 + 60) = 156,
    // less 165 is nothing.
    const stock = [100, 5, 20, 2, 3, 30, 10, 167];
    const identified = [
      'A',
      'B1',
      'Kettle',
      'Standard-Size',
      '1.00',
      '1.50',
      '1.00',
      '1.11',
      ...stock,
    ];
    shows(await rowsOf(world(), tenant), [
      [...identified, '66.7', '2025-05-15', '2025-05-15', 0, 0, 12, '1.25', '0.35'],
    ]);
    // 1.5 x (40 + 20 + 90) = 225, less 165 is 60: 5 cases. 110 days less 40 + 20 is 50: on 29
    // April.
    shows(
      columns(
        await rowsOf(world(), tenant, {
          leadTimeDays: 40,
          safetyStockDays: 20,
          targetCoverDays: 90,
        }),
        'replenUnits',
        'replenCases',
        'estimatedReorderDate',
      ),
      [[60, 5, '2025-04-29']],
    );
    // One day more is 1.5 units more: 61.5, so 62, in 6 cases 72. What should have been ordered
    // long ago is due at once.
    shows(
      columns(
        await rowsOf(world(), tenant, {
          leadTimeDays: 41,
          safetyStockDays: 70,
          targetCoverDays: 40,
        }),
        'replenUnits',
        'replenCases',
        'estimatedReorderDate',
      ),
      [[72, 6, date]],
    );
  });

  testOnce(
    'rows stand by their days of cover as they are shown, those without any last, then by SKU; nothing is lost to fractions',
    async () => {
      const tenant = await newSeller(world());
      await importRows(world(), 'inventory', tenant.channelId, [
        { date, sku: 'still', available: 9, ...shipped(0, 0, 0, 0) },
        { date, sku: 'empty', available: 0, ...shipped(0, 30, 0, 0) },
        { date, sku: 'empty and still', unfulfillable: 1, ...shipped(0, 0, 0, 0) },
        // 46 / (23 / 30) is 60; binary fractions make it slightly less.
        { date, sku: 'whole', available: 46, ...shipped(0, 23, 0, 0) },
        // 60.04 days, shown as 60.0
        { date, sku: 'about', available: 1501, ...shipped(0, 750, 0, 0) },
        { date, sku: 'by 60', available: 3, ...shipped(0, 0, 6, 90) },
        { date, sku: 'by 90', available: 3, ...shipped(0, 0, 0, 9) },
        // 0.05 days, shown as 0.1
        { date, sku: 'fast', available: 1, ...shipped(0, 600, 0, 0) },
      ]);
      const rows = columns(
        await rowsOf(world(), tenant),
        'sku',
        'daysCover',
        'projectedOOSDate',
        'estimatedReorderDate',
        'replenUnits',
        'replenCases',
        'unitsPerCase',
      );
      shows(rows, [
        ['empty', '0.0', date, date, 104, null, null],
        ['empty and still', '0.0', date, null, 0, null, null],
        ['fast', '0.1', date, date, 2079, null, null],
        ['by 60', '30.0', '2025-04-09', date, 8, null, null],
        ['by 90', '30.0', '2025-04-09', date, 8, null, null],
        // 750 / 30 x 104 - 1501 = 1099; 60 - 44 = 16
        ['about', '60.0', '2025-05-09', '2025-03-26', 1099, null, null],
        // 23 / 30 x 104 = 79.73, so 80 - 46
        ['whole', '60.0', '2025-05-09', '2025-03-26', 34, null, null],
        ['still', null, null, null, 0, null, null],
      ]);
    },
  );

  testOnce(
    'each figure comes from the first report that has it: own rows, planning, unsuppressed, restock',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const snapshotOf = (sku: string, report: string, times: number) => ({
        ...{
          date,
          sku,
          report,
          asin: report === 'planning' ? '' : `B-${report}`,
          title: `T-${report}`,
          storageType: report,
        },
        ...{
          available: times,
          reserved: times * 2,
          inbound: times * 3,
          unfulfillable: times * 4,
          fcTransfer: times * 5,
        },
        ...{
          awdOnhand: times * 6,
          awdInbound: times * 7,
          ...shipped(times * 7, times * 30, times * 60, times * 90),
        },
        ...{ storageVolume: times * 100, estimatedStorageCostNextMonth: times },
      });
      await importRows(world(), 'inventory', channelId, [
        ...['rows', 'planning', 'unsuppressed', 'restock'].map((report, at) =>
          snapshotOf('all', report, at + 1),
        ),
        ...['planning', 'unsuppressed', 'restock'].map((report, at) =>
          snapshotOf('documents', report, at + 2),
        ),
        ...['unsuppressed', 'restock'].map((report, at) => snapshotOf('two', report, at + 3)),
        snapshotOf('unsuppressed', 'unsuppressed', 3),
        snapshotOf('planning', 'planning', 2),
      ]);
      const rows = (await rowsOf(world(), tenant)).toSorted(([one], [other]) =>
        one! < other! ? -1 : 1,
      );
      const first = [
        'sku',
        'asin',
        'productName',
        'storageType',
        'dailySales7',
        'dailySales30',
        'dailySales60',
        'dailySales90',
      ];
      const stock = [
        'available',
        'reservedQuantity',
        'inboundQuantity',
        'unfulfillableQuantity',
        'fcTransfer',
        'awdOnhandQuantity',
        'awdInboundQuantity',
      ];
      shows(columns(rows, ...first), [
        ['all', 'B-rows', 'T-rows', 'rows', '1.00', '1.00', '1.00', '1.00'],
        ['documents', 'B-unsuppressed', 'T-planning', 'planning', '2.00', '2.00', '2.00', '2.00'],
        ['planning', '', 'T-planning', 'planning', '2.00', '2.00', '2.00', '2.00'],
        ['two', 'B-unsuppressed', 'T-unsuppressed', null, null, '4.00', null, null],
        ['unsuppressed', 'B-unsuppressed', 'T-unsuppressed', null, null, null, null, null],
      ]);
      shows(
        columns(rows, ...stock, 'totalInventory', 'storageVolume', 'estimatedStorageCostNextMonth'),
        [
          [1, 2, 3, 4, 5, 6, 7, 23, '100', '1.00'],
          [2, 4, 6, 8, 20, null, null, 20, '200', '2.00'],
          [2, 4, 6, 8, 10, null, null, 20, '200', '2.00'],
          [3, 6, 9, 12, 20, null, null, 30, null, null],
          [3, 6, 9, 12, null, null, null, 30, null, null],
        ],
      );
      // Where nothing is known of what is sold, nothing is said of what to send.
      shows(
        columns(
          rows.slice(4),
          'daysCover',
          'projectedOOSDate',
          'estimatedReorderDate',
          'replenUnits',
        ),
        [[null, null, null, null]],
      );
    },
  );

  test('shipped units come from orders of the local days before the snapshot if no report has them', async () => {
    const tenant = await newSeller(world());
    const { channelId } = tenant;
    await importRows(world(), 'inventory', channelId, [
      { date, sku: 'A', report: 'unsuppressed', available: 10 },
      { date, sku: 'B', report: 'unsuppressed', available: 10 },
      { date, sku: 'C', report: 'restock', available: 10, unitsShipped30: 60 },
      { date, sku: 'D', report: 'planning', available: 10, ...shipped(1, 2, 3, 4) },
    ]);
    // Los Angeles went from -08:00 to -07:00 on 9 March.
    const line = (at: string, quantity: number, sku = 'A', status = 'Shipped') => ({
      ...{ orderId: `${sku}${at}`, lineId: '1', purchasedAt: at, sku, quantity, status },
    });
    await importRows(world(), 'orderLines', channelId, [
      line('2025-03-10T07:00:00Z', 1000),
      line('2025-03-10T06:59:59Z', 7),
      line('2025-03-03T08:00:00Z', 7),
      line('2025-03-03T07:59:59Z', 16),
      line('2025-02-08T08:00:00Z', 30),
      line('2025-02-08T07:59:59Z', 60),
      line('2025-01-09T08:00:00Z', 60),
      line('2025-01-09T07:59:59Z', 90),
      line('2024-12-10T08:00:00Z', 90),
      line('2024-12-10T07:59:59Z', 2000),
      line('2025-03-09T12:00:00Z', 5000, 'A', 'Canceled'),
      line('2025-03-09T12:00:00Z', 7, 'C'),
      line('2025-03-09T12:00:00Z', 7, 'D'),
    ]);
    const rows = (await rowsOf(world(), tenant)).toSorted(([one], [other]) =>
      one! < other! ? -1 : 1,
    );
    // 14, 60, 180 and 360 units
    shows(
      columns(
        rows,
        'sku',
        'dailySales7',
        'dailySales30',
        'dailySales60',
        'dailySales90',
        'daysCover',
      ),
      [
        ['A', '2.00', '2.00', '3.00', '4.00', '5.0'],
        ['B', '0.00', '0.00', '0.00', '0.00', null],
        ['C', '1.00', '2.00', '0.12', '0.08', '5.0'],
        ['D', '0.14', '0.07', '0.05', '0.04', '150.0'],
      ],
    );
  });

  testOnce(
    'SKUs that the seller ships are omitted, as their snapshot or else their product says; amounts are in the currency of the channel',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const fulfilled: Readonly<Record<string, boolean | undefined>> = {
        ours: false,
        moved: true,
        back: false,
        stored: true,
        sold: undefined,
      };
      await importRows(
        world(),
        'products',
        channelId,
        Object.entries(fulfilled).map(([sku, fulfilledByMarketplace]) => ({
          ...{ sku, productId: `B-${sku}`, title: sku, fulfilledByMarketplace },
        })),
      );
      await importRows(world(), 'exchangeRates', undefined, [
        { date: '2025-03-07', currency: 'USD', perEuro: 1.5 },
      ]);
      await importRows(world(), 'inventory', channelId, [
        { date, sku: 'ours', available: 5, ...shipped(1, 1, 1, 1) },
        { date, sku: 'moved', available: 5, fulfilledByMarketplace: false },
        { date, sku: 'back', report: 'restock', fulfilledByMarketplace: true },
        { date, sku: 'back', report: 'planning' },
        {
          date,
          sku: 'stored',
          awdOnhand: 1,
          estimatedStorageCostNextMonth: '1.11',
          currency: 'EUR',
        },
        { date, sku: 'sold', ...shipped(0, 0, 0, 1), estimatedStorageCostNextMonth: '1.005' },
        { date, sku: 'unknown' },
      ]);
      const rows = await rowsOf(world(), tenant);
      shows(columns(rows, 'sku', 'asin', 'productName', 'estimatedStorageCostNextMonth'), [
        ['back', 'B-back', 'back', '0.00'],
        ['sold', 'B-sold', 'sold', '1.01'],
        // 1.11 x 1.5 = 1.665
        ['stored', 'B-stored', 'stored', '1.67'],
        ['unknown', '', '', '0.00'],
      ]);
    },
  );

  test('units shipped that no row of a SKU reports are those ordered; a reported 0 is 0', async () => {
    const tenant = await newSeller(world());
    const { channelId } = tenant;
    await importRows(world(), 'inventory', channelId, [
      { date, sku: 'A', available: 10 },
      { date, sku: 'B', available: 10, ...shipped(0, 0, 0, 0) },
      { date, sku: 'C', available: 10 },
      { date, sku: 'C', report: 'planning', unitsShipped30: 60, unitsShipped90: 0 },
    ]);
    const sales = () => ['sku', 'dailySales7', 'dailySales30', 'dailySales60', 'dailySales90'];
    const paced = async () => columns(await rowsOf(world(), tenant), ...sales(), 'daysCover');
    // Without orders nothing is known of A, nor of 7 and 60 days of C.
    shows(await paced(), [
      ['C', null, '2.00', null, '0.00', '5.0'],
      ['A', null, null, null, null, null],
      ['B', '0.00', '0.00', '0.00', '0.00', null],
    ]);
    const line = (sku: string) => ({
      ...{ orderId: sku, lineId: '1', purchasedAt: '2025-03-08T12:00:00Z', sku },
      ...{ quantity: 42, status: 'Shipped' },
    });
    await importRows(world(), 'orderLines', channelId, ['A', 'B', 'C'].map(line));
    // 42 / 7, 42 / 30, 42 / 60 and 42 / 90; A lasts 10 / 1.4 days
    shows(await paced(), [
      ['C', '6.00', '2.00', '0.70', '0.00', '5.0'],
      ['A', '6.00', '1.40', '0.70', '0.47', '7.1'],
      ['B', '0.00', '0.00', '0.00', '0.00', null],
    ]);
  });

  testOnce('dates beyond the calendar are blank', async () => {
    const tenant = await newSeller(world());
    await importRows(world(), 'inventory', tenant.channelId, [
      { date, sku: 'A', available: 1e12, inbound: 1e12, ...shipped(0, 0, 0, 1) },
    ]);
    const [row] = columns(
      await rowsOf(world(), tenant),
      'daysCover',
      'projectedOOSDate',
      'estimatedReorderDate',
      'replenUnits',
    );
    shows([row!], [['90000000000000.0', null, null, 0]]);
  });
});

const below = (limit: number) => Math.floor(Math.random() * limit);
const reports = ['rows', 'planning', 'unsuppressed', 'restock'];
const countNames = [
  'available',
  'reserved',
  'inbound',
  'unfulfillable',
  'fcTransfer',
  'awdOnhand',
  'awdInbound',
];
const unitNames = ['unitsShipped7', 'unitsShipped30', 'unitsShipped60', 'unitsShipped90'];
const reportedBy: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['available', 'reserved', 'inbound', 'unfulfillable', 'fulfilledByMarketplace'].map((name) => [
      name,
      reports,
    ]),
  ),
  ...Object.fromEntries(['awdOnhand', 'awdInbound'].map((name) => [name, ['rows']])),
  ...Object.fromEntries(unitNames.map((name) => [name, ['rows', 'planning']])),
  unitsShipped30: ['rows', 'planning', 'restock'],
  fcTransfer: ['rows', 'restock', 'planning'],
};
type Snapshot = Record<string, string | number | undefined>;
type Held = {
  readonly snapshots: readonly Snapshot[];
  readonly product: Snapshot | undefined;
  readonly ordered: readonly bigint[] | undefined;
};

/** The row of a SKU in exact fractions, computed from the imported rows; undefined if it is omitted. */
function expectedRow(
  sku: string,
  { snapshots, product, ordered }: Held,
  [lead, safety, target]: readonly [bigint, bigint, bigint],
): Record<string, unknown> | undefined {
  const reported = (name: string): bigint | undefined => {
    const by = reportedBy[name]!.find((report) =>
      snapshots.some((snapshot) => snapshot.report === report && snapshot[name] !== undefined),
    );
    return by === undefined
      ? undefined
      : BigInt(snapshots.find((snapshot) => snapshot.report === by)![name]!);
  };
  const [available, reserved, inbound, unfulfillable, transfer, onhand, onItsWay] =
    countNames.map(reported);
  const shippedUnits = unitNames.map(reported);
  const position = available! + reserved! + inbound! + (onhand ?? 0n) + (onItsWay ?? 0n);
  const isTheirs = reported('fulfilledByMarketplace') ?? product?.fulfilledByMarketplace ?? 1;
  if (Number(isTheirs) === 0) return undefined;
  const sold = shippedUnits.map((units, at) => units ?? ordered?.[at]);
  const paces = [
    [sold[1], 30n],
    [sold[2], 60n],
    [sold[3], 90n],
  ] as const;
  const [units, days] = paces.find(([units]) => units !== undefined && units > 0n) ?? [0n, 1n];
  const isKnown = paces.some(([units]) => units !== undefined);
  const rounded = (part: bigint, whole: bigint, places: number) => {
    const digits = String((part * 10n ** BigInt(places) * 2n + whole) / (whole * 2n)).padStart(
      places + 1,
      '0',
    );
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  const after = (days: bigint) => {
    const reached = Date.parse(date) + Number(days) * 86_400_000;
    return reached > Date.UTC(2299, 11, 31) ? '' : new Date(reached).toISOString().slice(0, 10);
  };
  const most = (one: bigint, other: bigint) => (one > other ? one : other);
  const needed = most(0n, (units! * (lead + safety + target) + days - 1n) / days - position);
  const perCase = BigInt(product?.unitsPerCase ?? 0);
  const cases = perCase === 0n ? undefined : (needed + perCase - 1n) / perCase;
  const texts = [7n, 30n, 60n, 90n].map((span, at) =>
    sold[at] === undefined ? '' : rounded(sold[at], span, 2),
  );
  return {
    sku,
    dailySales7: texts[0],
    dailySales30: texts[1],
    dailySales60: texts[2],
    dailySales90: texts[3],
    available,
    reservedQuantity: reserved,
    inboundQuantity: inbound,
    unfulfillableQuantity: unfulfillable,
    fcTransfer: transfer,
    awdOnhandQuantity: onhand,
    awdInboundQuantity: onItsWay,
    totalInventory: position + unfulfillable!,
    daysCover: available === 0n ? '0.0' : units! > 0n ? rounded(available! * days, units!, 1) : '',
    projectedOOSDate:
      available === 0n ? date : units! > 0n ? after((available! * days) / units!) : '',
    estimatedReorderDate:
      units! > 0n ? after(most(0n, (position * days) / units! - lead - safety)) : '',
    replenUnits: isKnown ? (cases === undefined ? needed : cases * perCase) : '',
    replenCases: isKnown ? cases : '',
    unitsPerCase: perCase === 0n ? '' : perCase,
  };
}

onePair('random inventories come out as they do in exact fractions', async (world) => {
  for (let tries = triesOn(world, { embedded: 6, served: 2 }); tries > 0; tries--) {
    const tenant = await newSeller(world);
    const { channelId } = tenant;
    const sparse = (limit: number) => (below(3) === 0 ? 0 : below(limit));
    const withOrders = below(3) > 0;
    const skus = new Map<string, Held>();
    const lines: Snapshot[] = [];
    for (let number = 0; number < 60; number++) {
      const sku = `S${number}`;
      const senders = reports.filter(() => below(2) === 0);
      const limit = [4, 40, 400_000][below(3)]!;
      const snapshots = (senders.length > 0 ? senders : [reports[below(4)]!]).map(
        (report): Snapshot => {
          const figures = [...countNames, ...unitNames].map(
            (name) => [name, below(8) === 0 ? 0 : sparse(limit)] as const,
          );
          const isEmpty = below(4) === 0;
          return {
            date,
            sku,
            report,
            ...Object.fromEntries(figures.map(([name, value]) => [name, isEmpty ? 0 : value])),
            ...Object.fromEntries(
              unitNames.filter(() => below(4) === 0).map((name) => [name, undefined]),
            ),
            fulfilledByMarketplace: [undefined, undefined, 0, 1][below(4)],
          };
        },
      );
      const product =
        below(3) === 0
          ? undefined
          : {
              sku,
              unitsPerCase: sparse(30),
              fulfilledByMarketplace: [undefined, 0, 1, 1][below(4)],
            };
      const ordered = [0n, 0n, 0n, 0n];
      for (let times = withOrders ? below(4) : 0; times > 0; times--) {
        const daysAgo = 1 + below(90);
        const quantity = below(50);
        // Noon in UTC is the same date in Los Angeles.
        const purchasedAt = Date.parse(date) / 1000 - daysAgo * 86_400 + 43_200;
        lines.push({
          orderId: `${sku}-${times}`,
          lineId: '1',
          purchasedAt,
          sku,
          quantity,
          status: 'Shipped',
        });
        for (const [at, days] of [7, 30, 60, 90].entries())
          if (daysAgo <= days) ordered[at]! += BigInt(quantity);
      }
      skus.set(sku, { snapshots, product, ordered });
    }
    const products = [...skus.values()]
      .map(({ product }) => product)
      .filter((product) => product !== undefined);
    await importRows(world, 'products', channelId, products);
    await importRows(
      world,
      'inventory',
      channelId,
      [...skus.values()].flatMap(({ snapshots }) => snapshots),
    );
    if (lines.length > 0) await importRows(world, 'orderLines', channelId, lines);
    const [lead, safety, target] = [below(60), below(40), below(120)] as const;
    const settings: readonly [bigint, bigint, bigint] = [
      BigInt(lead),
      BigInt(safety),
      BigInt(target),
    ];
    const expected = [...skus]
      .map(([sku, held]) =>
        expectedRow(sku, lines.length > 0 ? held : { ...held, ordered: undefined }, settings),
      )
      .filter((row) => row !== undefined)
      .sort((one, other) => {
        const [first, second] = [one, other].map(({ daysCover }) =>
          daysCover === '' ? Number.POSITIVE_INFINITY : Number(daysCover),
        );
        return first === second ? (one.sku! < other.sku! ? -1 : 1) : first! - second!;
      });
    const wanted = Object.keys(expected[0]!);
    const rows = columns(
      await rowsOf(world, tenant, {
        leadTimeDays: lead,
        safetyStockDays: safety,
        targetCoverDays: target,
      }),
      ...wanted,
    );
    shows(
      rows,
      expected.map((row) => wanted.map((name) => row[name])),
    );
  }
});
