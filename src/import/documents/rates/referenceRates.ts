/** The euro reference rates of the European Central Bank: a row per date, a column per currency. */
import { tableDocument } from '../table.ts';

/** The ECB's history of reference rates, as CSV or in its zip archive. */
export const referenceRates = tableDocument({
  name: 'referenceRates',
  about: "The ECB's history of euro reference rates (CSV, or its zip archive)",
  tables: ['exchangeRates'],
  ofChannel: false,
  isQuoted: true,
  isCutOffIfShort: true,
  columns: {},
  recognises: (_, [first, ...others]) =>
    first === 'Date' && others.filter((name) => /^[A-Z]{3}$/.test(name.trim())).length >= 5,
  open(session) {
    const rates = session.rows('publishedRates');
    return {
      row(_, line, record) {
        for (const [name, rate] of Object.entries(record)) {
          const [currency, perEuro] = [name.trim(), rate.trim()];
          // Days without a rate have N/A.
          if (currency === 'Date' || currency === '' || perEuro === '' || perEuro === 'N/A')
            continue;
          rates.object({ date: record.Date, currency, perEuro }, line);
        }
      },
    };
  },
});
