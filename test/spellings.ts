/** Compares what documents say in other spellings with what they say as they are. */
import assert from 'node:assert/strict';
import { facts } from '../schema/warehouse/tables.ts';
import { MemoryChannel } from './documents.ts';
import type { ChannelSettings } from './harness.ts';

/** Another spelling of a document, with a name, and whether its texts may be blank. */
export type Spelling = readonly [name: string, document: string, isBlank?: boolean];

/** Every fact of a channel, a line each, with or without texts. */
function factsOf(channel: MemoryChannel, withTexts: boolean): string[] {
  return facts.flatMap(({ name, columns }) => {
    // Sealing the same text twice gives different texts.
    const own = Object.entries(columns).filter(
      ([column, type]) => (withTexts || type !== 'Text') && column !== 'sealed_email',
    );
    const rows = channel.held(name, own.map(([column]) => column).join(', '));
    return rows.map((row) => `${name} ${row.join(' ')}`);
  });
}

/**
 * Expects each spelling of a document to bring the same facts, or to be refused, at least in part.
 * The document as it is brings the same facts twice.
 */
export async function assertSameOrRefused(
  document: string,
  spellings: Iterable<Spelling>,
  settings: Partial<ChannelSettings>,
  query = '',
): Promise<void> {
  const plain = new MemoryChannel(settings);
  const first = await plain.import(document, query);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const expected = { true: factsOf(plain, true), false: factsOf(plain, false) };
  assert.notDeepEqual(expected.true, []);
  const wrong: string[] = [];
  for (const [name, other, isBlank = false] of spellings) {
    const channel = new MemoryChannel(settings);
    const { status, body } = await channel.import(other, query);
    if (status !== 200 || body.rejected.length > 0) continue;
    const own = factsOf(channel, !isBlank);
    const all = expected[`${!isBlank}`];
    const place = all.findIndex((fact, at) => fact !== own[at]);
    if (place >= 0) wrong.push(`${name}: ${own[place]}, not ${all[place]}`);
    else if (own.length > all.length) wrong.push(`${name}: ${own[all.length]} in addition`);
  }
  assert.deepEqual(wrong, []);
  await plain.import(document, query);
  assert.deepEqual(factsOf(plain, false), expected.false);
}
