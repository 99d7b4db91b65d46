/**
 * Shares of the questions that may run at once: for all requests, for organisations, for keys.
 * Imports are shared in the same way.
 */

/** A question that waits for its turn. */
export type Question = {
  readonly begin: () => void;
  readonly fail: (error: Error, reason: 'abandoned' | 'full' | 'waited') => void;
};

/** A share: its own questions, or the shares into which it is divided. */
export type Share = {
  readonly runningMax: number;
  running: number;
  waiting: number;
  /** The number of its last turn. */
  lastTurn: number;
  readonly questions: Set<Question>;
  readonly parts: Map<string, Share>;
};

/** Makes an empty share of this many concurrent questions. */
export function share(runningMax: number): Share {
  return {
    runningMax,
    running: 0,
    waiting: 0,
    lastTurn: 0,
    questions: new Set(),
    parts: new Map(),
  };
}

/** The share with this name, created if there is none. */
export function partOf({ parts }: Share, name: string, runningMax: number): Share {
  const found = parts.get(name) ?? share(runningMax);
  parts.set(name, found);
  return found;
}

/** Removes a share without questions. */
export function removeIdle({ parts }: Share, name: string): void {
  const part = parts.get(name);
  if (part !== undefined && part.running + part.waiting === 0) parts.delete(name);
}

/**
 * The question whose turn it is. The part with the fewest running questions comes first; among
 * equals, the one whose last turn was longest ago. Undefined if none waits or may run.
 */
export function nextQuestion(one: Share): Question | undefined {
  if (one.waiting === 0 || one.running >= one.runningMax) return undefined;
  const [own] = one.questions;
  if (own !== undefined) return own;
  const parts = [...one.parts.values()].sort(
    (a, b) => a.running - b.running || a.lastTurn - b.lastTurn,
  );
  for (const part of parts) {
    const found = nextQuestion(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The newest question of the part with the most waiting questions, which must have at least one.
 */
export function newestOfLongest({ questions, parts }: Share): Question {
  if (questions.size > 0) return [...questions].at(-1)!;
  return newestOfLongest([...parts.values()].reduce((a, b) => (b.waiting >= a.waiting ? b : a)));
}
