/**
 * Campaigns, ad groups and keywords as the advertising API lists and exports them: version 3 bodies
 * ({campaigns: [...]}), version 2 arrays, and exports. Only some name their type of advertising;
 * for the others, the fields show it.
 */
import { withHyphens } from '../../cells/dates.ts';
import { asObject, type JsonObject, listIn, part } from '../../cells/json.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { type AdType, adTypeNamed, adTypeNames } from './adTypes.ts';
import { keywordOf } from './keywordList.ts';

type Level = 'campaigns' | 'adGroups' | 'keywords';

/** The kinds of lists of a level, by the type of advertising to which they are restricted. */
type Kinds = { readonly [Type in AdType | 'any']?: DocumentKind['name'] };
const kindNames: Readonly<Record<Level, Kinds>> = {
  campaigns: {
    any: 'adsCampaignList',
    SP: 'adsSpCampaignList',
    SB: 'adsSbCampaignList',
    SD: 'adsSdCampaignList',
  },
  adGroups: {
    any: 'adsAdGroupList',
    SP: 'adsSpAdGroupList',
    SB: 'adsSbAdGroupList',
    SD: 'adsSdAdGroupList',
  },
  keywords: { any: 'adsKeywordList', SP: 'adsSpKeywordList', SB: 'adsSbKeywordList' },
};
/** The names under which bodies hold the rows of a level. */
const bodyNames: Readonly<Record<Level, readonly string[]>> = {
  campaigns: ['campaigns'],
  adGroups: ['adGroups'],
  keywords: ['keywords', 'targetingClauses', 'targets'],
};

/** The types that campaigns show by their fields; other types are named. */
const shownTypes = ['SP', 'SB', 'SD'] as const;
/** Fields that only campaigns of one type have. */
const campaignFields: Readonly<Record<(typeof shownTypes)[number], readonly string[]>> = {
  SP: ['targetingType', 'dynamicBidding', 'premiumBidAdjustment', 'dailyBudget'],
  SB: [
    'brandEntityId',
    'adFormat',
    'creative',
    'landingPage',
    'bidMultiplier',
    'bidOptimization',
    'isMultiAdGroupsEnabled',
    'productLocation',
  ],
  SD: ['tactic', 'deliveryProfile'],
};
/** Fields that only ad groups of Sponsored Display have. */
const sdAdGroupFields = ['tactic', 'bidOptimization', 'creativeType'];
/** Fields of rows that are not entities. */
const otherFields = [
  'adId',
  'impressions',
  'clicks',
  'cost',
  'purchasedAsin',
  'searchTerm',
  'date',
];
/** Fields that only keywords and targets have. */
const keywordFields = ['keywordId', 'keywordText', 'targetId', 'expression'];

const nouns: Readonly<Record<Level, string>> = {
  campaigns: 'campaign',
  adGroups: 'ad group',
  keywords: 'keyword',
};
/** Why a row that does not belong to a level is rejected. */
const strangers: Readonly<Record<Level, string>> = {
  campaigns: 'is not a campaign',
  adGroups: 'is not an ad group',
  keywords: 'is not a keyword',
};

function list(level: Level, type: AdType | undefined): DocumentKind {
  const title = type === undefined ? 'List' : `${adTypeNames[type]} list`;
  return {
    name: kindNames[level][type ?? 'any']!,
    about: `${title} of ${nouns[level]}s${level === 'keywords' ? ' or targets' : ''} (advertising API; JSON, or one body a line)`,
    tables: [level],
    ofChannel: true,
    // Only the list without a type is recognised. For the others, the import names the type.
    ...(type === undefined && {
      // Reports of the Selling Partner API may list campaigns of coupons.
      recognises: (value: unknown) =>
        part(value, 'reportSpecification') === undefined &&
        (bodyOf(level, value) !== undefined || isOf(level, asObject(value))),
    }),
    rowPaths(value) {
      const name = bodyOf(level, value);
      return name === undefined ? undefined : [[name]];
    },
    read: (session) => readerOf(level, type, session),
  };
}

function readerOf(level: Level, type: AdType | undefined, session: ImportSession): DocumentReader {
  const reader = session.rows(level);
  return {
    value(value, line, name) {
      const row = asObject(value);
      if (!row) {
        session.reject(line, strangers[level]);
        return;
      }
      const possible = typesIn(level, row, name);
      if (type === undefined && possible.length !== 1) {
        const names = possible.map((one) => kindNames[level][one]).join(' or ');
        throw new DocumentRefused(
          `the document does not show the type of its ${nouns[level]}s: pass type=${names}`,
        );
      }
      const adType = type ?? possible[0]!;
      if (!possible.includes(adType)) {
        session.reject(
          line,
          `belongs to ${adTypeNames[possible[0]!]}, but the import names ${adTypeNames[adType]}`,
        );
        return;
      }
      reader.object(fieldsOf[level](row, adType), line);
    },
  };
}

/** The name under which a body holds rows of a level. */
function bodyOf(level: Level, value: unknown): string | undefined {
  return bodyNames[level].find((name) => listIn(value, name) !== undefined);
}

function isOf(level: Level, row: JsonObject | undefined): boolean {
  if (!row || !('campaignId' in row) || otherFields.some((name) => name in row)) return false;
  if (keywordFields.some((name) => name in row))
    return level === 'keywords' && ('keywordId' in row || 'targetId' in row);
  if (!('name' in row) && !('state' in row)) return false;
  return level !== 'keywords' && 'adGroupId' in row === (level === 'adGroups');
}

/** The types to which a row may belong; `name` is the name under which its body has it. */
function typesIn(level: Level, row: JsonObject, name: string | undefined): readonly AdType[] {
  if (level === 'campaigns') return typesOfCampaign(row);
  if (level === 'adGroups') return typesOfAdGroup(row, name !== undefined);
  const named = namedType(row);
  if (named) return [named];
  // No body has keywords of Sponsored Brands, and their targets have another name.
  if (name === undefined) return ['SP', 'SB'];
  return name === 'targets' ? ['SB'] : ['SP'];
}

function typesOfCampaign(row: JsonObject): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  const shown = shownTypes.filter((type) => campaignFields[type].some((name) => name in row));
  if (shown.length > 0) return shown;
  if (part(row, 'bidding', 'strategy') !== undefined) return ['SP'];
  if (part(row, 'bidding', 'bidOptimization') !== undefined) return ['SB'];
  return 'costType' in row ? ['SB', 'SD'] : shownTypes;
}

/**
 * Ad groups of Sponsored Brands have no default bid. Of the others, only ones of Sponsored
 * Products come in a body.
 */
function typesOfAdGroup(row: JsonObject, isInBody: boolean): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  if (sdAdGroupFields.some((name) => name in row)) return ['SD'];
  if (!('defaultBid' in row)) return ['SB'];
  return isInBody ? ['SP'] : ['SP', 'SD'];
}

function namedType(row: JsonObject): AdType | undefined {
  return adTypeNamed(row.adProduct ?? row.campaignType);
}

function campaignOf(row: JsonObject, adType: AdType): Record<string, unknown> {
  const budget =
    part(row, 'budgetCaps', 'budgetValue', 'monetaryBudget', 'amount') ??
    part(row, 'budget', 'budget');
  const strategy =
    part(row, 'dynamicBidding', 'strategy') ??
    part(row, 'bidding', 'strategy') ??
    part(row, 'optimization', 'bidStrategy');
  return {
    campaignId: row.campaignId,
    name: row.name,
    adType,
    status: row.state,
    budgetType:
      row.budgetType ??
      part(row, 'budget', 'budgetType') ??
      part(row, 'budgetCaps', 'recurrenceTimePeriod'),
    budget: budget ?? (typeof row.budget === 'object' ? undefined : row.budget) ?? row.dailyBudget,
    startDate: withHyphens(row.startDate ?? undefined),
    endDate: withHyphens(row.endDate ?? undefined),
    // Other types use these words differently: for the place of an ad, or for the aim of its bids.
    ...(adType === 'SP' && {
      targetingType: row.targetingType ?? row.targetingSettings,
      biddingStrategy: strategyOf(strategy),
    }),
    costType: row.costType,
  };
}

/** The bidding strategy, which exports spell differently. */
function strategyOf(strategy: unknown): unknown {
  if (typeof strategy !== 'string') return strategy;
  if (strategy.startsWith('SALES') && strategy.endsWith('DOWN_ONLY')) return 'legacyForSales';
  if (strategy.startsWith('SALES') && strategy.endsWith('UP_AND_DOWN')) return 'autoForSales';
  return strategy === 'NONE' ? 'manual' : strategy;
}

function adGroupOf(row: JsonObject, adType: AdType): Record<string, unknown> {
  const { adGroupId, campaignId, name, state: status, costType } = row;
  return {
    adGroupId,
    campaignId,
    name,
    adType,
    status,
    costType,
    defaultBid: row.defaultBid ?? part(row, 'bid', 'defaultBid'),
  };
}

/** The fields of each level's dataset. */
const fieldsOf = { campaigns: campaignOf, adGroups: adGroupOf, keywords: keywordOf };

/** The lists: for each level, one without a type and one per type. */
export const adLists: readonly DocumentKind[] = (Object.keys(kindNames) as Level[]).flatMap(
  (level) =>
    [undefined, ...shownTypes]
      .filter((type) => kindNames[level][type ?? 'any'] !== undefined)
      .map((type) => list(level, type)),
);
