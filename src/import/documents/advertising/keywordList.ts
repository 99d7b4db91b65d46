/** Keywords and targets as the advertising API lists them. */
import { asObject, type JsonObject, part } from '../../cells/json.ts';
import type { AdType } from './adTypes.ts';

/** The names that reports give to the targets of automatic campaigns, by their comparable type. */
const predefinedNames: Readonly<Record<string, string>> = {
  queryhighrelmatches: 'close-match',
  querybroadrelmatches: 'loose-match',
  asinsubstituterelated: 'substitutes',
  asinaccessoryrelated: 'complements',
};
/** The names that reports give to the parts of other expressions. */
const expressionNames: Readonly<Record<string, string>> = {
  asinsameas: 'asin',
  asinexpandedfrom: 'asin-expanded',
  asincategorysameas: 'category',
  asinbrandsameas: 'brand',
};

/** A listed keyword or target in the fields of its dataset. */
export function keywordOf(row: JsonObject, adType: AdType): Record<string, unknown> {
  const { adGroupId, campaignId, state: status } = row;
  const target = row.resolvedExpression ?? row.resolvedExpressions ?? expressionOf(row);
  return {
    keywordId: row.keywordId ?? row.targetId,
    adGroupId,
    campaignId,
    keywordText: row.keywordText ?? textOf(target),
    matchType: row.matchType ?? matchTypeOf(row),
    adType,
    status,
    bid: part(row, 'bid', 'bid') ?? row.bid ?? undefined,
  };
}

function expressionOf(row: JsonObject): unknown {
  return row.expression ?? row.expressions;
}

function matchTypeOf(row: JsonObject): string | undefined {
  if (expressionOf(row) === undefined) return undefined;
  return String(row.expressionType).toLowerCase() === 'auto'
    ? 'targetingExpressionPredefined'
    : 'targetingExpression';
}

/** An expression as reports write it, such as `category="Kettles" brand="Acme"`. */
function textOf(expression: unknown): string | undefined {
  if (!Array.isArray(expression)) return undefined;
  return expression
    .map((one) => {
      const { type, value } = asObject(one) ?? {};
      const comparable = String(type)
        .replaceAll(/[^A-Za-z]/g, '')
        .toLowerCase();
      const name = expressionNames[comparable] ?? String(type);
      return predefinedNames[comparable] ?? `${name}="${value ?? ''}"`;
    })
    .join(' ');
}
