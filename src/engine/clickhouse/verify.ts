/** Checks that a server still has what was written to it. */
import type { Client } from './client.ts';

/** Compares the checksums of every part of every table. */
export async function hasDamage(client: Client): Promise<boolean> {
  const tables = await client.rows(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  for (const { name } of tables) {
    const parts = await client.rows(`CHECK TABLE ${name}`);
    // Depending on its settings, a server answers one row for the table or one for each part.
    if (parts.some(({ result, is_passed }) => [result, is_passed].includes(0))) return true;
  }
  return false;
}
