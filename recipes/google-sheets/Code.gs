/**
 * Sales, days and campaigns of all your stores as sheets, from the API of Vitrine.
 *
 * Script properties (Project Settings > Script Properties):
 *   VITRINE_URL   the address of the service, such as https://api.example.com
 *   VITRINE_KEY   an API key
 */

const DAYS = 30;
const CURRENCY = 'USD';
const ROWS_PER_PAGE = 100;
/** A list of campaigns takes no more. */
const STORES_PER_LIST = 5;
const ATTEMPTS = 4;
const ERROR_LENGTH = 300;
/** Sheets keeps fewer digits of a number. */
const DIGITS = 15;

/** Adds the menu to the spreadsheet. */
function onOpen() {
  SpreadsheetApp.getUi().createMenu('Vitrine').addItem('Refresh', 'refresh').addToUi();
}

/** Writes all sheets anew. A time-driven trigger may call it each morning. */
function refresh() {
  const book = SpreadsheetApp.getActive();
  const zone = book.getSpreadsheetTimeZone();
  const today = Utilities.formatDate(new Date(), zone, 'yyyy-MM-dd');
  const toDate = secondsOf(today, 0, zone) - 1;
  const fromDate = secondsOf(today, -DAYS, zone);
  const [titles, ...stores] = rowsOf('post', '/channels', { include: ['details'] });
  const of = (store, name) => store[titles.indexOf(name)];
  write(book, 'Stores', storeRows(fromDate, toDate, secondsOf(today, -2 * DAYS, zone), zone));
  const sellers = stores.filter((store) => of(store, 'kind') !== 'vendor');
  const days = sellers.map((store) => ({
    store: of(store, 'displayName'),
    rows: rowsOf('post', '/reports/view/salesByPeriod', {
      channelId: of(store, 'channelId'),
      merchantId: of(store, 'merchantId'),
      reportOptions: { fromDate, toDate, timezone: zone, interval: 'd' },
    }),
  }));
  write(book, 'Days', joined(days));
  const advertised = stores.filter((store) => of(store, 'hasAdvertisingConnected') === 'true');
  const channelIds = advertised.map((store) => of(store, 'channelId'));
  write(book, 'Campaigns', campaignRows(channelIds, fromDate, toDate));
}

/** A row per store of every page, in one currency, beside the days before. */
function storeRows(fromDate, toDate, priorFromDate, timezone) {
  const asked = {
    fromDate,
    toDate,
    priorFromDate,
    priorToDate: fromDate - 1,
    timezone,
    currentCurrency: CURRENCY,
    pageSize: ROWS_PER_PAGE,
  };
  return pagesOf((pageIndex) =>
    rowsOf('post', '/reports/view/salesByChannel', { ...asked, pageIndex }),
  );
}

/** A row per campaign of these stores, the titles once. */
function campaignRows(channelIds, fromDate, toDate) {
  let all = [];
  for (let first = 0; first < channelIds.length; first += STORES_PER_LIST) {
    const some = channelIds.slice(first, first + STORES_PER_LIST);
    const asked = some.map((channelId) => `channelId=${encodeURIComponent(channelId)}`).join('&');
    const range = `fromDate=${fromDate}&toDate=${toDate}&currency=${CURRENCY}`;
    const path = `/advertising/campaigns?${asked}&${range}&pageSize=${ROWS_PER_PAGE}`;
    const rows = pagesOf((page) => rowsOf('get', `${path}&pageIndex=${page}`));
    all = first === 0 ? rows : all.concat(rows.slice(1));
  }
  return all;
}

/** The second at which a date begins in a zone, moved by `days`. */
function secondsOf(date, days, zone) {
  const [year, month, day] = date.split('-').map(Number);
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  const text = Utilities.formatDate(moved, 'UTC', 'yyyy-MM-dd');
  return Utilities.parseDate(text, zone, 'yyyy-MM-dd').getTime() / 1000;
}

/** The rows of an answer, its titles first. */
function rowsOf(method, path, body) {
  return Utilities.parseCsv(ask(method, path, body));
}

/** The rows of all pages of a list, the titles once. */
function pagesOf(rowsOfPage) {
  let all = [];
  for (let page = 0; ; page++) {
    const rows = rowsOfPage(page);
    all = page === 0 ? rows : all.concat(rows.slice(1));
    if (rows.length <= ROWS_PER_PAGE) return all;
  }
}

/** Asks for CSV; waits where the service asks to. */
function ask(method, path, body) {
  const properties = PropertiesService.getScriptProperties();
  const url = properties.getProperty('VITRINE_URL').replace(/\/$/, '') + path;
  const options = {
    method,
    headers: { 'x-api-key': properties.getProperty('VITRINE_KEY'), accept: 'text/csv' },
    muteHttpExceptions: true,
    // A redirect would take the key to another host.
    followRedirects: false,
  };
  if (body !== undefined) {
    options.contentType = 'application/json';
    options.payload = JSON.stringify(body);
  }
  for (let attempt = 1; ; attempt++) {
    const response = UrlFetchApp.fetch(url, options);
    const status = response.getResponseCode();
    if (status === 200) return response.getContentText();
    const mayRepeat = status === 429 || status === 503;
    if (!mayRepeat || attempt === ATTEMPTS)
      throw new Error(`${status}: ${response.getContentText().slice(0, ERROR_LENGTH)}`);
    Utilities.sleep(Number(response.getHeaders()['Retry-After'] || 1) * 1000);
  }
}

/** The rows of several answers with the same columns, with the store in a column of its own. */
function joined(parts) {
  return parts.flatMap(({ store, rows: [titles, ...rows] }, place) => [
    ...(place === 0 ? [['store', ...titles]] : []),
    ...rows.map((row) => [store, ...row]),
  ]);
}

/** Writes rows into a sheet, in place of those before. */
function write(book, name, rows) {
  const sheet = book.getSheetByName(name) || book.insertSheet(name);
  sheet.clearContents();
  if (rows.length === 0) return;
  const values = rows.map((row) => row.map(cellOf));
  sheet.getRange(1, 1, values.length, values[0].length).setValues(values);
  sheet.setFrozenRows(1);
}

/** A number where the text is one, whatever the language of the sheet; never a formula. */
function cellOf(text) {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.length <= DIGITS;
  if (isNumber) return Number(text);
  return /^[=+]/.test(text) ? `'${text}` : text;
}
