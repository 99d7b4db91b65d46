/** The columns of the tables of advertising. */
import { countryAlpha2 } from '../../contract/countries.ts';
import { Change, changeOf } from '../parts/change.tsx';
import type { Column, Sort } from '../parts/table.tsx';
import { amount, count, none, percent } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import { AcosMeter } from './meter.tsx';
import { type AdRow, added, type Part, ratiosOf, type Sums } from './parts.ts';
import { AcosTrend, trendDays } from './trends.tsx';

/** A column that can be sorted by and written as CSV. */
export type AdColumn = Column<AdRow> & {
  /** Undefined where a cell holds more than one value. */
  readonly value: ((row: AdRow) => string | number | undefined) | undefined;
};

/** The circumstances of the columns. */
export type ColumnContext = {
  readonly part: Part;
  readonly currency: string;
  readonly stores: readonly Store[];
  readonly hasPrior: boolean;
  /** The ACOS that others are measured by. */
  readonly target: number | undefined;
  /** The address of what lies below a row; undefined where there is nothing. */
  readonly hrefOf: (row: AdRow) => string | undefined;
};

const ratio = new Intl.NumberFormat(navigator.language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const multiple = (value: number | undefined) => (value === undefined ? none : ratio.format(value));
const amountNames: Readonly<Record<Part, string | undefined>> = {
  campaigns: 'Budget',
  'ad-groups': 'Default bid',
  keywords: 'Bid',
  products: undefined,
};
const firstNames: Readonly<Record<Part, string>> = {
  campaigns: 'Campaign',
  'ad-groups': 'Ad group',
  keywords: 'Keyword',
  products: 'Product',
};

/** A column of figures that are made of sums; its total is made of the sums of all rows. */
type Figure = {
  readonly id: string;
  readonly name: string;
  readonly isShown?: boolean;
  readonly of: (sums: Sums) => number | undefined;
  readonly write: (value: number | undefined) => string;
};

/** The columns of a part; `rows` are those that its total adds up. */
export function columnsOf(context: ColumnContext, rows: readonly AdRow[]): AdColumn[] {
  const { part, currency, hasPrior } = context;
  const total = added(rows.map(({ sums }) => sums));
  const priorTotal = hasPrior
    ? added(rows.flatMap(({ prior }) => (prior ? [prior] : [])))
    : undefined;
  const inMoney = (value: number | undefined) => amount(value, currency);
  const figure = ({ id, name, isShown = true, of, write }: Figure): AdColumn => ({
    id,
    name,
    isShown,
    isNumber: true,
    value: (row) => of(row.sums),
    cell: (row) => write(of(row.sums)),
    total: write(of(total)),
  });
  const change = (column: Omit<ChangeColumn, 'total' | 'priorTotal'>): AdColumn[] =>
    hasPrior ? [changeColumn({ ...column, total, priorTotal })] : [];
  const acosOf = (sums: Sums) => ratiosOf(sums).acos;
  const statusColumn: AdColumn = {
    id: 'status',
    name: 'Status',
    isShown: false,
    value: ({ status }) => status,
    cell: ({ status }) => status || none,
  };
  return [
    nameColumn(context, rows.length),
    figure({ id: 'spend', name: 'Spend', of: ({ spend }) => spend, write: inMoney }),
    ...change({
      id: 'spendChange',
      fullName: 'Change of spend',
      of: ({ spend }) => spend,
      isRatio: false,
    }),
    {
      ...figure({ id: 'acos', name: 'ACOS', of: acosOf, write: percent }),
      name: context.target === undefined ? 'ACOS' : 'ACOS against target',
      cell: ({ sums }) => (
        <>
          <AcosMeter acos={acosOf(sums)} target={context.target} hasSpend={sums.spend > 0} />
          <span class="aligned">{percent(acosOf(sums))}</span>
        </>
      ),
    },
    ...change({ id: 'acosChange', fullName: 'Change of ACOS', of: acosOf, isRatio: true }),
    trendColumn,
    figure({ id: 'sales', name: 'Ad sales', of: ({ sales }) => sales, write: inMoney }),
    figure({ id: 'roas', name: 'ROAS', of: (sums) => ratiosOf(sums).roas, write: multiple }),
    figure({ id: 'clicks', name: 'Clicks', of: ({ clicks }) => clicks, write: count }),
    figure({
      id: 'cpc',
      name: 'CPC',
      of: (sums) => ratiosOf(sums).costPerClick,
      write: inMoney,
    }),
    figure({
      id: 'conversion',
      name: 'Conversion',
      of: (sums) => ratiosOf(sums).conversion,
      write: percent,
    }),
    ...amountColumn(amountNames[part], inMoney),
    ...hiddenFigures.map(figure),
    ...(part === 'products' ? [] : [statusColumn]),
  ];
}

const hidden = (figure: Omit<Figure, 'isShown'>): Figure => ({ ...figure, isShown: false });
const hiddenFigures: readonly Figure[] = [
  hidden({ id: 'orders', name: 'Orders', of: ({ orders }) => orders, write: count }),
  hidden({ id: 'units', name: 'Units', of: ({ units }) => units, write: count }),
  hidden({
    id: 'impressions',
    name: 'Impressions',
    of: ({ impressions }) => impressions,
    write: count,
  }),
  hidden({
    id: 'ctr',
    name: 'Click-through',
    of: (sums) => ratiosOf(sums).clickThrough,
    write: (value) => percent(value, 2),
  }),
];

function nameColumn({ part, stores, hrefOf }: ColumnContext, rows: number): AdColumn {
  const countryOf = new Map(
    stores.map(({ channelId, countryCode }) => [channelId, countryAlpha2(countryCode)]),
  );
  return {
    id: 'name',
    name: firstNames[part],
    value: ({ name }) => name,
    cell: (row) => {
      const href = hrefOf(row);
      const words = (
        <>
          <span class="country">{countryOf.get(row.channelId)}</span>
          <span>
            {row.name}
            {row.under && <small>{row.under}</small>}
          </span>
        </>
      );
      return href === undefined ? (
        <span class="name">{words}</span>
      ) : (
        <a class="name" href={href}>
          {words}
        </a>
      );
    },
    total: `All ${count(rows)}`,
  };
}

const trendColumn: AdColumn = {
  id: 'trend',
  name: `${trendDays}-day ACOS`,
  isNumber: true,
  isSortable: false,
  value: undefined,
  cell: (row) => <AcosTrend row={row} />,
};

function amountColumn(
  name: string | undefined,
  write: (value: number | undefined) => string,
): AdColumn[] {
  if (name === undefined) return [];
  const value = (row: AdRow) => row.amount;
  return [
    { id: 'amount', name, isNumber: true, value, cell: (row) => write(row.amount || undefined) },
  ];
}

type ChangeColumn = {
  readonly id: string;
  readonly fullName: string;
  readonly of: (sums: Sums) => number | undefined;
  readonly isRatio: boolean;
  readonly total: Sums;
  readonly priorTotal: Sums | undefined;
};

function changeColumn(column: ChangeColumn): AdColumn {
  const { id, fullName, of, isRatio, total, priorTotal } = column;
  const unit = isRatio ? 'percent' : 'amount';
  const meaning = isRatio ? 'bad' : 'neither';
  const shown = (sums: Sums, prior: Sums | undefined) => (
    <Change value={of(sums)} prior={prior && of(prior)} unit={unit} meaning={meaning} />
  );
  return {
    id,
    name: 'Change',
    fullName,
    isNumber: true,
    value: ({ sums, prior }) => changeOf(of(sums), prior && of(prior), unit),
    cell: ({ sums, prior }) => shown(sums, prior),
    total: shown(total, priorTotal),
  };
}

/** Sorts rows by a column; rows without a value come last. */
export function sorted(
  rows: readonly AdRow[],
  columns: readonly AdColumn[],
  { by, isDescending }: Sort,
): readonly AdRow[] {
  const { value = columns[0]!.value! } = columns.find(({ id }) => id === by) ?? {};
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === undefined || b === undefined)
      return a === b ? one.key.localeCompare(other.key) : a === undefined ? 1 : -1;
    const order =
      typeof a === 'string'
        ? a.localeCompare(String(b), undefined, { sensitivity: 'base' })
        : a - (b as number);
    return order === 0 ? one.key.localeCompare(other.key) : sign * order;
  });
}
