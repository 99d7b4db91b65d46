/** Templates of paths in a description. */
import type { Contract } from './endpoint.ts';

/** The shape of a path, regardless of the names of its parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/**
 * The template of each shape of a path. OpenAPI allows only one per shape, so parameters that
 * operations name differently get both names.
 */
export function templatesOf(contracts: readonly Contract[]): Map<string, string> {
  const namesOf = new Map<string, Set<string>[]>();
  for (const { path } of contracts) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const known = namesOf.get(shapeOf(path)) ?? names.map(() => new Set());
    for (const [at, name] of names.entries()) known[at]!.add(name);
    namesOf.set(shapeOf(path), known);
  }
  return new Map(
    [...namesOf].map(([shape, names]) => {
      const joined = names.map((ofOne) => joinedName([...ofOne].sort()));
      return [shape, shape.replaceAll('{}', () => `{${joined.shift()}}`)];
    }),
  );
}

function joinedName([first, ...others]: readonly string[]): string {
  return [first!, ...others.map(capitalised)].join('Or');
}

/** The name with a capital first letter. */
export function capitalised(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}
