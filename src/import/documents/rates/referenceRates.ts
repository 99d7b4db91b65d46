/** The history of the European Central Bank's euro reference rates: a date a row, a currency a column, `N/A` where there is no rate. */
import type { DocumentKind } from '../kind.ts';

/** The ECB's history of reference rates, as CSV or in its zip archive. */
export const referenceRates: DocumentKind = {
  name: 'referenceRates',
  about: "The ECB's history of euro reference rates (CSV, or its zip archive)",
  tables: ['exchangeRates'],
  ofChannel: false,
  recognisesHeader: (names) =>
    names[0] === 'Date' &&
    names.slice(1).filter((name) => /^[A-Z]{3}$/.test(name.trim())).length >= 5,
  read: (desk) => {
    const rates = desk.rows('exchangeRates');
    return {
      record(cells, line) {
        for (const name in cells) {
          const currency = name.trim();
          const perEuro = cells[name]!.trim();
          if (currency === 'Date' || currency === '' || perEuro === '' || perEuro === 'N/A')
            continue;
          rates.object({ date: cells.Date, currency, perEuro }, line);
        }
      },
    };
  },
};
