/** Interrupts the statements of connections. */
import type { DuckDBConnection } from '@duckdb/node-api';

/** An interrupt misses a statement that still waits for a thread, so it is repeated. */
const interruptMilliseconds = 20;

/** Interrupts a connection's statement, again and again until the returned function is called. */
export function interrupt(connection: DuckDBConnection): () => void {
  connection.interrupt();
  const repeating = setInterval(() => connection.interrupt(), interruptMilliseconds);
  return () => clearInterval(repeating);
}
