/** The rates of tax that the documents of a channel do not state. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { ChannelId, nullableDate } from '../../../contract/imports.ts';
import { CalendarDate, OrNull } from '../../../contract/records.ts';
import { Text } from '../../../contract/shapes.ts';

/** The most rates of a channel. */
const ratesMax = 1_000;
/** The places of a rate in percent. */
const placesMax = 4;

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
  rules: [
    {
      at: 'taxRates',
      check({ taxRates }) {
        const keys = taxRates.map(({ sku = '', effectiveFrom = '' }) => `${effectiveFrom} ${sku}`);
        if (new Set(keys).size < keys.length)
          return 'taxRates must name each SKU and date only once';
        const isLong = ({ rate }: { rate: number }) => Number(rate.toFixed(placesMax)) !== rate;
        return taxRates.some(isLong)
          ? `taxRates must have rates with at most ${placesMax} decimal places`
          : undefined;
      },
    },
  ],
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
