/** The order records of a channel: buyer, address and shipping dates, derived from order lines. */
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { pickIndex, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';

type Address = { StateOrRegion: string; PostalCode: string; City: string; CountryCode: string };

/** A row of the dataset orders, without items: order lines are imported separately. */
export type OrderRow = {
  SellerId: string;
  MarketplaceId: string;
  PlatformOrderId: string;
  BuyerInfo: { BuyerEmail: string };
  FulfillmentChannel: 'AFN' | 'MFN';
  SalesChannel: string;
  OrderStatus: OrderLineRow['status'];
  OrderType: string;
  ShipServiceLevel: string;
  ShipmentServiceLevelCategory: string;
  PaymentMethod: string;
  PaymentMethodDetails: string;
  EarliestDeliveryDate: string;
  EarliestShipDate: string;
  LatestShipDate: string;
  LatestDeliveryDate: string;
  PurchaseDate: string;
  LastUpdateDate: string;
  AutomatedShippingSettings: {
    HasAutomatedShippingSettings: 'true' | 'false';
    AutomatedShipMethodName?: string;
    AutomatedCarrierName?: string;
  };
  NumberOfItemsShipped: number;
  NumberOfItemsUnshipped: number;
  IsPremiumOrder: boolean;
  IsPrime: boolean;
  HasRegulatedItems: boolean;
  IsReplacementOrder: boolean;
  IsSoldByAB: boolean;
  IsISPU: boolean;
  IsAccessPointOrder: boolean;
  IsBusinessOrder: boolean;
  IsGlobalExpressEnabled: boolean;
  DefaultShipFromLocationAddress: Address;
  ShippingAddress: Address;
  OrderTotal: { Amount: number; CurrencyCode: string };
};

/** A service level, its share, and hours from the order to latest shipping and delivery. */
type Service = {
  readonly level: string;
  readonly category: string;
  readonly share: number;
  readonly ship: number;
  readonly earliest: number;
  readonly latest: number;
};

const secondsPerHour = 3600;
/** Orders of this many days have records. */
const daysOfRecords = 45;
/** Share of Prime among orders with fast shipping. */
const primeShare = 0.9;
const businessShare = 0.06;
const accessPointShare = 0.04;

const byMarketplace: readonly Service[] = [
  { level: 'Expedited', category: 'Expedited', share: 0.55, ship: 26, earliest: 34, latest: 58 },
  { level: 'SecondDay', category: 'SecondDay', share: 0.25, ship: 30, earliest: 48, latest: 72 },
  { level: 'Standard', category: 'Standard', share: 0.2, ship: 44, earliest: 72, latest: 144 },
];
const serviceSums = runningSums(byMarketplace.map(({ share }) => share));
const bySeller: Service = {
  level: 'Standard',
  category: 'Standard',
  share: 1,
  ship: 60,
  earliest: 96,
  latest: 192,
};

/** The seller's warehouse and buyers' addresses: city, state or region, postal code. */
const addresses: Readonly<
  Record<string, { readonly code: string; readonly from: string; readonly to: readonly string[] }>
> = {
  USA: {
    code: 'US',
    from: 'Reno|NV|89502',
    to: [
      'Brooklyn|NY|11215',
      'Los Angeles|CA|90026',
      'Chicago|IL|60614',
      'Houston|TX|77008',
      'Phoenix|AZ|85016',
      'Seattle|WA|98103',
      'Denver|CO|80211',
      'Portland|OR|97214',
      'Boulder|CO|80304',
      'Minneapolis|MN|55408',
      'Atlanta|GA|30307',
      'Austin|TX|78704',
      'Boston|MA|02130',
      'Salt Lake City|UT|84105',
      'Asheville|NC|28801',
      'Bend|OR|97701',
      'Madison|WI|53703',
      'Tampa|FL|33606',
      'Columbus|OH|43214',
      'Philadelphia|PA|19130',
      'San Diego|CA|92104',
      'Nashville|TN|37206',
      'Spokane|WA|99203',
      'Boise|ID|83702',
    ],
  },
  GBR: {
    code: 'GB',
    from: 'Daventry|Northamptonshire|NN11 8PB',
    to: [
      'London|Greater London|SE15 4QN',
      'Manchester|Greater Manchester|M21 9AN',
      'Leeds|West Yorkshire|LS6 3AA',
      'Bristol||BS6 5RD',
      'Edinburgh|Midlothian|EH9 1PL',
      'Sheffield|South Yorkshire|S7 1FE',
      'Cardiff||CF11 9HA',
      'Kendal|Cumbria|LA9 4LR',
      'Birmingham|West Midlands|B13 8DD',
      'Belfast||BT7 1NN',
      'Exeter|Devon|EX4 6NS',
      'Norwich|Norfolk|NR2 3RL',
    ],
  },
  DEU: {
    code: 'DE',
    from: 'Kassel|Hessen|34123',
    to: [
      'Berlin|Berlin|10437',
      'Hamburg|Hamburg|22765',
      'München|Bayern|81541',
      'Köln|Nordrhein-Westfalen|50823',
      'Freiburg|Baden-Württemberg|79102',
      'Leipzig|Sachsen|04277',
      'Dresden|Sachsen|01099',
      'Stuttgart|Baden-Württemberg|70197',
      'Münster|Nordrhein-Westfalen|48145',
      'Nürnberg|Bayern|90429',
      'Kempten|Bayern|87435',
      'Kiel|Schleswig-Holstein|24105',
    ],
  },
  JPN: {
    code: 'JP',
    from: '川崎市川崎区|神奈川県|210-0869',
    to: [
      '世田谷区|東京都|154-0017',
      '練馬区|東京都|176-0012',
      '横浜市港北区|神奈川県|222-0011',
      '大阪市北区|大阪府|530-0041',
      '名古屋市千種区|愛知県|464-0850',
      '札幌市中央区|北海道|064-0820',
      '福岡市中央区|福岡県|810-0022',
      '京都市左京区|京都府|606-8203',
      '仙台市青葉区|宮城県|980-0871',
      '松本市|長野県|390-0874',
      '広島市中区|広島県|730-0051',
      'さいたま市浦和区|埼玉県|330-0062',
    ],
  },
  AUS: {
    code: 'AU',
    from: 'Eastern Creek|NSW|2766',
    to: [
      'Newtown|NSW|2042',
      'Katoomba|NSW|2780',
      'Brunswick|VIC|3056',
      'Fitzroy|VIC|3065',
      'West End|QLD|4101',
      'Cairns City|QLD|4870',
      'Fremantle|WA|6160',
      'Norwood|SA|5067',
      'Hobart|TAS|7000',
      'Braddon|ACT|2612',
      'Geelong|VIC|3220',
      'Parramatta|NSW|2150',
    ],
  },
};
const carriers: Readonly<Record<string, { readonly method: string; readonly carrier: string }>> = {
  USA: { method: 'Ground', carrier: 'UPS' },
  GBR: { method: 'Tracked 48', carrier: 'Royal Mail' },
  DEU: { method: 'Paket', carrier: 'DHL' },
  JPN: { method: 'Takkyubin', carrier: 'Yamato Transport' },
  AUS: { method: 'Parcel Post', carrier: 'Australia Post' },
};
const salesChannels: Readonly<Record<string, string>> = {
  USA: 'primarymkt.example',
  GBR: 'primarymkt.uk.example',
  DEU: 'primarymkt.de.example',
  JPN: 'primarymkt.jp.example',
  AUS: 'primarymkt.au.example',
};

/** Records of the orders since shortly before the `anchorDay`; none for channels without them. */
export function orderRows(
  plan: Plan,
  orderLines: readonly OrderLineRow[],
  anchorDay: number,
): OrderRow[] {
  if (plan.marketplace !== 'primarymkt') return [];
  const offers = new Map(offersOf(plan).map((offer) => [offer.sku, offer]));
  const from = (anchorDay - daysOfRecords) * 24 * secondsPerHour;
  const recent = orderLines.filter(({ purchasedAt }) => purchasedAt >= from);
  return [...Map.groupBy(recent, ({ orderId }) => orderId).values()].map((lines) =>
    orderRow(plan, offers, lines),
  );
}

function orderRow(
  plan: Plan,
  offers: ReadonlyMap<string, Offer>,
  lines: readonly OrderLineRow[],
): OrderRow {
  const { orderId, buyerEmail, purchasedAt, updatedAt, status, currency } = lines[0]!;
  const random = randomOf(`order ${orderId}`);
  const address = addresses[plan.countryCode]!;
  const [SellerId, MarketplaceId] = plan.merchantId.split(' @ ') as [string, string];
  const isSelfShipped = lines.some(({ sku }) => offers.get(sku)!.selfShipped);
  const service = isSelfShipped ? bySeller : byMarketplace[pickIndex(random.next(), serviceSums)]!;
  const isPrime = service.category !== 'Standard' && random.next() < primeShare;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const unit = 10 ** plan.decimals;
  const paid = lines.reduce(
    (sum, line) =>
      sum + line.itemPrice + line.itemTax + line.shippingPrice - line.promotionDiscount,
    0,
  );
  const at = (hours: number) => instant(purchasedAt + hours * secondsPerHour);
  const isCanceled = status === 'Canceled';
  return {
    SellerId,
    MarketplaceId,
    PlatformOrderId: orderId,
    BuyerInfo: { BuyerEmail: buyerEmail },
    FulfillmentChannel: isSelfShipped ? 'MFN' : 'AFN',
    SalesChannel: salesChannels[plan.countryCode]!,
    OrderStatus: status,
    OrderType: 'StandardOrder',
    ShipServiceLevel: service.level,
    ShipmentServiceLevelCategory: service.category,
    PaymentMethod: 'Other',
    PaymentMethodDetails: random.next() < 0.07 ? 'Standard,GiftCertificate' : 'Standard',
    EarliestDeliveryDate: at(service.earliest),
    EarliestShipDate: at(1),
    LatestShipDate: at(service.ship),
    LatestDeliveryDate: at(service.latest),
    PurchaseDate: instant(purchasedAt),
    LastUpdateDate: instant(updatedAt),
    AutomatedShippingSettings: isSelfShipped
      ? {
          HasAutomatedShippingSettings: 'true',
          AutomatedShipMethodName: carriers[plan.countryCode]!.method,
          AutomatedCarrierName: carriers[plan.countryCode]!.carrier,
        }
      : { HasAutomatedShippingSettings: 'false' },
    NumberOfItemsShipped: status === 'Shipped' ? units : 0,
    NumberOfItemsUnshipped: status === 'Shipped' || isCanceled ? 0 : units,
    IsPremiumOrder: false,
    IsPrime: isPrime,
    HasRegulatedItems: false,
    IsReplacementOrder: false,
    IsSoldByAB: false,
    IsISPU: false,
    IsAccessPointOrder: !isSelfShipped && random.next() < accessPointShare,
    IsBusinessOrder: random.next() < businessShare * units,
    IsGlobalExpressEnabled: false,
    DefaultShipFromLocationAddress: addressOf(address.from, address.code),
    // A returning buyer keeps their address.
    ShippingAddress: addressOf(
      address.to[randomOf(`address ${buyerEmail}`).whole(address.to.length)]!,
      address.code,
    ),
    OrderTotal: { Amount: Math.round(paid * unit) / unit, CurrencyCode: currency },
  };
}

function addressOf(text: string, CountryCode: string): Address {
  const [City, StateOrRegion, PostalCode] = text.split('|') as [string, string, string];
  return { StateOrRegion, PostalCode, City, CountryCode };
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
