/** Reports of a vendor's products: a row per ASIN, with the figures of both windows. */

import { questionFile } from '../../../engine/question.ts';
import { type Dated, readConversion } from '../../../report/conversion.ts';
import type { TypedColumn } from '../../../report/typedColumns.ts';
import type { ReportContext, Write } from './report.ts';
import {
  amountColumns,
  amountSums,
  type Compared,
  datesOf,
  type Periods,
  type WindowRow,
  writePages,
} from './windows.ts';

/** A product of a vendor. */
export type Asin = {
  /** Units of the period, which the rows are sorted by. */
  readonly row_units: number;
  readonly asin: string;
  readonly title: string;
  readonly brand: string;
};

/** The columns that name a product. */
export const asinColumns: readonly TypedColumn<Asin>[] = [
  { name: 'title', type: 'text', cell: ({ title }) => title },
  { name: 'asin', type: 'text', cell: ({ asin }) => asin },
  { name: 'brand', type: 'text', cell: ({ brand }) => brand },
];

/**
 * Selects the rows of a window, which meet the condition `within` on their `day`: `is_current`,
 * `asin`, `day`, `currency`, the counts and the amounts.
 */
type Select = (isCurrent: 0 | 1, within: string) => string;

/** The rows of a report, and the columns that it sums. */
export type AsinFacts = {
  readonly select: Select;
  readonly counts: readonly string[];
  readonly amounts: readonly string[];
  /** The count that rows are sorted by. */
  readonly units: string;
  /** The same rows with more columns: amounts, and columns of which sums are made, as SQL. */
  readonly more?: {
    readonly select: Select;
    readonly amounts: readonly string[];
    readonly sums: Readonly<Record<string, string>>;
  };
};

const current = 'day >= {first:Date} AND day <= {last:Date}';
const prior = 'day >= {priorFirst:Date} AND day <= {priorLast:Date}';

function inBoth(select: Select): string {
  return `${select(1, current)} UNION ALL ${select(0, prior)}`;
}

/** The questions of a report whose rows have these figures in each window. */
export function asinQuestions<Figures>({ select, counts, amounts, units, more }: AsinFacts) {
  const items = inBoth(select);
  const allAmounts = [...amounts, ...(more?.amounts ?? [])];
  const sums = more?.sums ?? {};
  const isPriced = amounts.map((name) => `${name} <> amount(0)`).join(' OR ');
  return {
    currencies: questionFile<Dated>(import.meta.url, 'asinCurrencies.sql', {
      items,
      priced: isPriced,
    }),
    products: questionFile<WindowRow<Asin, Figures>>(import.meta.url, 'asins.sql', {
      items,
      facts: more ? inBoth(more.select) : items,
      sortedBy: units,
      active: `${counts.map((name) => `${name} <> 0`).join(' OR ')} OR ${isPriced}`,
      sums: [
        ...counts.map((name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`),
        ...amountSums(allAmounts, 'day'),
        ...Object.entries(sums).map(([name, sum]) => `${sum} AS ${name}`),
      ],
      figures: [...counts, ...amountColumns(allAmounts), ...Object.keys(sums)],
    }),
  };
}

/** Writes all rows of a report, by pages of so many. */
export async function writeAsins<Figures>(
  questions: ReturnType<typeof asinQuestions<Figures>>,
  { most, none }: { readonly most: number; readonly none: Figures },
  { view = '', ...periods }: Periods & { readonly view?: string },
  { channel, warehouse, limits }: ReportContext,
  write: Write<Compared<Asin, Figures>>,
): Promise<void> {
  await warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
    const chosen = { channel: channel.channelNumber, ...datesOf(periods), view };
    const found = await ask(questions.currencies, chosen);
    const parameters = { ...chosen, ...(await readConversion(ask, channel, found)), most };
    await writePages(
      {
        most,
        start: { units: Number.MAX_SAFE_INTEGER, product: '' },
        read: (behind) => stream(questions.products, { ...parameters, ...behind }),
        behindOf: ({ row_units, asin }) => ({ units: row_units, product: asin }),
        isSame: (a, b) => a.asin === b.asin,
        none,
      },
      write,
    );
  });
}
