/** The rules of lists that need records, facts or the time of the request. */
import { firstFailures } from '../../contract/check.ts';
import { currenciesWithoutRates, missingRates } from '../../report/rates.ts';
import type { Context, RecordRule } from '../handler.ts';
import { rangeFailure } from './contract.ts';
import {
  type CurrencyQuestions,
  readForeignCurrencies,
  readSettingCurrencies,
} from './currencies.ts';
import {
  channelIdOf,
  channelsOf,
  channelsRead,
  type ListInput,
  listCurrencyRule,
  rangeOf,
  scopeOf,
} from './scope.ts';

/** One text for every failing channel, so that nobody learns which channels exist. */
const channelsText = 'channelId must name connected stores with advertising';

/** The rules that all lists share. */
const sharedRules: readonly RecordRule<ListInput, Context>[] = [
  {
    at: 'channelId',
    reads: ['channelId[]'],
    async check(input, context) {
      const found = await channelsOf(input, context);
      return found.length < new Set(input.channelId).size ? channelsText : undefined;
    },
  },
  {
    at: 'toDate',
    reads: ['fromDate'],
    check(input, context) {
      const { from, to } = rangeOf(input, context);
      return rangeFailure(from, to);
    },
  },
  listCurrencyRule,
];

/** The rules of a list. */
export function listRules({
  currencies,
}: {
  readonly currencies: CurrencyQuestions;
}): readonly RecordRule<ListInput, Context>[] {
  return [...sharedRules, figuresRule(currencies)];
}

/** The rule that the currencies of the figures and of the settings have rates. */
function figuresRule(currencies: CurrencyQuestions): RecordRule<ListInput, Context> {
  return {
    at: 'currency',
    reads: ['channelId[]', 'fromDate', 'toDate'],
    isHandled: true,
    async check(input, context) {
      const { currency: target } = input;
      const { from, to } = rangeOf(input, context);
      const scope = await scopeOf(input, context);
      if (scope.channels.length === 0 || rangeFailure(from, to) !== undefined) return undefined;
      const { warehouse, limits } = context;
      const found = await warehouse.readCached(
        channelsRead(scope),
        limits,
        async (ask) =>
          new Map([
            ...(await readSettingCurrencies(ask, currencies, scope)),
            ...(await readForeignCurrencies(ask, currencies, scope, target)),
          ]),
      );
      found.delete(target);
      if (found.size === 0) return undefined;
      const unrated = await currenciesWithoutRates(
        warehouse,
        new Set([target, ...found.keys()]),
        limits,
      );
      // Another rule refuses a target that no channel has.
      const own = new Set(scope.channels.map(({ currency }) => currency));
      const missing = [...unrated].filter((one) => one !== target || own.has(one));
      const channelOf = (one: string) => channelIdOf(scope, found.get(one)!);
      return firstFailures(
        missingRates(missing, target, { field: 'currency', channelOf }),
        'currency',
      );
    },
  };
}
