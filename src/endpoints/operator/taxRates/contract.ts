/** The rates of tax that the documents of a channel do not state. */
import Type from 'typebox';
import { firstFailures } from '../../../contract/check.ts';
import { contract, type Rule } from '../../../contract/endpoint.ts';
import { ChannelId, nullableDate } from '../../../contract/imports.ts';
import { CalendarDate, OrNull } from '../../../contract/records.ts';
import { Text } from '../../../contract/shapes.ts';

/** The most rates of a channel. */
const ratesMax = 1_000;
/** The decimal places of a rate in percent. */
const placesMax = 4;
/** The date from which a rate without a date applies. */
export const always = '1970-01-01';

const description = {
  sku: 'The SKU that it holds for; empty for all SKUs without a rate of their own.',
  effectiveFrom: 'The date of purchase from which it holds, in the zone of the channel.',
  rate: 'Percent of the price without tax: 19 of a price of 119 are tax.',
};

const TaxRate = Type.Object(
  {
    sku: Type.String({ description: description.sku }),
    effectiveFrom: Type.String({ description: description.effectiveFrom }),
    rate: Type.Number({ description: description.rate }),
  },
  { component: 'TaxRate' },
);

const Unstated = (of: string) =>
  OrNull(Type.Object({ from: nullableDate('First date.'), to: nullableDate('Last date.') }), {
    description: `The dates of ${of} with a tax that neither a document nor a rate states.`,
  });

const answer = Type.Object(
  {
    channelId: Type.String(),
    pricesIncludeTax: Type.Boolean({
      description: 'Whether prices of the channel include tax; otherwise no rate is applied.',
    }),
    taxRates: Type.Array(TaxRate),
    unstated: Type.Object({
      orders: Unstated('orders'),
      financeEvents: Unstated('financial events'),
    }),
  },
  { component: 'TaxRates' },
);

type Given = { readonly sku?: string; readonly effectiveFrom?: string; readonly rate: number };

const onceEach: Rule = {
  at: 'taxRates',
  check({ taxRates }: { readonly taxRates: readonly Given[] }) {
    const keys = taxRates.map(({ sku = '', effectiveFrom = always }) => `${effectiveFrom} ${sku}`);
    const again = keys.flatMap((key, at) => (keys.indexOf(key) < at ? [at] : []));
    const failures = again.map((at) => {
      const { sku = '', effectiveFrom = always } = taxRates[at]!;
      const named = sku === '' ? 'all SKUs' : 'its SKU';
      const first = keys.indexOf(keys[at]!);
      return `taxRates[${at}].effectiveFrom must differ from that of taxRates[${first}]: both are rates of ${named} from ${effectiveFrom}`;
    });
    return firstFailures(failures, 'taxRates');
  },
};

const roundedRates: Rule = {
  at: 'taxRates',
  check({ taxRates }: { readonly taxRates: readonly Given[] }) {
    const failures = taxRates.flatMap(({ rate }, at) =>
      Number(rate.toFixed(placesMax)) === rate
        ? []
        : [`taxRates[${at}].rate must have at most ${placesMax} decimal places`],
    );
    return firstFailures(failures, 'taxRates');
  },
};

const pathParameters = Type.Object({ channelId: ChannelId });

/** Replace the tax rates of a channel. */
export const saveTaxRates = contract({
  operation: 'saveTaxRates',
  access: 'operator',
  method: 'PUT',
  path: '/operator/channels/{channelId}/taxRates',
  summary: 'Replace the tax rates of a channel',
  description:
    'Where prices include a tax that documents leave blank, it is taken out by these rates: of ' +
    'orders, and of the principal, shipping, gift wrap, promotions and refunds of orders without ' +
    'any row of tax. Net figures are then without it, gross ones with it. Fees stay as they are. ' +
    'A tax of 0.00 is stated. The rate is that of the date of purchase, else of posting.\n\n' +
    'The facts of the channel are computed anew before the answer. An empty list undoes all rates.',
  pathParameters,
  body: Type.Object({
    taxRates: Type.Array(
      Type.Object({
        sku: Type.Optional(Text({ minLength: 0, maxLength: 200, description: description.sku })),
        effectiveFrom: Type.Optional(
          CalendarDate(`${description.effectiveFrom} Always by default.`),
        ),
        rate: Type.Number({ minimum: 0, maximum: 100, description: description.rate }),
      }),
      { maxItems: ratesMax },
    ),
  }),
  rules: [onceEach, roundedRates],
  answer,
});

/** Read the tax rates of a channel. */
export const readTaxRates = contract({
  operation: 'readTaxRates',
  access: 'operator',
  method: 'GET',
  path: '/operator/channels/{channelId}/taxRates',
  summary: 'Read the tax rates of a channel',
  description: 'Its rates, and the dates with prices whose tax nothing states.',
  pathParameters,
  answer,
});
