/**
 * The report of inventory to replenish shows what each SKU sells, how long it lasts, and when and
 * how much to order again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inventoryConformance } from '../../../../../test/conformance/others.ts';
import { onePair, onOnePair, triesOn, type World } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { computed } from '../../../../../test/reports.ts';
import { listsOf, rowsOf, tablesBeside, textBeside } from '../../../../../test/table.ts';
import { importFacts } from '../../../../../test/world.ts';
import { inventoryReplenishment } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

const names = inventoryConformance.questions[0]!.columns!.split(',');
const own = { timezone: 'America/Los_Angeles', currency: 'USD' };
const date = '2025-03-10';

/** The settings for replenishing a channel's stock. */
type Replenishment = {
  readonly leadTimeDays: number;
  readonly safetyStockDays: number;
  readonly targetCoverDays: number;
};

const settingsOf = (replenishment: Replenishment) => ({ ...own, replenishment });

const unitNames = ['unitsShipped7', 'unitsShipped30', 'unitsShipped60', 'unitsShipped90'];

function dated({ shipped = '', ...row }: Record<string, string>): Record<string, unknown> {
  const units = shipped === '' ? [] : shipped.split(' ');
  return {
    date,
    ...row,
    ...Object.fromEntries(units.map((one, at) => [unitNames[at], Number(one)])),
  };
}

/** Cells of the report: the named columns, row by row. */
async function cellsOf(world: World, channelId: string, columns: string): Promise<string[][]> {
  const { rows } = await computed(world, channelId, inventoryReplenishment);
  const places = columns.split(/,\s*/).map((name) => names.indexOf(name));
  assert.ok(!places.includes(-1), columns);
  return rows.map((row) => places.map((place) => row[place]!));
}

/** The cells of the columns named in the first line; unknown cells are blank. */
function tableOf(csv: string): { columns: string; cells: string[][] } {
  const [columns = '', ...lines] = csv.trim().split('\n');
  // Numbers are compared as they are written.
  const rows = listsOf(lines.join('\n').replaceAll(/(?<=^|,)\s*([\d.]+)(?=,|$)/gm, '"$1"'));
  const blank = columns.split(',').map(() => '');
  return { columns, cells: rows.map((row) => blank.map((empty, at) => row[at] ?? empty)) };
}

onOnePair('Rows of inventory to replenish', (world) => {
  /** A channel with these snapshots of one day; `shipped` are units of 7, 30, 60 and 90 days. */
  const stocked = async (inventory: string) => {
    const { channelId } = await world().tenant({ channel: own });
    await importRows(world(), 'inventory', channelId, rowsOf(inventory).map(dated));
    return channelId;
  };
  const shownBy = (channelId: string) => ({
    async shows(csv: string): Promise<void> {
      const { columns, cells } = tableOf(csv);
      assert.deepEqual(await cellsOf(world(), channelId, columns), cells);
    },
    /** The same for the rows by SKU, after the first `behind` rows. */
    async sorted(csv: string, behind = 0): Promise<void> {
      const { columns, cells } = tableOf(csv);
      const found = await cellsOf(world(), channelId, columns);
      const bySku = found.toSorted(([one], [other]) => (one! < other! ? -1 : 1));
      assert.deepEqual(bySku.slice(behind), cells);
    },
  });

  test('The date and the units to order follow the settings of the channel, in whole cases', async () => {
    const { organisationId, channelId } = await world().tenant({ channel: own });
    const { shows } = shownBy(channelId);
    await importFacts(world(), channelId, inventoryConformance.facts);
    const showsWith = async (replenishment: Replenishment, cells: string) => {
      await world().channel(organisationId, channelId, settingsOf(replenishment));
      await shows(`sku, replenUnits, replenCases, estimatedReorderDate\nB\n${cells}`);
    };
    // 1.5 x (40 + 20 + 90) = 225, less 165 is 60: 5 cases. 110 days less 40 + 20 is 50: on 29
    // April.
    await showsWith(
      { leadTimeDays: 40, safetyStockDays: 20, targetCoverDays: 90 },
      'A, 60, 5, 2025-04-29',
    );
    // One day more is 1.5 units more: 61.5, so 62, in 6 cases 72. What should have been ordered
    // long ago is due at once.
    await showsWith(
      { leadTimeDays: 41, safetyStockDays: 70, targetCoverDays: 40 },
      `A, 72, 6, ${date}`,
    );
  });

  test('rows stand by their days of cover as they are shown, those without any last, then by SKU; nothing is lost to fractions', async () => {
    // 46 / (23 / 30) is 60; binary fractions make it slightly less. "about" has 60.04 days, shown
    // as 60.0, and "fast" 0.05, shown as 0.1.
    const channelId = await stocked(textBeside(import.meta.url, 'stock.csv'));
    const { shows } = shownBy(channelId);
    // 750 / 30 x 104 - 1501 = 1099; 60 - 44 = 16; 23 / 30 x 104 = 79.73, so 80 - 46.
    await shows(tables.byCover!);
  });

  test('each figure comes from the first report that has it: own rows, planning, unsuppressed, restock', async () => {
    const { channelId } = await world().tenant({ channel: own });
    const { sorted } = shownBy(channelId);
    const snapshotOf = (sku: string, report: string) => {
      const times = reports.indexOf(report) + 1;
      const figures = [...countNames, ...unitNames].map((name, at) => {
        const days = [7, 30, 60, 90][at - countNames.length];
        return [name, times * (days ?? at + 1)] as const;
      });
      return {
        date,
        sku,
        report,
        title: `T-${report}`,
        storageType: report,
        asin: report === 'planning' ? '' : `B-${report}`,
        ...Object.fromEntries(figures),
        storageVolume: times * 100,
        estimatedStorageCostNextMonth: times,
      };
    };
    await importRows(world(), 'inventory', channelId, [
      ...reports.map((report) => snapshotOf('all', report)),
      ...reports.slice(1).map((report) => snapshotOf('documents', report)),
      ...reports.slice(2).map((report) => snapshotOf('two', report)),
      snapshotOf('unsuppressed', 'unsuppressed'),
      snapshotOf('planning', 'planning'),
    ]);
    await sorted(tables.firstFigures!);
    // If sales are unknown, so are the units to send.
    await sorted(tables.firstStock!);
    await sorted(tables.firstCover!, 4);
  });

  test('shipped units come from orders of the local days before the snapshot if no report has them', async () => {
    const channelId = await stocked(tables.orderedStock!);
    const { sorted } = shownBy(channelId);
    // Los Angeles went from -08:00 to -07:00 on 9 March.
    const lines = rowsOf(textBeside(import.meta.url, 'orderLines.csv'));
    await importRows(world(), 'orderLines', channelId, lines.map(ordered));
    // 14, 60, 180 and 360 units
    await sorted(tables.orderedSales!);
  });

  test('SKUs that the seller ships are omitted, by their snapshot or else their product; amounts are in the currency of the channel', async () => {
    const channelId = await stocked(tables.fulfilledStock!);
    const { shows } = shownBy(channelId);
    const products = rowsOf(tables.products!).map((row) => ({
      ...row,
      productId: `B-${row.sku}`,
      title: row.sku,
    }));
    await importRows(world(), 'products', channelId, products);
    const rates = [{ date: '2025-03-07', currency: 'USD', perEuro: 1.5 }];
    await importRows(world(), 'exchangeRates', undefined, rates);
    // 1.11 x 1.5 = 1.665
    await shows(tables.shownProducts!);
  });

  test('units shipped that no row of a SKU reports are those ordered; a reported 0 is 0', async () => {
    const channelId = await stocked(tables.reportedStock!);
    const { shows } = shownBy(channelId);
    // Without orders, the units of A are unknown, and 7 and 60 days of C.
    await shows(tables.reportedSales!);
    const line = (sku: string) =>
      ordered({ sku, purchasedAt: '2025-03-08T12:00:00Z', quantity: 42 });
    // Only one SKU has PA in the catalogue; two have PX, so none owns it.
    const products = { A: 'PA', B: 'PX', C: 'PX' };
    const entries = Object.entries(products).map(([sku, productId]) => ({ sku, productId }));
    await importRows(world(), 'products', channelId, entries);
    const ofProducts = ['PA', 'PX'].map((productId) => ({ ...line(''), productId }));
    const lines = [...ofProducts, line('B'), line('C')].map((one, at) => ({
      ...one,
      lineId: `${at}`,
    }));
    await importRows(world(), 'orderLines', channelId, lines);
    // 42 / 7, 42 / 30, 42 / 60 and 42 / 90; A lasts 10 / 1.4 days
    await shows(tables.laterSales!);
  });

  test('dates beyond the calendar are blank', async () => {
    const channelId = await stocked(tables.extremeStock!);
    const { shows } = shownBy(channelId);
    await shows(tables.extremeCover!);
  });
});

/** A shipped line of a separate order, of the SKU A by default. */
function ordered(row: Record<string, unknown>): Record<string, unknown> {
  const { sku = 'A', purchasedAt } = row;
  return { orderId: `${sku}${purchasedAt}`, lineId: '1', sku, status: 'Shipped', ...row };
}

const below = (limit: number) => Math.floor(Math.random() * limit);
const reports = ['rows', 'planning', 'unsuppressed', 'restock'];
const countNames = [
  ...['available', 'reserved', 'inbound', 'unfulfillable', 'fcTransfer', 'awdOnhand'],
  'awdInbound',
];
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
  const [dailySales7, dailySales30, dailySales60, dailySales90] = texts;
  return {
    sku,
    dailySales7,
    dailySales30,
    dailySales60,
    dailySales90,
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

/** A random SKU: its snapshots by some reports, its product and its orders. */
function drawn(sku: string, withOrders: boolean): Held & { readonly lines: Snapshot[] } {
  const sparse = (limit: number) => (below(3) === 0 ? 0 : below(limit));
  const senders = reports.filter(() => below(2) === 0);
  const limit = [4, 40, 400_000][below(3)]!;
  const snapshots = (senders.length > 0 ? senders : [reports[below(4)]!]).map(
    (report): Snapshot => {
      const isEmpty = below(4) === 0;
      const figures = [...countNames, ...unitNames].map(
        (name) => [name, isEmpty || below(8) === 0 ? 0 : sparse(limit)] as const,
      );
      return {
        date,
        sku,
        report,
        ...Object.fromEntries(figures),
        ...Object.fromEntries(
          unitNames.filter(() => below(4) === 0).map((one) => [one, undefined]),
        ),
        fulfilledByMarketplace: [undefined, undefined, 0, 1][below(4)],
      };
    },
  );
  const fulfilledByMarketplace = [undefined, 0, 1, 1][below(4)];
  const product =
    below(3) === 0 ? undefined : { sku, unitsPerCase: sparse(30), fulfilledByMarketplace };
  const units = [0n, 0n, 0n, 0n];
  const lines = Array.from({ length: withOrders ? below(4) : 0 }, (_, times): Snapshot => {
    const [daysAgo, quantity] = [1 + below(90), below(50)];
    for (const [at, days] of [7, 30, 60, 90].entries())
      if (daysAgo <= days) units[at]! += BigInt(quantity);
    // Noon in UTC is the same date in Los Angeles.
    const purchasedAt = Date.parse(date) / 1000 - daysAgo * 86_400 + 43_200;
    return ordered({ sku, purchasedAt, quantity, orderId: `${sku}-${times}` }) as Snapshot;
  });
  return { snapshots, product, ordered: units, lines };
}

onePair('random inventories come out as they do in exact fractions', async (world) => {
  for (let tries = triesOn(world, { embedded: 6, served: 2, normal: 1 }); tries > 0; tries--) {
    const { organisationId, channelId } = await world.tenant({ channel: own });
    const withOrders = below(3) > 0;
    const skus = Array.from({ length: 60 }, (_, number) => `S${number}`);
    const held = new Map(skus.map((sku) => [sku, drawn(sku, withOrders)]));
    const all = [...held.values()];
    const orderLines = all.flatMap(({ lines }) => lines);
    await importFacts(world, channelId, {
      products: all.flatMap(({ product }) => (product === undefined ? [] : [product])),
      inventory: all.flatMap(({ snapshots }) => snapshots),
      orderLines,
    });
    const [leadTimeDays, safetyStockDays, targetCoverDays] = [below(60), below(40), below(120)];
    const replenishment = { leadTimeDays, safetyStockDays, targetCoverDays };
    await world.channel(organisationId, channelId, settingsOf(replenishment));
    const days = [BigInt(leadTimeDays), BigInt(safetyStockDays), BigInt(targetCoverDays)] as const;
    const known = (one: Held) => (orderLines.length > 0 ? one : { ...one, ordered: undefined });
    const expected = [...held]
      .map(([sku, one]) => expectedRow(sku, known(one), days))
      .filter((row) => row !== undefined)
      .sort((one, other) => {
        const [first, second] = [one, other].map(({ daysCover }) =>
          daysCover === '' ? Number.POSITIVE_INFINITY : Number(daysCover),
        );
        return first === second ? (one.sku! < other.sku! ? -1 : 1) : first! - second!;
      });
    const wanted = Object.keys(expected[0]!);
    assert.deepEqual(
      await cellsOf(world, channelId, wanted.join()),
      expected.map((row) => wanted.map((name) => String(row[name] ?? ''))),
    );
  }
});
