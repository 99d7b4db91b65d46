// Brings the shipped exchange rates up to date, before a release: `npm run rates`, with the path of
// the bank's zip file where the bank cannot be reached. Then run the examples and the documents,
// because the demonstration converts by these rates.
import { readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { downloadHistory, snapshot } from '../src/import/ecb/history.ts';

const downloadMilliseconds = 120_000;
const sources = new URL('SOURCES.md', snapshot);
const [file] = process.argv.slice(2);

const held = datesOf(readFileSync(snapshot));
const history = file === undefined ? await download() : readFileSync(file);
const published = datesOf(history);
const missing = held.filter((date) => !published.includes(date));
// The bank only adds dates, so anything else is another file.
if (missing.length > 0) throw new Error(`the history lacks ${missing[0]}: it is not the bank's`);
const newest = published[0]!;
if (newest === held[0]) {
  console.log(`The shipped exchange rates already go to ${newest}.`);
} else {
  writeFileSync(snapshot, history);
  const text = readFileSync(sources, 'utf8');
  writeFileSync(sources, text.replace(`to ${held[0]}`, `to ${newest}`));
  console.log(`The shipped exchange rates go to ${newest} now.`);
}

async function download(): Promise<Buffer> {
  return await buffer(await downloadHistory(AbortSignal.timeout(downloadMilliseconds)));
}

/** The dates of a history, newest first. */
function datesOf(archive: Uint8Array): string[] {
  const [, ...lines] = strFromU8(unzipSync(archive)['eurofxref-hist.csv']!).trim().split('\n');
  return lines.map((line) => line.slice(0, 'YYYY-MM-DD'.length));
}
