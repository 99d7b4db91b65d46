/** The meaning of SQLite's errors. */

const busyCode = 5;
/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN, each with the prefix SQLITE_. */
const unavailableCodes: ReadonlySet<number> = new Set([busyCode, 6, 7, 8, 10, 13, 14]);
/** CORRUPT and NOTADB: a damaged file, and a file that is not SQLite's. */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);

/** Whether the file cannot be used now. */
export function isUnavailable(error: unknown): boolean {
  return unavailableCodes.has(codeOf(error));
}

/** Whether another process uses the file. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === busyCode;
}

/** Whether SQLite itself has found damage. */
export function isDamage(error: unknown): boolean {
  return damageCodes.has(codeOf(error));
}

function codeOf(error: unknown): number {
  const { errcode } = error as { errcode?: unknown };
  // The low byte of an extended result code is the primary one.
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}
