/** The settings of statements to ClickHouse, and how to read its errors. */
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client';

/** The settings of each kind of statement. */
export type StatementSettings = {
  readonly read: ClickHouseSettings;
  readonly stream: ClickHouseSettings;
  readonly parquet: ClickHouseSettings;
  readonly write: ClickHouseSettings;
  readonly stage: ClickHouseSettings;
};

/** Makes ClickHouse read SQL as DuckDB does. */
const dialect: ClickHouseSettings = {
  join_use_nulls: 1,
  union_default_mode: 'DISTINCT',
  cast_keep_nullable: 1,
  // Otherwise a condition would test the result column of the same name and miss the primary key.
  prefer_column_name_to_alias: 1,
  aggregate_functions_null_for_empty: 1,
};

/** The last line of a streamed answer. Without it, the answer is incomplete. */
export const endLine = 'end';

/** The largest statement that changes rows, including its lists of days and channels. */
export const statementBytesMax = '33554432';

/**
 * Most replicas must acknowledge rows. Equal rows written again belong to another change, so none
 * is skipped as a copy.
 */
const toReplicas: ClickHouseSettings = {
  insert_quorum: 'auto',
  insert_deduplicate: 0,
  mutations_sync: '2',
};

/** A statement may use `memoryBytesMax`, and spills to disk above 15 % of that. */
export function statementSettings(
  memoryBytesMax: number,
  isReplicated: boolean,
): StatementSettings {
  const spillBytes = String(Math.round(memoryBytesMax * 0.15));
  const shared: ClickHouseSettings = {
    ...dialect,
    max_memory_usage: String(memoryBytesMax),
    max_bytes_before_external_group_by: spillBytes,
    max_bytes_before_external_sort: spillBytes,
    wait_end_of_query: 1,
  };
  // `wait_end_of_query` turns an error after the first rows into an error of the request.
  const read: ClickHouseSettings = {
    ...shared,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_decimals: 1,
    output_format_json_quote_denormals: 0,
    cancel_http_readonly_queries_on_client_close: 1,
  };
  const write: ClickHouseSettings = {
    ...shared,
    ...(isReplicated && toReplicas),
    async_insert: 0,
    max_execution_time: 0,
    max_insert_threads: '1',
    min_insert_block_size_rows: '500000',
    min_insert_block_size_bytes: '67108864',
    max_query_size: statementBytesMax,
    max_partitions_per_insert_block: '0',
  };
  return {
    read,
    write,
    stream: { ...read, ...streamFormat },
    parquet: { ...read, ...parquetFormat },
    stage: { ...write, ...csvFormat },
  };
}

/** Sends names, types and rows as lines of JSON, each as soon as it is found. */
const streamFormat: ClickHouseSettings = {
  wait_end_of_query: 0,
  format_custom_escaping_rule: 'JSON',
  format_custom_field_delimiter: ',',
  format_custom_row_before_delimiter: '[',
  format_custom_row_after_delimiter: ']\n',
  format_custom_row_between_delimiter: '',
  format_custom_result_before_delimiter: '',
  format_custom_result_after_delimiter: `${endLine}\n`,
};

/** Files that every reader of Parquet understands, written with little memory. */
const parquetFormat: ClickHouseSettings = {
  wait_end_of_query: 0,
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_row_group_size: '20480',
  output_format_parquet_parallel_encoding: 0,
};

const csvFormat: ClickHouseSettings = {
  format_csv_allow_single_quotes: 1,
  // The parallel parser knows double quotes only.
  input_format_parallel_parsing: 0,
  input_format_csv_detect_header: 0,
  input_format_csv_empty_as_default: 0,
  input_format_csv_trim_whitespaces: 0,
};

/** Codes of errors of access, memory, disk, overload or shutdown: the statement is not at fault. */
const unavailableCodes: ReadonlySet<string> = new Set(
  [
    3, 74, 75, 76, 81, 192, 193, 194, 198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279,
    286, 319, 394, 425, 439, 473, 497, 516, 568, 614, 700, 999, 1000,
  ].map(String),
);
const timeoutCode = '159';

/** Whether the server was unable to answer, as opposed to refusing the statement. */
export function isUnavailable(error: unknown): boolean {
  return !(error instanceof ClickHouseError) || unavailableCodes.has(error.code);
}

/** Whether the server stopped the statement at its time limit. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof ClickHouseError && cause.code === timeoutCode;
}
