/**
 * The extent of the tests, by VITRINE_TEST_LEVEL: `fast` runs on the embedded stores alone, without
 * a browser or other processes; `deep` runs everything on both pairs of stores, with kills and many
 * random tries. `normal` is for every change.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

/** The level of this run. */
export const level = levelOf(process.env.VITRINE_TEST_LEVEL);

/** The number of random tries; VITRINE_TEST_DEPTH sets another number. */
export const testDepth = Number(
  process.env.VITRINE_TEST_DEPTH ?? { fast: 0.1, normal: 0.25, deep: 2 }[level],
);

/** All cases in a deep run, otherwise the cases of `oneIn`. */
export function sampled<Case>(cases: readonly Case[], every: number, first = 0): readonly Case[] {
  return level === 'deep' ? cases : oneIn(every, cases, first);
}

/** One in `every` case; `first` shifts which ones. */
export function oneIn<Case>(every: number, cases: readonly Case[], first = 0): readonly Case[] {
  return cases.filter((_, place) => place % every === first % every);
}

/** Options of suites of a browser, processes or the demonstration: a fast run skips them. */
export const slow = { skip: level === 'fast' };

const unregistered = (() => undefined) as unknown as typeof test;

/** Registers a test of a browser or of further processes, except in a fast run. */
export const slowTest: typeof test = level === 'fast' ? unregistered : test;

/** Registers a test in a deep run only. */
export const deepTest: typeof test = level === 'deep' ? test : unregistered;

function levelOf(name = 'normal'): 'fast' | 'normal' | 'deep' {
  assert.ok(
    name === 'fast' || name === 'normal' || name === 'deep',
    `VITRINE_TEST_LEVEL is neither fast nor normal nor deep: ${name}`,
  );
  return name;
}
