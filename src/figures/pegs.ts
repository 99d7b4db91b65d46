/** Currencies pegged to the dollar; central banks publish no euro rates for them. */

/** The currency of the pegs. */
export const anchor = 'USD';

/** A fixed rate, and the law that sets it. */
export type Peg = { readonly perDollar: number; readonly source: string };

/** The pegs by currency, in units of the currency per dollar. */
export const pegs: ReadonlyMap<string, Peg> = new Map([
  ['AED', { perDollar: 3.6725, source: 'Central Bank of the UAE, since 1997: centralbank.ae' }],
  ['SAR', { perDollar: 3.75, source: 'Saudi Central Bank, since 1986: sama.gov.sa' }],
  ['QAR', { perDollar: 3.64, source: 'Qatar Central Bank, Decree 34 of 2001: qcb.gov.qa' }],
  ['OMR', { perDollar: 0.3845, source: 'Central Bank of Oman, since 1986: cbo.gov.om' }],
  ['BHD', { perDollar: 0.376, source: 'Central Bank of Bahrain, Decree 48 of 2001: cbb.gov.bh' }],
  ['JOD', { perDollar: 0.709, source: 'Central Bank of Jordan, since 1995: cbj.gov.jo' }],
]);
