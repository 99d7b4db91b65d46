/**
 * Campaigns and ad groups as the advertising API lists and exports them: version 3 bodies
 * ({campaigns: [...]}), version 2 arrays, and exports. Only some name their type of advertising;
 * for the others the fields show it.
 */
import { withHyphens } from '../../cells/dates.ts';
import { asObject, type JsonObject, listIn, part } from '../../cells/json.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { type AdType, adTypeNames, adTypes } from './adTypes.ts';

type Level = 'campaigns' | 'adGroups';

/** The kind of each list, by the type of advertising that it is restricted to. */
const kindNames: Readonly<Record<Level, Readonly<Record<AdType | 'any', DocumentKind['name']>>>> = {
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
};

/** The types by their names in rows. */
const namedTypes: Readonly<Record<string, AdType>> = {
  sponsoredproducts: 'SP',
  sponsoredbrands: 'SB',
  headlinesearch: 'SB',
  sponsoreddisplay: 'SD',
};
/** Fields that only campaigns of one type have. */
const campaignFields: Readonly<Record<AdType, readonly string[]>> = {
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
/** Fields of rows that are neither campaigns nor ad groups. */
const otherFields = [
  'adId',
  'keywordId',
  'keywordText',
  'targetId',
  'expression',
  'impressions',
  'clicks',
  'cost',
];

const nouns: Readonly<Record<Level, string>> = { campaigns: 'campaign', adGroups: 'ad group' };

function list(level: Level, type: AdType | undefined): DocumentKind {
  const title = type === undefined ? 'List' : `${adTypeNames[type]} list`;
  return {
    name: kindNames[level][type ?? 'any'],
    about: `${title} of ${nouns[level]}s (advertising API; JSON, or one body a line)`,
    tables: [level],
    ofChannel: true,
    // Only the list without a type is recognised. For the others the import names the type.
    ...(type === undefined && {
      // Reports of the Selling Partner API may list campaigns of coupons.
      recognises: (value: unknown) =>
        part(value, 'reportSpecification') === undefined &&
        (listIn(value, level) !== undefined || isOf(level, asObject(value))),
    }),
    rowPaths: (value) => listIn(value, level) && [[level]],
    read: (session) => readerOf(level, type, session),
  };
}

function readerOf(level: Level, type: AdType | undefined, session: ImportSession): DocumentReader {
  const reader = session.rows(level);
  return {
    value(value, line, name) {
      const row = asObject(value);
      if (!row) {
        session.reject(line, level === 'campaigns' ? 'is not a campaign' : 'is not an ad group');
        return;
      }
      const possible =
        level === 'campaigns' ? typesOfCampaign(row) : typesOfAdGroup(row, name !== undefined);
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
      const fields = level === 'campaigns' ? campaignOf(row, adType) : adGroupOf(row, adType);
      reader.object(fields, line);
    },
  };
}

function isOf(level: Level, row: JsonObject | undefined): boolean {
  if (!row || !('campaignId' in row) || otherFields.some((name) => name in row)) return false;
  if (!('name' in row) && !('state' in row)) return false;
  return 'adGroupId' in row === (level === 'adGroups');
}

function typesOfCampaign(row: JsonObject): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  const shown = adTypes.filter((type) => campaignFields[type].some((name) => name in row));
  if (shown.length > 0) return shown;
  if (part(row, 'bidding', 'strategy') !== undefined) return ['SP'];
  if (part(row, 'bidding', 'bidOptimization') !== undefined) return ['SB'];
  return 'costType' in row ? ['SB', 'SD'] : adTypes;
}

/**
 * Sponsored Brands ad groups have no default bid. Of the others, only Sponsored Products ones come
 * in a body.
 */
function typesOfAdGroup(row: JsonObject, isInBody: boolean): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  if (sdAdGroupFields.some((name) => name in row)) return ['SD'];
  if (!('defaultBid' in row)) return ['SB'];
  return isInBody ? ['SP'] : ['SP', 'SD'];
}

function namedType(row: JsonObject): AdType | undefined {
  const name = row.adProduct ?? row.campaignType;
  return typeof name === 'string' ? namedTypes[name.replaceAll('_', '').toLowerCase()] : undefined;
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
    // Other types use these words differently: for where an ad appears, or for the aim of its bids.
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

/** The lists: per level, one without a type and one per type. */
export const adLists: readonly DocumentKind[] = (['campaigns', 'adGroups'] as const).flatMap(
  (level) => [undefined, ...adTypes].map((type) => list(level, type)),
);
