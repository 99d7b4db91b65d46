/** Interrupts what connections run. */
import type { DuckDBConnection } from '@duckdb/node-api';

/** An interrupt misses a statement that still waits for a thread, so it is repeated. */
const interruptMilliseconds = 20;

/** Interrupts what a connection runs, until the returned function is called. */
export function interrupt(connection: DuckDBConnection): () => void {
  connection.interrupt();
  const repeating = setInterval(() => connection.interrupt(), interruptMilliseconds);
  return () => clearInterval(repeating);
}
