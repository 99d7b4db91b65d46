// The layers, from the ground up, and the other rules of the house. Each rule says why.
const drivers =
  '^(node:sqlite|pg|kysely|@duckdb/|@clickhouse/)|node_modules/(pg|@duckdb|@clickhouse)/';
const tests = '\\.test\\.ts$';

/** Each room may import itself and the rooms before it, but none in its own line. */
const layers = [
  ['calendar'],
  ['observation'],
  ['contract'],
  ['figures'],
  ['engine'],
  ['files', 'jobs'],
  ['access'],
  ['webhooks'],
  ['report', 'import', 'backup'],
  ['schedules'],
  ['endpoints'],
  ['assistant'],
  ['http', 'watch'],
];

const pathOf = (rooms) => `^src/(${rooms.join('|')})/`;
const rulesOfLayers = layers.flatMap((rooms, index) =>
  rooms.map((room) => ({
    name: `${room}-imports-downwards`,
    comment: `Imports run one way: ${room} can be read, tested and changed on its own.`,
    severity: 'error',
    from: { path: pathOf([room]), pathNot: tests },
    to: {
      path: '^src/',
      pathNot: `${pathOf([room, ...layers.slice(0, index).flat()])}|^src/config\\.ts$`,
    },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rulesOfLayers,
    {
      name: 'demonstration-fills-stores-only',
      comment: 'The demonstration is data: it imports documents and adds records, as others do.',
      severity: 'error',
      from: { path: '^demonstration/', pathNot: tests },
      to: {
        path: '^src/',
        pathNot: `${pathOf(['calendar', 'contract', 'engine', 'access', 'webhooks', 'import', 'schedules'])}|^src/config\\.ts$`,
      },
    },
    {
      name: 'service-knows-no-demonstration',
      comment: 'The service runs without its demonstration, which the command line loads.',
      severity: 'error',
      from: { path: '^(src|schema)/', pathNot: `^src/cli/|${tests}` },
      to: { path: '^demonstration/' },
    },
    {
      name: 'no-circles',
      comment: 'Files that import each other, types included, cannot be read from top to bottom.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^src/console/pages\\.ts$' } },
    },
    {
      name: 'no-circles-of-pages',
      comment:
        'The table of pages loads them later, so they may read it; nothing else of it is a circle.',
      severity: 'error',
      from: { path: '^src/console/pages\\.ts$' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'contracts-are-pure',
      comment: 'Contracts can be read, served and tested without a store or a server.',
      severity: 'error',
      from: { path: '^src/endpoints/(.*/contract|contracts)\\.ts$' },
      to: {
        path: '^(src|schema)/',
        // The lines of the profit and loss are data.
        pathNot:
          '^src/(contract|calendar)/|^src/endpoints/.*/contract\\.ts$|^schema/.*/profit\\.ts$',
      },
    },
    {
      name: 'schema-knows-no-code',
      comment: 'Tables and migrations are declarations.',
      severity: 'error',
      from: { path: '^schema/' },
      to: { path: '^src/' },
    },
    {
      name: 'rooms-are-apart',
      comment:
        'Code that two rooms of endpoints need moves to contract, figures, report or access.',
      severity: 'error',
      from: { path: '^src/endpoints/((?:(?:reports|operator|account)/)?[^/]+)/', pathNot: tests },
      to: {
        path: '^src/endpoints/(?:(?:reports|operator|account)/)?[^/]+/',
        pathNot: '^src/endpoints/($1/|(reports|operator|account)/[^/]+$)',
      },
    },
    {
      name: 'endpoints-know-no-http',
      comment: 'A handler gets everything it needs as arguments.',
      severity: 'error',
      from: { path: '^src/(endpoints|report|access|import)/', pathNot: tests },
      to: { path: '^node_modules/(@fastify|fastify)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-hide-adapters',
      comment: 'Only the engine and the start know which stores run.',
      severity: 'error',
      from: { path: '^(demonstration|src)/', pathNot: `^src/(engine/|main\\.ts)|${tests}` },
      to: { path: '^src/engine/(duckdb|clickhouse|sqlite|postgres)/' },
    },
    {
      name: 'observers-load-on-demand',
      comment: 'Rooms report to a port; only the start loads the libraries behind it, if it must.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/main\\.ts|${tests}` },
      to: { path: '^src/observation/(prometheus|opentelemetry)\\.ts$' },
    },
    {
      name: 'drivers-stay-in-the-engine',
      comment: 'Only adapters talk to a store. Kysely alone is used elsewhere, to read records.',
      severity: 'error',
      from: { path: '^(demonstration|src)/', pathNot: `^src/engine/|${tests}` },
      to: { path: drivers, pathNot: 'kysely' },
    },
    {
      name: 'pages-know-contracts-only',
      comment: 'Browsers load the pages: they know the types of the contracts.',
      severity: 'error',
      from: { path: '^src/(console|reference)/' },
      to: {
        path: '^(src|schema)/',
        pathNot: '^src/(console|reference|contract)/|^src/endpoints/(.*/contract|contracts)\\.ts$',
      },
    },
    {
      name: 'pages-import-types-only',
      comment:
        'Type imports leave no trace in the files that browsers load. Countries, roles and cells of CSV are small.',
      severity: 'error',
      from: { path: '^src/(console|reference)/' },
      to: {
        path: '^src/(endpoints|contract)/',
        pathNot: '^src/contract/(?:countries|roles|spreadsheets)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'service-knows-no-page',
      comment: 'The service runs without its pages.',
      severity: 'error',
      from: { path: '^(src|schema)/', pathNot: '^src/(console|reference)/' },
      to: { path: '^src/(console|reference)/' },
    },
    {
      name: 'clients-are-apart',
      comment: 'A client knows the description of the interface only, and depends on nothing.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { pathNot: '^clients/' },
    },
    {
      name: 'service-knows-no-client',
      comment: 'The service runs without its clients.',
      severity: 'error',
      from: { path: '^(src|schema)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import of a missing file fails at run time.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$|^test/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
