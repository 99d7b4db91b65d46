/** What the documents about advertising share: types of advertising, figures, and what they tell of campaigns by the way. */

import { CellError } from '../../cells/fields.ts';
import type { SumShape } from '../../cells/sums.ts';
import { datasets } from '../../datasets/datasets.ts';
import type { Desk } from '../kind.ts';

/** A type of advertising: Sponsored Products, Sponsored Brands or Sponsored Display. */
export type AdType = 'SP' | 'SB' | 'SD';

/** Every type. */
export const adTypes: readonly AdType[] = ['SP', 'SB', 'SD'];

/** The types as they are spoken of. */
export const adTypeNames: Readonly<Record<AdType, string>> = {
  SP: 'Sponsored Products',
  SB: 'Sponsored Brands',
  SD: 'Sponsored Display',
};

/** The fields of advertising figures that are added up. */
const figures = [
  'impressions',
  'clicks',
  'cost',
  'sales',
  'salesSameSku',
  'conversions',
  'conversionsSameSku',
  'units',
  'unitsSameSku',
  'ordersNtb',
  'unitsNtb',
  'salesNtb',
  'detailPageViews',
];

/** What stands for one row in each dataset of figures. */
export const adSums = {
  campaignDays: { key: ['date', 'campaignId'], figures },
  adGroupDays: { key: ['date', 'adGroupId'], figures },
  adProductDays: { key: ['date', 'productId', 'sku', 'adType'], figures },
} satisfies Record<string, SumShape>;

/** A dataset of advertising figures. */
export type AdFigures = keyof typeof adSums;

/** The table that each of them feeds. */
export const adTables: Readonly<Record<AdFigures, string>> = {
  campaignDays: 'campaign_day',
  adGroupDays: 'ad_group_day',
  adProductDays: 'ad_product_day',
};

type Told = {
  readonly date: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly line: number;
};

/** How many campaigns and how many ad groups a document may tell of by the way: those beyond wait for their list. */
const toldMax = 200_000;

/** Campaigns and ad groups that rows of figures tell of by the way: one row for each, in the words of the latest date. */
export class ToldByTheWay {
  readonly #desk: Desk;
  readonly #told = { campaigns: new Map<string, Told>(), adGroups: new Map<string, Told>() };

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Takes what a row of that date tells, in the fields of the dataset. Without a name nothing is told; what cannot be read is left out. */
  tell(
    dataset: 'campaigns' | 'adGroups',
    date: string,
    fields: Readonly<Record<string, unknown>>,
    line: number,
  ): void {
    const id = fields[dataset === 'campaigns' ? 'campaignId' : 'adGroupId'];
    if (id === undefined || typeof fields.name !== 'string' || fields.name === '') return;
    const told = this.#told[dataset];
    const known = told.get(String(id));
    if (known ? known.date > date : told.size >= toldMax) return;
    told.set(String(id), { date, fields, line });
  }

  /** Stages them. */
  stage(): void {
    for (const dataset of ['campaigns', 'adGroups'] as const) {
      const reader = this.#desk.byTheWay(dataset);
      const known = datasets[dataset]!.fields;
      for (const { fields, line } of this.#told[dataset].values()) {
        const readable = Object.entries(fields).filter(
          ([name, value]) => !(known[name]!.type.read(value) instanceof CellError),
        );
        const row = Object.fromEntries(readable);
        if (row.name !== undefined) reader.object(row, line);
      }
    }
  }
}

/** The first of those columns that the row has. */
export function firstOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) if (row[name] !== undefined && row[name] !== null) return row[name];
  return undefined;
}

/** A JSON object, undefined where the value is none. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
