/** Values shared by the examples of contracts; the demonstration answers them. */

/** A seller channel. */
export const exampleChannel = {
  channelId: 'northwind-us',
  merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER',
};

/** A vendor channel. */
export const exampleVendorChannel = {
  channelId: 'northwind-vendor-us',
  merchantId: 'NWOUT @ ATVPDKIKX0DER',
};

/** An identifier that the service made. */
export const exampleId = '2b4c6241-3c58-43a1-9155-34f1ea4e1285';

/** October 2026 in the calendar of that seller. */
export const exampleMonth = { fromDate: 1790838000, toDate: 1793516399 };

/** September 2026 in that calendar. */
export const examplePriorMonth = { priorFromDate: 1788246000, priorToDate: 1790837999 };

/** The time zone of that seller. */
export const exampleZone = { timezone: 'America/Los_Angeles' };
