/** Where orders are sent from and to, and the sales tax there. */
import { type Random, randomOf } from './random.ts';

/** An address of an order. */
export type Address = {
  StateOrRegion: string;
  PostalCode: string;
  City: string;
  CountryCode: string;
};

/** The places of a country, each as city, state or region, postal code. */
type Places = {
  /** The two-letter code of the country. */
  readonly code: string;
  /** The seller's warehouse, which is also a shop in the United States. */
  readonly from: string;
  /** Warehouses of the marketplace. */
  readonly centres: readonly string[];
  /** Buyers' addresses. */
  readonly to: readonly string[];
};

const places: Readonly<Record<string, Places>> = {
  USA: {
    code: 'US',
    from: 'Reno|NV|89502',
    centres: ['San Bernardino|CA|92408', 'Baytown|TX|77523', 'Edison|NJ|08837'],
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
    centres: ['Tilbury|Essex|RM18 7AN', 'Dunfermline|Fife|KY11 8ST'],
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
    centres: [
      'Bad Hersfeld|Hessen|36251',
      'Graben|Bayern|86836',
      'Werne|Nordrhein-Westfalen|59368',
    ],
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
    centres: ['小田原市|神奈川県|250-0001', '堺市堺区|大阪府|590-0908'],
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
    centres: ['Kemps Creek|NSW|2178', 'Ravenhall|VIC|3023'],
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

/** Sales tax in the United States by state, with that of the county, in percent. */
const salesTaxes: Readonly<Record<string, number>> = {
  AZ: 8.6,
  CA: 9.5,
  CO: 8.81,
  FL: 7.5,
  GA: 8.9,
  ID: 6,
  IL: 10.25,
  MA: 6.25,
  MN: 9.03,
  NC: 7,
  NY: 8.875,
  OH: 7.5,
  OR: 0,
  PA: 8,
  TN: 9.75,
  TX: 8.25,
  UT: 7.75,
  WA: 10.25,
  WI: 5.5,
};

/** The address of a buyer, who keeps it from order to order. */
export function homeOf(countryCode: string, buyerEmail: string): Address {
  const { to } = places[countryCode]!;
  return addressOf(countryCode, to[randomOf(`address ${buyerEmail}`).whole(to.length)]!);
}

/** The sales tax at an address in the United States, as a share of the price. */
export function salesTaxAt({ StateOrRegion }: Address): number {
  return salesTaxes[StateOrRegion]! / 100;
}

/** The seller's own warehouse in a country. */
export function warehouseOf(countryCode: string): Address {
  return addressOf(countryCode, places[countryCode]!.from);
}

/** One of the marketplace's warehouses in a country. */
export function fulfilmentCentreOf(countryCode: string, random: Random): Address {
  const { centres } = places[countryCode]!;
  return addressOf(countryCode, centres[random.whole(centres.length)]!);
}

function addressOf(countryCode: string, place: string): Address {
  const [City, StateOrRegion, PostalCode] = place.split('|') as [string, string, string];
  return { StateOrRegion, PostalCode, City, CountryCode: places[countryCode]!.code };
}
