/** How the amounts of a list are converted to the currency of the answer. */

import type { CachedAsk } from '../../engine/segments/router.ts';
import type { Parameters, Row } from '../../engine/warehouse.ts';
import type { FactorOf } from '../../figures/factors.ts';
import type { Places } from '../../figures/metrics.ts';
import { currencyPlaces, roundedSum, unitsOf } from '../../figures/money.ts';
import { readConversion, refuseMissing } from '../../report/rates.ts';
import {
  type CurrencyQuestions,
  enclosingDays,
  readForeignCurrencies,
  readSettingCurrencies,
} from './currencies.ts';
import { channelIdOf, type Scope } from './scope.ts';

/** The conversion of the figures and the settings of a list. */
export type ListConversion = {
  readonly parameters: Parameters;
  readonly factorOf: FactorOf;
  readonly places: Places;
  /** The factor of each channel's settings, by the channel's number. */
  readonly settingFactors: ReadonlyMap<number, number>;
};

/** Reads the rates for the figures of a list, and for its settings if it has any. */
export async function readListConversion(
  ask: CachedAsk,
  scope: Scope,
  target: string,
  list: { readonly currencies: CurrencyQuestions; readonly setting?: string | undefined },
): Promise<ListConversion> {
  const { channels, firsts, lasts } = scope;
  const { channels: numbers, ...days } = enclosingDays(scope);
  const found = await readForeignCurrencies(ask, list.currencies, scope, target);
  const ofFigures = [...found.keys()];
  const ofSettings = list.setting === undefined ? [] : channels.map((channel) => channel.currency);
  const foreign = new Set([...ofFigures, ...ofSettings].filter((currency) => currency !== target));
  const conversion = await readConversion(ask, { target, currencies: foreign, days });
  const { factor, missing } = conversion;
  if (missing.size > 0) {
    const needed = new Map([
      ...(await readSettingCurrencies(ask, list.currencies, scope)),
      ...found,
    ]);
    const isNeeded = (currency: string) =>
      currency === target ? [...needed.keys()].some((one) => one !== target) : needed.has(currency);
    const channelOf = (currency: string) => channelIdOf(scope, needed.get(currency)!);
    refuseMissing([...missing].filter(isNeeded), target, { field: 'currency', channelOf });
  }
  // A channel without settings needs no factor.
  const isRated = (currency: string) =>
    currency === target || !(missing.has(currency) || missing.has(target));
  const settingFactors = ofSettings.map((currency, index) =>
    isRated(currency) ? factor(currency, lasts[index]!) : 0,
  );
  const amount = currencyPlaces(target);
  const unitPrice = Math.max(2, amount);
  return {
    parameters: {
      channels: numbers,
      ...days,
      ownRanges: numbers.filter(
        (_, place) => firsts[place] !== days.first || lasts[place] !== days.last,
      ),
      innerFirst: Math.max(...firsts),
      innerLast: Math.min(...lasts),
      firsts,
      lasts,
      ...conversion.parameters(ofFigures),
      settingFactors,
      amountScale: 10 ** amount,
      unitPriceScale: 10 ** unitPrice,
    },
    factorOf: conversion.factorOf,
    places: { amount, unitPrice },
    settingFactors: new Map(
      settingFactors.map((value, index) => [channels[index]!.channelNumber, value]),
    ),
  };
}

/** An amount in the channel's own currency, as shown in the answer. */
export function shownSetting(
  { settingFactors, places }: ListConversion,
  row: { readonly channel: number } & Row,
  setting: string,
): number {
  const factor = settingFactors.get(row.channel)!;
  const amount = row[setting] as bigint;
  const sum =
    factor === 1
      ? { exact: amount, converted: 0 }
      : { exact: 0n, converted: unitsOf(amount) * factor };
  return roundedSum(sum, places.amount);
}
