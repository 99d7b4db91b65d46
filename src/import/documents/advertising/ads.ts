/** Advertising figures, and the campaigns, ad groups and keywords that their documents imply. */
import { type AdSource, adReportOf } from '../../../../schema/warehouse/adReports.ts';
import { CellError } from '../../cells/fields.ts';
import type { SumShape } from '../../cells/sums.ts';
import { datasets } from '../../datasets/datasets.ts';
import type { ImportSession } from '../../session.ts';
import type { AdType } from './adTypes.ts';

/** The fields that are summed. */
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

/** How to add up the rows of each dataset of figures. */
export const adSums = {
  campaignDays: { key: ['date', 'campaignId'], figures },
  adGroupDays: { key: ['date', 'adGroupId'], figures },
  keywordDays: { key: ['date', 'keywordId'], figures },
  adProductDays: {
    key: ['date', 'productId', 'sku', 'adType', 'adGroupId', 'campaignId'],
    figures,
  },
} satisfies Record<string, SumShape>;

/** A dataset of advertising figures. */
export type AdFigures = keyof typeof adSums;

/** The partitions that a document of figures covers, by the subject of its rows. */
const partitions = {
  campaigns: { campaign_day: 'report' },
  placements: { campaign_day: 'placements' },
  adGroups: { ad_group_day: 'report' },
  keywords: { keyword_day: 'report', ad_group_day: 'targets', campaign_day: 'targets' },
  terms: { keyword_day: 'terms', ad_group_day: 'terms', campaign_day: 'terms' },
  products: { ad_product_day: 'report' },
} as const satisfies Record<string, Readonly<Record<string, AdSource>>>;

/** Declares that a document covers the days of a type of advertising for its subject. */
export function coverAdDays(
  session: ImportSession,
  rows: keyof typeof partitions,
  type: AdType,
): void {
  for (const [table, source] of Object.entries<AdSource>(partitions[rows]))
    session.coverPartition(table, adReportOf(type, source));
}

type Inferred = {
  readonly date: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly line: number;
};

/** The datasets of entities, with the fields of their id and their name. */
const entities = {
  campaigns: { id: 'campaignId', name: 'name' },
  adGroups: { id: 'adGroupId', name: 'name' },
  keywords: { id: 'keywordId', name: 'keywordText' },
} as const;

/** A dataset of entities with figures. */
export type Entities = keyof typeof entities;

/**
 * The maximum number of campaigns, ad groups and keywords that a document may imply. More need
 * their own list.
 */
const inferredMax = 200_000;

/** Campaigns, ad groups and keywords inferred from rows of figures: one row each, as of its latest date. */
export class InferredEntities {
  readonly #session: ImportSession;
  readonly #rows = {
    campaigns: new Map<string, Inferred>(),
    adGroups: new Map<string, Inferred>(),
    keywords: new Map<string, Inferred>(),
  };

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /**
   * Notes an entity, in the fields of its dataset, as of that date. Ignores entities without a
   * name.
   */
  note(
    dataset: Entities,
    date: string,
    fields: Readonly<Record<string, unknown>>,
    line: number,
  ): void {
    const { id: idField, name: nameField } = entities[dataset];
    const { [idField]: id, [nameField]: name } = fields;
    if (id === undefined || typeof name !== 'string' || name === '') return;
    const rows = this.#rows[dataset];
    const known = rows.get(String(id));
    if (known ? known.date > date : rows.size >= inferredMax) return;
    rows.set(String(id), { date, fields, line });
  }

  /** Stages them without their unreadable fields. */
  stage(): void {
    for (const dataset of Object.keys(entities) as Entities[]) {
      const reader = this.#session.inferred(dataset);
      const known = datasets[dataset]!.fields;
      for (const { fields, line } of this.#rows[dataset].values()) {
        const readable = Object.entries(fields).filter(
          ([name, value]) => !(known[name]!.type.read(value) instanceof CellError),
        );
        const row = Object.fromEntries(readable);
        if (row[entities[dataset].name] !== undefined) reader.object(row, line);
      }
    }
  }
}
