/**
 * A community connector: sales, traffic and advertising of all your seller stores by day, from the
 * API of Vitrine. Looker Studio asks for the address of the service (the path) and an API key.
 */

const ATTEMPTS = 4;
const ERROR_LENGTH = 300;

/** The fields that are figures, by their names in salesByPeriod. */
const FIGURES = {
  sales: 'Sales',
  unitsSold: 'Units',
  lineItemCount: 'Line items',
  pageViews: 'Page views',
  totalSessions: 'Sessions',
  adSpend: 'Ad spend',
  adSales: 'Ad sales',
};

function getAuthType() {
  const connector = DataStudioApp.createCommunityConnector();
  return connector
    .newAuthTypeResponse()
    .setAuthType(connector.AuthType.PATH_KEY)
    .build();
}

function setCredentials(request) {
  const { path, key } = request.pathKey;
  const found = fetched('post', `${path.replace(/\/$/, '')}/channels`, key, {});
  if (found.getResponseCode() !== 200) return { errorCode: 'INVALID_CREDENTIALS' };
  PropertiesService.getUserProperties().setProperties({
    'vitrine.url': path.replace(/\/$/, ''),
    'vitrine.key': key,
  });
  return { errorCode: 'NONE' };
}

function isAuthValid() {
  return PropertiesService.getUserProperties().getProperty('vitrine.key') !== null;
}

function resetAuth() {
  const properties = PropertiesService.getUserProperties();
  properties.deleteProperty('vitrine.url');
  properties.deleteProperty('vitrine.key');
}

function isAdminUser() {
  return false;
}

function getConfig() {
  const config = DataStudioApp.createCommunityConnector().getConfig();
  config
    .newInfo()
    .setId('about')
    .setText('Days are those of each store, amounts are in its currency.');
  config.setDateRangeRequired(true);
  return config.build();
}

function getSchema() {
  return { schema: fields().build() };
}

function getData(request) {
  const ids = request.fields.map(({ name }) => name);
  const rows = sellers().flatMap((store) => rowsOf(store, request.dateRange, ids));
  return { schema: fields().forIds(ids).build(), rows: rows.map((values) => ({ values })) };
}

function fields() {
  const connector = DataStudioApp.createCommunityConnector();
  const { FieldType, AggregationType } = connector;
  const all = connector.getFields();
  all.newDimension().setId('store').setName('Store').setType(FieldType.TEXT);
  all.newDimension().setId('date').setName('Date').setType(FieldType.YEAR_MONTH_DAY);
  all.newDimension().setId('currency').setName('Currency').setType(FieldType.TEXT);
  for (const [id, name] of Object.entries(FIGURES))
    all
      .newMetric()
      .setId(id)
      .setName(name)
      .setType(FieldType.NUMBER)
      .setAggregation(AggregationType.SUM);
  all.setDefaultDimension('date');
  all.setDefaultMetric('sales');
  return all;
}

/** The stores of sellers, with the zone of their days. */
function sellers() {
  const channels = recordsOf('/channels', { include: ['details'] });
  return channels.filter((channel) => channel.kind !== 'vendor');
}

/** A row of values per day of a store, in the order of the asked fields. */
function rowsOf({ channelId, merchantId, displayName, timezone }, { startDate, endDate }, ids) {
  const days = recordsOf('/reports/view/salesByPeriod', {
    channelId,
    merchantId,
    reportOptions: {
      fromDate: secondsOf(startDate, 0, timezone),
      toDate: secondsOf(endDate, 1, timezone) - 1,
      timezone,
      interval: 'd',
    },
  });
  return days.map((day) => {
    const cells = {
      store: displayName,
      date: day.startTime.slice(0, 10).replaceAll('-', ''),
      currency: day.currency,
    };
    return ids.map((id) => (id in cells ? cells[id] : Number(day[id])));
  });
}

/** The second at which a date begins in a zone, moved by `days`. */
function secondsOf(date, days, zone) {
  const [year, month, day] = date.split('-').map(Number);
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  const text = Utilities.formatDate(moved, 'UTC', 'yyyy-MM-dd');
  return Utilities.parseDate(text, zone, 'yyyy-MM-dd').getTime() / 1000;
}

/** The rows of an answer by the names of its columns. */
function recordsOf(path, body) {
  const properties = PropertiesService.getUserProperties();
  const [url, key] = ['vitrine.url', 'vitrine.key'].map((name) => properties.getProperty(name));
  const [titles, ...rows] = Utilities.parseCsv(ask(url + path, key, body));
  return rows.map((row) => Object.fromEntries(titles.map((title, place) => [title, row[place]])));
}

/** Asks for CSV; waits where the service asks to. */
function ask(url, key, body) {
  for (let attempt = 1; ; attempt++) {
    const response = fetched('post', url, key, body);
    const status = response.getResponseCode();
    if (status === 200) return response.getContentText();
    const mayRepeat = status === 429 || status === 503;
    if (!mayRepeat || attempt === ATTEMPTS)
      DataStudioApp.createCommunityConnector()
        .newUserError()
        .setText(`Vitrine answered ${status}.`)
        .setDebugText(response.getContentText().slice(0, ERROR_LENGTH))
        .throwException();
    Utilities.sleep(Number(response.getHeaders()['Retry-After'] || 1) * 1000);
  }
}

function fetched(method, url, key, body) {
  return UrlFetchApp.fetch(url, {
    method,
    headers: { 'x-api-key': key, accept: 'text/csv' },
    contentType: 'application/json',
    payload: JSON.stringify(body),
    muteHttpExceptions: true,
    // A redirect would take the key to another host.
    followRedirects: false,
  });
}
