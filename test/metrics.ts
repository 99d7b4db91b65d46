/** Reads metrics as Prometheus does. */
import assert from 'node:assert/strict';
import parse from 'parse-prometheus-text-format';

/** The samples of one scrape. */
export type Scrape = {
  readonly text: string;
  /** The names of all metrics. */
  readonly names: ReadonlySet<string>;
  /** The sum of the samples of a name that have these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
  /** All values of a label. */
  values(name: string, label: string): string[];
};

/** Scrapes the metrics at an address. */
export async function scrape(address: string): Promise<Scrape> {
  const response = await fetch(address);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  // The parser would merge histograms with several labels.
  const parsed = parse(text.replaceAll(/^# TYPE \S+ (?:histogram|summary)$/gm, ''));
  const samplesOf = (name: string) =>
    parsed.filter((one) => one.name === name).flatMap((one) => one.metrics);
  return {
    text,
    names: new Set(text.match(/(?<=^# TYPE )\S+/gm)),
    sum: (name, labels = {}) =>
      samplesOf(name)
        .filter((sample) =>
          Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
        )
        .reduce((sum, sample) => sum + Number(sample.value), 0),
    values: (name, label) => [
      ...new Set(samplesOf(name).map((sample) => sample.labels?.[label] ?? '')),
    ],
  };
}
