/** The differences between countries: addresses, sales tax, carriers and rates of storage. */
import { type Random, randomOf } from './random.ts';
import { readTable } from './tables.ts';

/** A country: ways of paying besides the usual one, with their shares, and rates of storage. */
type Country = Readonly<
  Record<'country' | 'code' | 'salesChannel' | 'shipMethod' | 'carrier', string>
> & {
  readonly isEuropean: boolean;
  readonly payments: Readonly<Record<string, number>>;
  /** Litres per unit of volume, and its monthly rate, higher before the holidays. */
  readonly volumeLitres: number;
  readonly storageRate: number;
  readonly peakStorageRate: number;
};
/** A city with its state or region and its postal code, and the sales tax there in percent. */
type Place = {
  readonly country: string;
  /** A warehouse is the seller's own, a centre one of the marketplace. */
  readonly use: 'warehouse' | 'centre' | 'buyer';
  readonly place: string;
  readonly tax?: number;
};

const countries = new Map(readTable<Country>('countries').map((one) => [one.country, one]));
const places = Map.groupBy(readTable<Place>('places'), ({ country, use }) => `${country} ${use}`);

/** The country with a code of three letters. */
export const countryOf = (countryCode: string): Country => countries.get(countryCode)!;

/** The address of a buyer, the same for every order. */
export const homeOf = (countryCode: string, buyerEmail: string) =>
  addressOf(homePlaceOf(countryCode, buyerEmail));

/** The sales tax at a buyer's address in the United States, as a share of the price. */
export const salesTaxOf = (countryCode: string, buyerEmail: string) =>
  homePlaceOf(countryCode, buyerEmail).tax! / 100;

/** The seller's own warehouse in a country, which is also a shop in the United States. */
export const warehouseOf = (countryCode: string) =>
  addressOf(places.get(`${countryCode} warehouse`)![0]!);

/** One of the marketplace's warehouses in a country. */
export const fulfilmentCentreOf = (countryCode: string, random: Random) =>
  addressOf(oneOf(places.get(`${countryCode} centre`)!, random));

function homePlaceOf(countryCode: string, buyerEmail: string): Place {
  return oneOf(places.get(`${countryCode} buyer`)!, randomOf(`address ${buyerEmail}`));
}

function oneOf(some: readonly Place[], random: Random): Place {
  return some[random.whole(some.length)]!;
}

function addressOf({ country, place }: Place) {
  const [City, StateOrRegion, PostalCode] = place.split('|') as [string, string, string];
  return { StateOrRegion, PostalCode, City, CountryCode: countryOf(country).code };
}
