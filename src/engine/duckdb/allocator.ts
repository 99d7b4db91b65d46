/**
 * Sets up DuckDB's allocator. To be imported before the driver, with which it reads its settings.
 * By default every thread has an arena of its own, which keeps for a second what it has freed.
 */
process.env.DUCKDB_JE_MALLOC_CONF ??= 'narenas:1';
