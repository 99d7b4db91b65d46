/**
 * hypequery on ClickHouse, set up as its documentation describes: queries of its builder behind its
 * own server for Node.js. `node hypequery.mjs CLICKHOUSE_URL PORT [CACHE_SECONDS]`
 */
import { createQueryBuilder, logger, MemoryCacheProvider } from '@hypequery/clickhouse';
import { initServe, startNodeServer } from '@hypequery/serve';
import { z } from 'zod';

process.on('disconnect', () => process.exit());
const [address, port, cacheSeconds = '0'] = process.argv.slice(2);
// Logging a question would cost more than the question.
logger.configure({ enabled: false });
const { origin, username, password, pathname } = new URL(address);
const milliseconds = Number(cacheSeconds) * 1000;
const db = createQueryBuilder({
  url: origin,
  username,
  password,
  database: pathname.slice(1),
  ...(milliseconds > 0 && {
    cache: {
      mode: 'cache-first',
      ttlMs: milliseconds,
      provider: new MemoryCacheProvider({ maxEntries: 10_000 }),
    },
  }),
});

const input = z.object({ channel: z.number(), first: z.string(), last: z.string() });
const ofRange = (table, { channel, first, last }) =>
  db.table(table).where('channel', 'eq', channel).where('day', 'between', [first, last]);
const { query, serve } = initServe({ context: () => ({ db }) });
const api = serve({
  queries: {
    salesFacts: query({
      input,
      method: 'POST',
      query: ({ input }) =>
        ofRange('order_line', input)
          .where('status', 'neq', 'Canceled')
          .select(['day'])
          .count('channel', 'line_items')
          .sum('units', 'units')
          .sum('sales', 'sales')
          .groupBy(['day'])
          .orderBy('day', 'ASC')
          .execute(),
    }),
    salesSums: query({
      input,
      method: 'POST',
      query: ({ input }) =>
        ofRange('sales_day', input)
          .select([
            ...['day', 'line_items', 'units', 'sales', 'page_views', 'sessions'],
            ...['impressions', 'clicks', 'ad_spend', 'ad_sales'],
          ])
          .orderBy('day', 'ASC')
          .execute(),
    }),
    campaigns: query({
      input,
      method: 'POST',
      query: ({ input }) =>
        ofRange('campaign_day', input)
          .select(['campaign_id'])
          .sum('impressions', 'impressions')
          .sum('clicks', 'clicks')
          .sum('cost', 'cost')
          .sum('sales', 'sales')
          .groupBy(['campaign_id'])
          .orderBy('cost', 'DESC')
          .limit(50)
          .execute(),
    }),
  },
});
for (const name of ['salesFacts', 'salesSums', 'campaigns'])
  api.route(`/${name}`, api.queries[name], { method: 'POST' });
await startNodeServer(api.handler, { port: Number(port), hostname: '127.0.0.1', quiet: true });
process.send(`http://127.0.0.1:${port}`);
