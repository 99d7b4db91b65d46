/**
 * Every report answers its questions: with a comparison and without, for a channel without facts,
 * with amounts in other currencies, in another zone and by pages of any size. The figures of six of
 * them equal a plain recomputation of random facts.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reportTypes } from '../../src/contract/reports.ts';
import { onOnePair } from '../harness.ts';
import { level } from '../level.ts';
import { archiveOf, barred, type Csv, csvOf } from '../reports.ts';
import { advertisingConformances } from './advertising.ts';
import { refundsConformance, refundsRecomputation } from './cancellationsAndRefunds.ts';
import { lifetimeConformance, lifetimeRecomputation } from './customerLifetimeValue.ts';
import { orderedConformance, orderedRecomputation } from './orderedRevenue.ts';
import { inventoryConformance, profitConformance, salesConformance } from './others.ts';
import { type AnyRecomputation, recompute } from './recomputation.ts';
import { repeatConformance, repeatRecomputation } from './repeatPurchase.ts';
import {
  alone,
  answerOf,
  type Conformance,
  importRates,
  type PreparedReport,
  prepared,
  shows,
  withoutComparison,
} from './report.ts';
import { shippedConformance, shippedRecomputation } from './shippedRevenue.ts';
import { trafficConformance, trafficRecomputation } from './trafficAndConversion.ts';

const conformances: readonly Conformance[] = [
  ...[lifetimeConformance, trafficConformance, inventoryConformance, refundsConformance],
  ...[orderedConformance, shippedConformance, salesConformance, ...advertisingConformances],
  ...[profitConformance, repeatConformance],
];
const recomputations: readonly AnyRecomputation[] = [
  ...[lifetimeRecomputation, trafficRecomputation, refundsRecomputation],
  ...[orderedRecomputation, shippedRecomputation, repeatRecomputation],
];

test('Every type of report has its questions', () => {
  const types = new Set(conformances.map(({ reportType }) => reportType));
  assert.deepEqual([...types].sort(), reportTypes.toSorted());
});

onOnePair('Every report', (world) => {
  let all: PreparedReport[];

  before(async () => {
    await importRates(world());
    all = await prepared(world(), conformances);
  });

  test('has its columns and rows, whatever the currencies of its amounts', async () => {
    const archives = new Map<string, Record<string, Csv>>();
    for (const one of all) {
      const { owner, reportType, file, questions } = one;
      const [{ options } = {}] = questions;
      if (file !== undefined && !archives.has(owner.channelId))
        archives.set(owner.channelId, await archiveOf(world(), owner, reportType, options));
      const found = file
        ? archives.get(owner.channelId)![file]!
        : await csvOf(world(), owner, reportType, options);
      shows(one, questions[0]!, found);
    }
    for (const archive of archives.values())
      assert.deepEqual(
        Object.keys(archive),
        conformances.flatMap(({ file }) => file ?? []),
      );
  });

  test('has the rows of other views, options and periods', async () => {
    for (const one of all)
      for (const question of one.questions.slice(1))
        shows(one, question, await answerOf(world(), one, question.options));
  });

  test('has blank cells without a comparison, and no row of prior figures alone', async () => {
    for (const one of all)
      for (const compared of one.questions) {
        if (!('priorFromDate' in (compared.options ?? {}))) continue;
        const question = withoutComparison(one, compared);
        shows(one, question, await answerOf(world(), one, question.options));
      }
  });

  test('of a channel without facts has its header alone, or a row of each cohort', async () => {
    for (const one of all) {
      const { questions, emptyChannelId, empty = '' } = one;
      const owner = { ...one.owner, channelId: emptyChannelId };
      const found = await answerOf(world(), { ...one, owner }, questions[0]!.options);
      shows({ ...one, owner }, { ...questions[0]!, rows: empty }, found);
    }
  });

  test('ends its days together with days of the requested zone', async () => {
    for (const one of all) {
      if (one.zone === undefined) continue;
      const options = { ...alone(one.questions[0]!.options!), ...one.zone.options };
      const [first = ''] = barred(await answerOf(world(), one, options));
      assert.equal(first.slice(0, one.zone.first.length), one.zone.first, one.reportType);
    }
  });

  test('is the same by pages of any size', async () => {
    for (const one of all) {
      const { byPages, questions } = one;
      if (byPages === undefined) continue;
      for (const question of level === 'deep' ? questions : questions.slice(0, 2))
        for (const most of level === 'deep' ? [1, 2, 3] : [2])
          shows(one, question, await answerOf(world(), one, question.options, byPages(most)));
    }
  });

  const testRandom = level === 'fast' ? () => {} : test;
  for (const recomputation of recomputations)
    testRandom(
      `equals a plain recomputation of random facts, whatever the question: ${recomputation.reportType}`,
      () => recompute(world(), recomputation),
    );
});
