// The layers: http -> endpoints -> report -> engine. Each rule says why.
const drivers =
  '^(node:sqlite|pg|kysely|@duckdb/|@clickhouse/)|node_modules/(pg|@duckdb|@clickhouse)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'What needs itself cannot be read from top to bottom.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract can be read, served and tested without any store or server existing.',
      severity: 'error',
      from: {
        path: '^src/(contract/|endpoints/.*/contract\\.ts$|endpoints/contracts\\.ts$|account/contracts\\.ts$)',
      },
      to: {
        path: '^(src|schema)/',
        pathNot: '^src/(contract|calendar)/|^src/endpoints/.*/contract\\.ts$',
      },
    },
    {
      name: 'calendar-reads-nothing',
      comment: 'Zones and buckets are arithmetic.',
      severity: 'error',
      from: { path: '^src/calendar/' },
      to: { path: '^(src|schema)/', pathNot: '^src/calendar/' },
    },
    {
      name: 'engine-knows-no-question',
      comment:
        'An engine answers whatever it is asked: it knows neither endpoints nor reports nor imports nor HTTP.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/', pathNot: '^src/(engine|calendar)/' },
    },
    {
      name: 'report-knows-no-http',
      comment: 'What reports share can be used without a server.',
      severity: 'error',
      from: { path: '^src/report/' },
      to: { path: '^src/(http|endpoints|account|operator|intake|cli)/|^node_modules/fastify' },
    },
    {
      name: 'intake-knows-no-http',
      comment: 'Imports are run by the operator interface, the demonstration and tests alike.',
      severity: 'error',
      from: { path: '^src/intake/' },
      to: { path: '^src/(http|endpoints|account|operator|report|cli)/|^node_modules/fastify' },
    },
    {
      name: 'jobs-know-no-work',
      comment: 'The queue and its worker do whatever kinds of jobs they are given.',
      severity: 'error',
      from: { path: '^src/jobs/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(jobs|engine)/' },
    },
    {
      name: 'files-know-no-report',
      comment: 'The file store keeps whatever it is given.',
      severity: 'error',
      from: { path: '^src/files/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(files|engine)/' },
    },
    {
      name: 'rooms-are-apart',
      comment: 'What two rooms need moves to contract or report.',
      severity: 'error',
      from: { path: '^src/endpoints/((?:reports/)?[^/]+)/' },
      to: { path: '^src/endpoints/(?:reports/)?[^/]+/', pathNot: '^src/endpoints/$1/' },
    },
    {
      name: 'endpoints-know-no-http',
      comment: 'A handler gets what it needs handed down, and is asked by whoever asks.',
      severity: 'error',
      from: { path: '^src/endpoints/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(http|account|operator|intake|cli)/|^node_modules/fastify' },
    },
    {
      name: 'accounts-know-no-facts',
      comment:
        'The account pages show records of the one who is signed in; what they ask for needs no warehouse, and nothing of the operator.',
      severity: 'error',
      from: { path: '^src/account/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(endpoints|operator|intake|jobs|files|cli|demonstration|console)/|^src/engine/(warehouse|duckdb|clickhouse)',
      },
    },
    {
      name: 'drivers-stay-in-the-engine',
      comment:
        'Only the adapters speak to a store; a driver elsewhere would tie the house to one engine. Kysely alone is the way to records.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/engine/|\\.test\\.ts$' },
      to: { path: drivers, pathNot: 'kysely' },
    },
    {
      name: 'pages-know-shapes-alone',
      comment:
        'Browsers load the account pages: of the service they know the shape of what it answers, and carry nothing of it.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^(src|schema)/', pathNot: '^src/(console/|account/contracts\\.ts$|contract/)' },
    },
    {
      name: 'pages-carry-no-service',
      comment: 'What is imported for its types alone is not part of what browsers load.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^src/(account|contract)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'service-knows-no-page',
      comment: 'The service runs where its pages were not built.',
      severity: 'error',
      from: { path: '^(src|schema)/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that leads nowhere fails at run time.',
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
