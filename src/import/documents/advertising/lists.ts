/**
 * Campaigns and ad groups as the advertising API lists and exports them: version 3 bodies ({campaigns: [...]}), arrays of version 2, and
 * exports. Only some of them name their type of advertising; of others their fields tell it.
 */
import { DocumentRefused } from '../../refused.ts';
import { type DocumentKind, part } from '../kind.ts';
import { type AdType, adTypeNames, adTypes, asObject } from './ads.ts';
import { isoDateOf } from './reports.ts';

type Row = Readonly<Record<string, unknown>>;
type Level = 'campaigns' | 'adGroups';

/** The type that a row names itself. */
const namedTypes: Readonly<Record<string, AdType>> = {
  sponsoredproducts: 'SP',
  sponsoredbrands: 'SB',
  headlinesearch: 'SB',
  sponsoreddisplay: 'SD',
};
/** Fields of campaigns that only campaigns of one type have. */
const tellingOfCampaigns: Readonly<Record<AdType, readonly string[]>> = {
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
/** The same of ad groups. */
const tellingOfAdGroups = { SD: ['tactic', 'bidOptimization', 'creativeType'] };
const otherThings = [
  'adId',
  'keywordId',
  'keywordText',
  'targetId',
  'expression',
  'impressions',
  'clicks',
  'cost',
];

function list(level: Level, type: AdType | undefined): DocumentKind {
  const what = level === 'campaigns' ? 'campaigns' : 'ad groups';
  return {
    name: kindName(level, type),
    about: `${type === undefined ? 'List' : `${adTypeNames[type]} list`} of ${what} (advertising API; JSON, or one body a line)`,
    tables: [level],
    ofChannel: true,
    // Which of several types it is of, a row tells by itself or the import names it: only the list of no type is recognised.
    ...(type === undefined && {
      recognises: (value: unknown) =>
        Array.isArray(part(value, level)) || isOf(level, asObject(value)),
    }),
    rowsOf: (value) => rowsIn(value, level),
    read(desk) {
      const reader = desk.rows(level);
      return {
        value(value, line, body) {
          const row = asObject(value);
          if (!row) {
            desk.reject(line, `is no ${level === 'campaigns' ? 'campaign' : 'ad group'}`);
            return;
          }
          const possible = level === 'campaigns' ? typesOfCampaign(row) : typesOfAdGroup(row, body);
          if (type === undefined && possible.length !== 1) {
            const names = possible.map((one) => kindName(level, one));
            throw new DocumentRefused(
              `the document does not tell of which type its ${what} are: name ${names.join(' or ')} by type`,
            );
          }
          const adType = type ?? possible[0]!;
          if (!possible.includes(adType)) {
            desk.reject(
              line,
              `is of ${adTypeNames[possible[0]!]}, but the document was said to be of ${adTypeNames[adType]}`,
            );
            return;
          }
          reader.object(
            level === 'campaigns' ? campaignOf(row, adType) : adGroupOf(row, adType),
            line,
          );
        },
      };
    },
  };
}

function kindName(level: Level, type: AdType | undefined): string {
  const of = type === undefined ? '' : `${type[0]}${type[1]!.toLowerCase()}`;
  return `ads${of}${level === 'campaigns' ? 'Campaign' : 'AdGroup'}List`;
}

function rowsIn(value: unknown, level: Level): readonly unknown[] | undefined {
  const rows = part(value, level);
  return Array.isArray(rows) ? rows : undefined;
}

function isOf(level: Level, row: Row | undefined): boolean {
  if (!row || !('campaignId' in row) || otherThings.some((name) => name in row)) return false;
  if (!('name' in row) && !('state' in row)) return false;
  return 'adGroupId' in row === (level === 'adGroups');
}

function typesOfCampaign(row: Row): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  const told = adTypes.filter((type) => tellingOfCampaigns[type].some((name) => name in row));
  if (told.length > 0) return told;
  if (part(row, 'bidding', 'strategy') !== undefined) return ['SP'];
  if (part(row, 'bidding', 'bidOptimization') !== undefined) return ['SB'];
  return 'costType' in row ? ['SB', 'SD'] : adTypes;
}

/** Of ad groups the default bid tells: those of brands have none, and only those of products come in a body with one. */
function typesOfAdGroup(row: Row, body: unknown): readonly AdType[] {
  const named = namedType(row);
  if (named) return [named];
  if (tellingOfAdGroups.SD.some((name) => name in row)) return ['SD'];
  if (!('defaultBid' in row)) return ['SB'];
  return body === undefined ? ['SP', 'SD'] : ['SP'];
}

function namedType(row: Row): AdType | undefined {
  const name = row.adProduct ?? row.campaignType;
  return typeof name === 'string' ? namedTypes[name.replaceAll('_', '').toLowerCase()] : undefined;
}

function campaignOf(row: Row, adType: AdType): Record<string, unknown> {
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
    startDate: isoDateOf(row.startDate ?? undefined),
    endDate: isoDateOf(row.endDate ?? undefined),
    // Of the others the words say something else: which goods an ad is shown beside, or what its bids aim at.
    ...(adType === 'SP' && {
      targetingType: row.targetingType ?? row.targetingSettings,
      biddingStrategy: strategyOf(strategy),
    }),
    costType: row.costType,
  };
}

/** Exports write strategies in words of their own. */
function strategyOf(strategy: unknown): unknown {
  if (typeof strategy !== 'string') return strategy;
  if (strategy.startsWith('SALES') && strategy.endsWith('DOWN_ONLY')) return 'legacyForSales';
  if (strategy.startsWith('SALES') && strategy.endsWith('UP_AND_DOWN')) return 'autoForSales';
  return strategy === 'NONE' ? 'manual' : strategy;
}

function adGroupOf(row: Row, adType: AdType): Record<string, unknown> {
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

/** The lists that are taken. */
export const adLists: readonly DocumentKind[] = (['campaigns', 'adGroups'] as const).flatMap(
  (level) => [undefined, ...adTypes].map((type) => list(level, type)),
);
