/** Advertising by day: campaigns, ad groups, keywords, product ads and products. */
import { merchantParts } from '../../../../access/channels.ts';
import { isoDate, localDay } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Row } from '../../../../engine/warehouse.ts';
import { columnsOf, type Metrics, type Places } from '../../../../figures/metrics.ts';
import { currencyPlaces } from '../../../../figures/money.ts';
import { summedAndConverted, summedColumns } from '../../../../figures/sql.ts';
import { type Dated, readChannelConversion } from '../../../../report/conversion.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import { webAddress } from '../../../../report/webAddress.ts';
import { metricCell, metricDigits, sumCell } from '../cells.ts';
import type { Archive, Report, Table } from '../report.ts';
import { type AdTable, adTables, productTable } from './tables.ts';

/** A row of a table: its day, its texts and setting by name, and its sums. */
type AdRow = Row & { readonly day: number };

/** The texts that are dates. */
const dates = ['start_date', 'end_date'];
/** The days of one question: the fewer days, the fewer rows it sorts. */
const daysPerQuestion = 7;

/** A table of an archive, or the only table of a report. */
function tableOf(definition: AdTable): Table<'campaigns', AdRow> {
  const { figures, metrics } = definition;
  const columns = columnsOf<Metrics>(metrics);
  const currencies = questionFile<Dated>(import.meta.url, 'currencies.sql', {
    table: figures,
  });
  const days = questionFile<AdRow>(import.meta.url, definition.days, {
    sums: summedAndConverted(columns),
    summed: summedColumns(columns).map((name) => `sums.${name} AS ${name}`),
  });
  return {
    columns: (_, channel) => csvColumns(definition, channel),
    async rows({ fromDate, toDate, timezone }, { channel, warehouse, limits }, write) {
      const { channelNumber } = channel;
      await warehouse.read([0, channelNumber], limits, async (ask, stream) => {
        const range = { first: localDay(timezone, fromDate), last: localDay(timezone, toDate) };
        const found = await ask(currencies, { channel: channelNumber, ...range });
        if (found.length === 0) return;
        const conversion = await readChannelConversion(ask, channel, found);
        const last = Math.max(...found.map((one) => one.last));
        for (let first = Math.min(...found.map((one) => one.first)); first <= last; ) {
          const until = Math.min(last, first + daysPerQuestion - 1);
          const parameters = { channel: channelNumber, first, last: until, ...conversion };
          for await (const rows of stream(days, parameters)) await write(rows);
          first = until + 1;
        }
      });
    },
  };
}

function csvColumns(
  { names, metrics, setting }: AdTable,
  { channelId, merchantId, currency }: { channelId: string; merchantId: string; currency: string },
): TypedColumn<AdRow>[] {
  const amount = currencyPlaces(currency);
  const places: Places = { amount, unitPrice: Math.max(2, amount) };
  const { sellerId, marketplaceId } = merchantParts(merchantId);
  const constants: Readonly<Record<string, string>> = { channel_id: channelId };
  const columns = names.map((name): TypedColumn<AdRow> => {
    const metric = metrics[name];
    if (metric) {
      const digits = metricDigits(metric, places);
      const cell = (row: AdRow) => metricCell(metric, row as never, places);
      return { name, type: 'number', digits, cell };
    }
    if (name === setting) {
      const cell = (row: AdRow) => settingCell(row[name], amount);
      return { name, type: 'number', digits: amount, cell };
    }
    const isAddress = name === 'image_url' || name === 'link_url';
    const cell = (row: AdRow) => {
      const text = constants[name] ?? (row[name] as string);
      return isAddress ? webAddress(text) : text;
    };
    return { name, type: 'text', ...(dates.includes(name) && { isDate: true }), cell };
  });
  return [
    ...columns,
    { name: 'seller_id', type: 'text', cell: () => sellerId },
    { name: 'marketplace_id', type: 'text', cell: () => marketplaceId },
    { name: 'report_date', type: 'text', isDate: true, cell: ({ day }) => isoDate(day) },
  ];
}

function settingCell(value: unknown, places: number): string {
  return sumCell({ exact: value as bigint, converted: 0 }, places);
}

/** All data of the advertising lists, by day. */
export const campaigns: Archive<'campaigns'> = {
  reportType: 'campaigns',
  channelKind: 'advertised',
  tables: Object.fromEntries(
    Object.entries(adTables).map(([name, definition]) => [name, tableOf(definition)]),
  ),
};

/** Advertised products by day. */
export const marketingByProduct: Report<'marketingByProduct', AdRow> = {
  reportType: 'marketingByProduct',
  channelKind: 'advertised',
  ...tableOf(productTable),
};
