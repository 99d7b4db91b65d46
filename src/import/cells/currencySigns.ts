/** The currencies of the signs that documents write before and after amounts. */
import { isCurrency } from '../../contract/currencies.ts';

/** A bare dollar sign may be of any of these. */
const dollars = [
  'USD',
  'CAD',
  'AUD',
  'MXN',
  'SGD',
  'NZD',
  'HKD',
  'TWD',
  'BRL',
  'CLP',
  'COP',
  'ARS',
];

/** The currencies of each sign, in upper case. */
const currenciesOfSign = new Map<string, readonly string[]>([
  ['$', dollars],
  ...signs('USD', 'US$', 'U$'),
  ...signs('CAD', 'CA$', 'C$', 'CDN$', 'CAN$'),
  ...signs('MXN', 'MX$', 'MEX$', 'M$'),
  ...signs('AUD', 'A$', 'AU$'),
  ...signs('SGD', 'S$', 'SG$'),
  ...[...signs('BRL', 'R$'), ...signs('NZD', 'NZ$'), ...signs('HKD', 'HK$')],
  ...[...signs('TWD', 'NT$'), ...signs('GBP', '£'), ...signs('EUR', '€')],
  ...[...signs('INR', '₹', 'RS'), ...signs('PLN', 'ZŁ'), ...signs('TRY', 'TL', '₺')],
  ...[...signs('ZAR', 'R'), ...signs('EGP', 'E£', '£E'), ...signs('KRW', '₩')],
  ['¥', ['JPY', 'CNY']],
  ['￥', ['JPY', 'CNY']],
  ['KR', ['SEK', 'NOK', 'DKK', 'ISK']],
]);

function signs(currency: string, ...texts: readonly string[]) {
  return texts.map((text): [string, readonly string[]] => [text, [currency]]);
}

/**
 * The possible currencies of an amount by its sign or code, such as CA$7.00 or 1,50 €; undefined if
 * it has no known one.
 */
export function currenciesWritten(amount: string): readonly string[] | undefined {
  const sign = amount.replaceAll(/[\d.,'’()\s\u00a0\u202f%+−–—-]/g, '').toUpperCase();
  return currenciesOfSign.get(sign) ?? (isCurrency(sign) ? [sign] : undefined);
}

/** Currencies of a sign as words; a bare dollar sign has too many to list. */
export function currencyNames(currencies: readonly string[]): string {
  return currencies === dollars ? 'dollars' : currencies.join(' or ');
}
