import Type from 'typebox';
import { failuresMax } from '../../contract/check.ts';
import { contract, type Rule } from '../../contract/endpoint.ts';
import { channelFields, EpochSeconds, List, OneOf, Text } from '../../contract/shapes.ts';

/** Rows that one call may bring. */
export const directCostsMax = 10_000;

/** Currencies that one call may name; there are fewer. */
const currenciesMax = 200;
const skuLengthMax = 200;
/** A double of this size still holds every digit of the sixth place. */
const costMax = 1_000_000_000;
const costPlaces = 6;
/** The last second of the year 2199, the last that a fact may have. */
const effectiveMax = 7_258_118_399;

const cost = (description: string) => Type.Number({ minimum: 0, maximum: costMax, description });
const costCurrency = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z]{3}$',
    letters: 'upper',
    description,
    words: { pattern: 'must be a currency code of three letters' },
  });

const DirectCost = Type.Object({
  sellerSku: Text({ maxLength: skuLengthMax, description: "The seller's SKU, as the channel's facts spell it. An unknown one is kept." }),
  cogs: cost('Cost of the goods of one unit, in cogsCurrency, with at most six decimal places.'),
  cogsCurrency: costCurrency('ISO 4217 code of three letters, in any letter case.'),
  shippingCost: Type.Optional(
    cost(
      'Cost of shipping one unit that the seller ships, in shippingCostCurrency, with at most six decimal places. 0 when it is not given.',
    ),
  ),
  shippingCostCurrency: Type.Optional(
    costCurrency('ISO 4217 code of three letters, in any letter case. When it is not given, that of cogsCurrency.'),
  ),
});
type DirectCost = Type.Static<typeof DirectCost>;

type Costs = { readonly directCosts: readonly DirectCost[] };

const costRules: readonly Rule[] = [
  {
    at: 'directCosts',
    check: ({ directCosts }: Costs) =>
      listed(
        directCosts.flatMap(({ sellerSku, cogs, shippingCost = 0 }, place) => [
          // Facts count the halves of a character outside the basic plane.
          ...(sellerSku.length > skuLengthMax ? [`directCosts[${place}].sellerSku must have at most ${skuLengthMax} UTF-16 units`] : []),
          ...(placesOf(cogs) > costPlaces ? [`directCosts[${place}].cogs must have at most ${costPlaces} decimal places`] : []),
          ...(placesOf(shippingCost) > costPlaces
            ? [`directCosts[${place}].shippingCost must have at most ${costPlaces} decimal places`]
            : []),
        ]),
      ),
  },
  {
    at: 'directCosts',
    check: ({ directCosts }: Costs) => {
      const places = new Map<string, number>();
      const repeated: string[] = [];
      for (const [place, { sellerSku }] of directCosts.entries()) {
        const first = places.get(sellerSku);
        if (first === undefined) places.set(sellerSku, place);
        else repeated.push(`directCosts[${place}].sellerSku repeats that of directCosts[${first}]: ${sellerSku}`);
      }
      return listed(repeated);
    },
  },
  {
    at: 'directCosts',
    check: ({ directCosts }: Costs) =>
      new Set(directCosts.flatMap((row) => [row.cogsCurrency, row.shippingCostCurrency ?? row.cogsCurrency])).size > currenciesMax
        ? `directCosts must name at most ${currenciesMax} different currencies`
        : undefined,
  },
];

/** The failing rules of many rows as one text, of a length that an answer may have. */
function listed(texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  return texts.length > failuresMax ? [...texts.slice(0, failuresMax), 'and more'].join(', ') : texts.join(', ');
}

/** How many decimal places the shortest text of a number has. */
function placesOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** POST /profitability/directCosts */
export const saveDirectCosts = contract({
  operation: 'saveDirectCosts',
  method: 'POST',
  path: '/profitability/directCosts',
  summary: 'Say what units cost',
  description:
    'Says what a unit of each SKU costs the seller from a date on: each holds until the next date for which its SKU is given costs. Costs that ' +
    'were given before for the same SKU and date are replaced, those of other SKUs and dates stay. All rows of a call are taken, or none. The ' +
    'answer names a job, whose end GET /profitability/directCostsJobStatus tells; jobs of a channel are done in the order in which they were asked for.',
  body: Type.Object({
    ...channelFields,
    fromDate: EpochSeconds('The costs hold from the UTC date of this instant on.', { maximum: effectiveMax }),
    directCosts: List(DirectCost, { minItems: 1, maxItems: directCostsMax, description: 'A row for each SKU.' }),
  }),
  rules: costRules,
  channel: true,
  idempotencyKey: true,
  answer: Type.Object({ jobId: Type.String({ description: 'Identifier of the job.' }) }),
});

/** GET /profitability/directCostsJobStatus */
export const readDirectCostsJobStatus = contract({
  operation: 'readDirectCostsJobStatus',
  method: 'GET',
  path: '/profitability/directCostsJobStatus',
  summary: 'Read how far a job of unit costs is',
  description:
    'COMPLETED once every figure is made with the costs of the job; FAILED where none of them was taken. A job can be asked for during 30 days.',
  query: Type.Object({
    ...channelFields,
    jobId: Text({ maxLength: 100, description: 'Identifier of the job, as POST /profitability/directCosts answered it.' }),
  }),
  channel: true,
  answer: Type.Object({
    jobStatus: OneOf(['IN_PROGRESS', 'COMPLETED', 'FAILED'], { description: 'How far the job is; COMPLETED and FAILED are final.' }),
  }),
});
