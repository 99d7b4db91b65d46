/**
 * drizzle-cube on DuckDB, set up as its documentation describes: cubes over Drizzle tables, its
 * Fastify plugin, and the pool of connections of drizzle-neo-duckdb. `node drizzleCube.mjs DATABASE
 * [CACHE_SECONDS]`
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { createDuckDBConnectionPool, drizzle } from '@leonardovida-md/drizzle-neo-duckdb';
import { cubePlugin } from 'drizzle-cube/adapters/fastify';
import { defineCube, MemoryCacheProvider } from 'drizzle-cube/server';
import { ne } from 'drizzle-orm';
import { bigint, date, integer, numeric, pgTable, text } from 'drizzle-orm/pg-core';
import Fastify from 'fastify';

process.on('disconnect', () => process.exit());
const [database, cacheSeconds = '0'] = process.argv.slice(2);
const channel = () => integer('channel').notNull();
const number = (name) => bigint(name, { mode: 'number' }).notNull();
const amount = (name) => numeric(name, { precision: 18, scale: 2 }).notNull();
const orderLine = pgTable('order_line', {
  channel: channel(),
  day: date('day').notNull(),
  status: text('status').notNull(),
  units: number('units'),
  sales: amount('sales'),
});
const salesDay = pgTable('sales_day', {
  channel: channel(),
  day: date('day').notNull(),
  lineItems: number('line_items'),
  units: number('units'),
  sales: amount('sales'),
  pageViews: number('page_views'),
  sessions: number('sessions'),
  impressions: number('impressions'),
  clicks: number('clicks'),
  adSpend: amount('ad_spend'),
  adSales: amount('ad_sales'),
});
const campaignDay = pgTable('campaign_day', {
  channel: channel(),
  day: date('day').notNull(),
  campaignId: text('campaign_id').notNull(),
  impressions: number('impressions'),
  clicks: number('clicks'),
  cost: amount('cost'),
  sales: amount('sales'),
});

const dimensions = (table) => ({
  channel: { name: 'channel', type: 'number', sql: table.channel },
  day: { name: 'day', type: 'time', sql: table.day },
});
const sum = (name, sql) => ({ name, type: 'sum', sql });
const sums = (table, names) =>
  Object.fromEntries(names.map((name) => [name, sum(name, table[name])]));
const cubes = [
  defineCube('SalesFacts', {
    sql: () => ({ from: orderLine, where: ne(orderLine.status, 'Canceled') }),
    dimensions: dimensions(orderLine),
    measures: {
      lineItems: { name: 'lineItems', type: 'count', sql: orderLine.channel },
      units: sum('units', orderLine.units),
      sales: sum('sales', orderLine.sales),
    },
  }),
  defineCube('SalesSums', {
    sql: () => ({ from: salesDay }),
    dimensions: dimensions(salesDay),
    measures: sums(salesDay, [
      ...['lineItems', 'units', 'sales', 'pageViews', 'sessions', 'impressions', 'clicks'],
      ...['adSpend', 'adSales'],
    ]),
  }),
  defineCube('Campaigns', {
    sql: () => ({ from: campaignDay }),
    dimensions: {
      ...dimensions(campaignDay),
      campaignId: { name: 'campaignId', type: 'string', sql: campaignDay.campaignId },
    },
    measures: sums(campaignDay, ['impressions', 'clicks', 'cost', 'sales']),
  }),
];

// One thread a statement, as in the service: on two cores more threads delay one another.
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY', threads: '1' });
const pool = createDuckDBConnectionPool(instance, { size: 8, maxWaitingRequests: 200 });
const app = Fastify();
await app.register(cubePlugin, {
  cubes,
  drizzle: drizzle(pool, { schema: { orderLine, salesDay, campaignDay } }),
  schema: { orderLine, salesDay, campaignDay },
  engineType: 'duckdb',
  extractSecurityContext: () => ({ organisationId: 'bench' }),
  mcp: { enabled: false },
  ...(cacheSeconds !== '0' && {
    cache: { provider: new MemoryCacheProvider(), defaultTtlMs: Number(cacheSeconds) * 1000 },
  }),
});
process.send(await app.listen({ host: '127.0.0.1', port: 0 }));
