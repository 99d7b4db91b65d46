/**
 * PostGraphile on PostgreSQL, set up as its documentation describes: the Amber preset over the
 * tables, functions for sums, and its server for Node.js. `node postgraphile.mjs DATABASE_URL`
 */
import { createServer } from 'node:http';
import { grafserv } from 'grafserv/node';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

process.on('disconnect', () => process.exit());
const [connectionString] = process.argv.slice(2);
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafserv: { watch: false, graphiql: false },
  grafast: { explain: false },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
