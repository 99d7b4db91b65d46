/** `vitrine channels taxes`: the rates of tax that documents of a channel do not state. */
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import * as contracts from '../endpoints/operator/taxRates/contract.ts';
import { call, printJson } from './operation.ts';
import {
  addServiceCommand,
  Failure,
  type ServiceOptions,
  serviceOf,
  UsageError,
} from './service.ts';
import { tableOf } from './table.ts';

type TaxRates = AnswerOf<typeof contracts.readTaxRates>;
type Options = ServiceOptions & { readonly rate?: readonly string[]; readonly none?: true };

const help = {
  about: `Where prices include a tax that documents leave blank, it is taken out by these rates.
Without --rate or --none, shows the rates. A rate is a percentage of the price without tax, for one
SKU before a =, from a date behind an @. All rates of the channel are replaced.`,
  examples: [
    'channels taxes acme-de',
    'channels taxes acme-de --rate 19 --rate BOOK-1=7',
    'channels taxes acme-de --rate 19 --rate 16@2020-07-01 --rate 19@2021-01-01',
    'channels taxes acme-de --none',
  ],
};
const written = /^(?:(.+)=)?(\d+(?:\.\d+)?)%?(?:@(\d{4}-\d{2}-\d{2}))?$/;
/** The parts of a rate, as the command line calls them. */
const parts = { sku: 'its SKU', rate: 'its percentage', effectiveFrom: 'its date' };

/** Adds the command for the tax rates of a channel. */
export function addTaxes(channels: Command): void {
  const command = channels
    .command('taxes')
    .description('show or replace the tax rates of a channel')
    .argument('<channelId>', 'the channel')
    .option('--rate <rate...>', 'a rate in percent: [SKU=]RATE[@YYYY-MM-DD]')
    .option('--none', 'remove all rates');
  addServiceCommand<Options>(command, help, async (options, args) => {
    const [channelId] = args as [string];
    const { rate = [], none = false } = options;
    if (none && rate.length > 0) throw new UsageError('--none and --rate exclude each other');
    const taxRates = rate.map(rateOf);
    const service = serviceOf(options);
    const answer =
      none || rate.length > 0
        ? await call(service, contracts.saveTaxRates, { channelId, taxRates }).catch((error) => {
            throw error instanceof Failure ? new Failure(asRates(error.message, rate)) : error;
          })
        : await call(service, contracts.readTaxRates, { channelId });
    if (options.json) printJson(answer);
    else print(answer);
  });
}

function rateOf(text: string) {
  const [, sku = '', rate, effectiveFrom] = written.exec(text) ?? [];
  if (rate === undefined)
    throw new UsageError(
      `--rate ${text} must be a percentage with a point, such as 19, 5.5 or SKU=7@2024-01-01`,
    );
  return { sku, rate: Number(rate), ...(effectiveFrom && { effectiveFrom }) };
}

/** A refusal that names rates as they were typed. */
function asRates(refusal: string, rates: readonly string[]): string {
  return refusal
    .replaceAll(
      /taxRates\[(\d+)\]\.(sku|rate|effectiveFrom)/g,
      (_, at: string, part: keyof typeof parts) => `--rate ${rates[Number(at)]}: ${parts[part]}`,
    )
    .replaceAll(/taxRates\[(\d+)\]/g, (_, at: string) => `--rate ${rates[Number(at)]}`)
    .replaceAll('taxRates', '--rate');
}

function print({ channelId, pricesIncludeTax, taxRates, unstated }: TaxRates): void {
  if (taxRates.length === 0) console.error(`${channelId} has no tax rates.`);
  else
    console.log(
      tableOf(taxRates, ['sku', 'rate', { field: 'effectiveFrom', heading: 'effective from' }]),
    );
  if (!pricesIncludeTax)
    console.error('Prices of the channel do not include tax, so no rate is applied.');
  for (const [name, dates] of Object.entries({
    orders: unstated.orders,
    'financial events': unstated.financeEvents,
  }))
    if (dates !== null)
      console.error(`No document or rate states the tax of ${name}, ${dates.from} to ${dates.to}.`);
}
