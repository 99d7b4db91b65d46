/** The dashboard and the alerts ask for nothing that the service does not export. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Metric, metrics } from '../src/observation/meter.ts';
import { createMeter } from '../src/observation/prometheus.ts';

const read = (file: string) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8');
const guide = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');

const text = await createMeter().read();
/** The names of all series, including the parts of histograms. */
const exported = new Set(
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  ),
);

const labelsInRules = (expression: string) =>
  [...expression.matchAll(/(vitrine_\w+)\{([^}]*)\}/g)].flatMap(([, name, matchers]) =>
    [...matchers!.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label]) => [name!, label!] as const),
  );

for (const file of ['grafana/vitrine.json', 'prometheus/alerts.yaml'])
  test(`every metric and label in deploy/${file} is one that the service exports`, () => {
    const content = file.endsWith('.json') ? JSON.stringify(JSON.parse(read(file))) : read(file);
    const found = new Set(
      content.match(/\b(?:vitrine|process|nodejs)_[a-z0-9_]+(?=[{[) \\\n]|, instance)/g),
    );
    assert.ok(found.size >= 9, [...found].join(' '));
    const missing = [...found].filter((name) => !exported.has(name));
    assert.deepEqual(missing, []);
    for (const [name, label] of labelsInRules(content.replaceAll('\\"', '"'))) {
      const metric: Metric = metrics[name.replace(/_(?:bucket|sum|count)$/, '') as never];
      assert.ok([...metric.labels, 'instance', 'job'].includes(label), `${name}{${label}}`);
    }
  });

test('the dashboard shows, and the guide explains, every metric of the service', () => {
  const dashboard = read('grafana/vitrine.json');
  for (const name of Object.keys(metrics)) {
    assert.ok(dashboard.includes(name), name);
    assert.ok(guide.includes(`\`${name}\``), name);
  }
});

test('every alert says what to do', () => {
  const rules = read('prometheus/alerts.yaml').split('- alert: ').slice(1);
  assert.ok(rules.length >= 10);
  for (const rule of rules) {
    assert.match(rule, /^Vitrine[A-Za-z]+\n +expr: /);
    assert.match(rule, /labels: \{ severity: (?:critical|warning) \}/);
    assert.match(rule, /summary: '[^']+: [^']+\.'/);
  }
});
