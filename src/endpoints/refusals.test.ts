/**
 * Requests that are wrong by themselves, and how operations refuse them, in memory.
 * test/rules.test.ts proves that failures are answered with 400, beside failures of record rules.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Fields, nested } from '../../test/requests.ts';
import { type Check, compileCheck, sayFailures } from '../contract/check.ts';
import type { Contract } from '../contract/endpoint.ts';
import { contracts } from './contracts.ts';

const text = readFileSync(new URL('refusals.txt', import.meta.url), 'utf8');
const [, ...sections] = text.trimEnd().split('\n\n');
const checks = new Map<Contract, Check>();

/** The value that JSON of the table stands for. */
function readValue(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(readValue);
  if (typeof written === 'object' && written !== null)
    return Object.fromEntries(Object.entries(written).map(([name, one]) => [name, readValue(one)]));
  if (typeof written !== 'string' || written === '<absent>')
    return written === '<absent>' ? undefined : written;
  const [, count, letter] = /^<(\d+) (.+)>$/u.exec(written) ?? [];
  if (letter !== undefined) return letter.repeat(Number(count));
  const [, length] = /^<1\.\.(\d+)>$/.exec(written) ?? [];
  return length === undefined
    ? written
    : Array.from({ length: Number(length) }, (_, place) => String(place + 1));
}

/** The failures of the example of a contract with other values of fields. */
function failuresOf(contract: Contract, changes: Fields): string {
  const check = checks.get(contract) ?? compileCheck(contract);
  checks.set(contract, check);
  const { pathParameters, query, body, example = {} } = contract;
  const fields = Object.entries(nested({ ...example, ...changes }));
  const of = (part: Contract['query']) =>
    fields.filter(([name]) => part !== undefined && name in part.properties);
  const asTexts = (part: Contract['query']) =>
    Object.fromEntries(
      of(part).map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
    );
  const request = { path: asTexts(pathParameters), query: asTexts(query) };
  const { failures } = check.run({
    ...request,
    ...(body && { body: Object.fromEntries(of(body)) }),
  });
  return sayFailures(failures);
}

for (const section of sections) {
  const [operations = '', ...rows] = section.split('\n');
  for (const operation of operations.split(' '))
    for (const row of rows) {
      const [, changes = '', expected = ''] = /^(\{.*?\}) \| (.*)$/.exec(row) ?? [];
      test(`${operation} with ${changes.slice(0, 200)}: ${expected.slice(0, 200)}`, () => {
        const contract = contracts[operation as keyof typeof contracts] as Contract;
        const found = failuresOf(contract, readValue(JSON.parse(changes)) as Fields);
        const [start = '', isOpen] = expected.split('…');
        if (isOpen === undefined) assert.equal(found || 'accepted', expected);
        else assert.ok(found.startsWith(start) && !found.includes(', '), found);
      });
    }
}
