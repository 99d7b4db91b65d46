/**
 * Configures DuckDB's allocator. Must be imported before the driver, which reads these settings. By
 * default every thread has its own arena, which retains freed memory for a second.
 */
process.env.DUCKDB_JE_MALLOC_CONF ??= 'narenas:1';
