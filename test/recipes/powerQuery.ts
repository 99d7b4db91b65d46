/** Evaluates the part of Power Query's language M that the recipe uses. */
import assert from 'node:assert/strict';
import {
  DefaultSettings,
  type Language,
  ResultKind,
  TaskUtils,
} from '@microsoft/powerquery-parser';
import { parseCsv, recordsOf } from './csv.ts';
import type { Ask } from './replay.ts';

type Node = Language.Ast.TNode;
type Value = unknown;
type Row = Readonly<Record<string, Value>>;
type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] };
type Function = (...args: readonly Value[]) => Value;
/** The values of names, each computed on demand. */
type Scope = (name: string) => Value;

/** Evaluates a document of M. `now` is in epoch milliseconds. */
export async function readQuery(text: string): Promise<(ask: Ask, now: number) => Value> {
  const parsed = await TaskUtils.tryLexParse(DefaultSettings, text);
  assert.ok(parsed.resultKind === ResultKind.Ok, 'M that is not well-formed');
  return (ask, now) => {
    const library = libraryOf(ask, now);
    return evaluate(parsed.ast, (name) => {
      assert.ok(name in library, `${name} is unknown`);
      return library[name];
    });
  };
}

function libraryOf(ask: Ask, now: number): Readonly<Record<string, Value>> {
  type Options = { RelativePath: string; Headers: Record<string, string>; Content: string };
  return {
    'QuoteStyle.Csv': 1,
    'Web.Contents': (url: string, { RelativePath, Headers, Content }: Options) => {
      const headers = Headers;
      const request = { method: 'POST', url: url + RelativePath, headers, body: Content };
      const { status, text } = ask(request);
      assert.equal(status, 200, `${RelativePath}: ${text}`);
      return text;
    },
    'Json.FromValue': (value: Value) => JSON.stringify(value),
    'Csv.Document': parseCsv,
    'Table.PromoteHeaders': (rows: string[][]): Table => ({
      columns: rows[0]!,
      rows: recordsOf(rows),
    }),
    'Table.TransformColumnTypes': (table: Table, types: [string, string][], culture: string) => {
      assert.equal(culture, 'en-US');
      for (const [name] of types) assert.ok(table.columns.includes(name), `no column ${name}`);
      const isNumber = new Set(types.map(([name]) => name));
      const typed = ([name, value]: [string, Value]) =>
        [name, isNumber.has(name) && value !== '' ? Number(value) : value] as const;
      const rows = table.rows.map((row) => Object.fromEntries(Object.entries(row).map(typed)));
      return { ...table, rows };
    },
    'Table.SelectRows': (table: Table, holds: Function) => ({
      ...table,
      rows: table.rows.filter((row) => holds(row)),
    }),
    'Table.Column': (table: Table, name: string) => table.rows.map((row) => row[name]),
    'List.Transform': (list: Value[], change: Function) => list.map((value) => change(value)),
    'Table.Combine': (tables: Table[]): Table => ({
      columns: tables[0]?.columns ?? [],
      rows: tables.flatMap(({ rows }) => rows),
    }),
    'Table.RowCount': ({ rows }: Table) => rows.length,
    'Table.Group': ({ rows }: Table, keys: string[], sums: [string, Function, Value][]): Table => {
      const columns = [...keys, ...sums.map(([name]) => name)];
      const groups = Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key])));
      const rowOf = (own: Row[]) => ({
        ...Object.fromEntries(keys.map((key) => [key, own[0]![key]])),
        ...Object.fromEntries(sums.map(([name, sum]) => [name, sum({ columns, rows: own })])),
      });
      return { columns, rows: [...groups.values()].map(rowOf) };
    },
    'List.Numbers': (first: number, count: number) =>
      Array.from({ length: count }, (_, place) => first + place),
    'List.Split': (list: Value[], size: number) =>
      list.flatMap((_, place) => (place % size === 0 ? [list.slice(place, place + size)] : [])),
    'List.Sum': (list: number[]) => list.reduce((sum, one) => sum + one, 0),
    'Number.RoundUp': Math.ceil,
    'Number.IntegerDivide': (value: number, by: number) => Math.trunc(value / by),
    'Duration.TotalSeconds': (milliseconds: number) => milliseconds / 1000,
    'DateTimeZone.UtcNow': () => now,
    '#datetimezone': (year: number, month: number, day: number) => Date.UTC(year, month - 1, day),
  };
}

/** A scope with further names. */
function within(scope: Scope, values: ReadonlyMap<string, () => Value>): Scope {
  const known = new Map<string, Value>();
  return (name) => {
    const value = values.get(name);
    if (value === undefined) return scope(name);
    if (!known.has(name)) known.set(name, value());
    return known.get(name);
  };
}

const nameOf = (literal: string) => literal.replace(/^#"(.*)"$/, '$1');

// biome-ignore lint/suspicious/noExplicitAny: the nodes of lists and records have one shape.
const itemsOf = (node: any): any[] => node.content.elements.map((one: any) => one.node);

/** The value of an expression. */
// biome-ignore lint/suspicious/noExplicitAny: the kind decides the shape of a node.
function evaluate(node: Node | any, scope: Scope): Value {
  switch (node.kind) {
    case 'LetExpression': {
      const values = new Map<string, () => Value>();
      const inner = within(scope, values);
      for (const { node: pair } of node.variableList.elements)
        values.set(nameOf(pair.key.literal), () => evaluate(pair.value, inner));
      return evaluate(node.expression, inner);
    }
    case 'RecordExpression':
      return Object.fromEntries(
        itemsOf(node).map(({ key, value }) => [nameOf(key.literal), evaluate(value, scope)]),
      );
    case 'ListExpression':
      return itemsOf(node).map((item) => evaluate(item, scope));
    case 'FunctionExpression': {
      const names = itemsOf(node.parameters).map(({ name }) => name.literal as string);
      return (...args: Value[]) =>
        evaluate(
          node.expression,
          within(scope, new Map(names.map((name, place) => [name, () => args[place]]))),
        );
    }
    case 'EachExpression':
      return (row: Value) => evaluate(node.paired, within(scope, new Map([['_', () => row]])));
    case 'RecursivePrimaryExpression':
      return node.recursiveExpressions.elements.reduce(
        (value: Value, next: Node) => applied(value, next, scope),
        evaluate(node.head, scope),
      );
    case 'IdentifierExpression':
      return scope(nameOf(node.identifier.literal));
    case 'FieldSelector':
      return (scope('_') as Row)[nameOf(node.content.literal)];
    case 'LiteralExpression':
      return node.literalKind === 'Text' ? node.literal.slice(1, -1) : JSON.parse(node.literal);
    case 'ParenthesizedExpression':
      return evaluate(node.content, scope);
    case 'TypePrimaryType':
      return node.paired.primitiveTypeKind;
    default:
      return calculated(node, scope);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the kind decides the shape of a node.
function applied(value: Value, next: any, scope: Scope): Value {
  if (next.kind === 'FieldSelector') return (value as Row)[nameOf(next.content.literal)];
  assert.equal(next.kind, 'InvokeExpression');
  return (value as Function)(...itemsOf(next).map((argument) => evaluate(argument, scope)));
}

// biome-ignore lint/suspicious/noExplicitAny: the kind decides the shape of a node.
function calculated({ kind, left, operatorConstant, right }: any, scope: Scope): Value {
  assert.ok(operatorConstant !== undefined, `${kind} is not known here`);
  const [one, other] = [left, right].map((side) => evaluate(side, scope)) as [number, number];
  switch (operatorConstant.constantKind) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    case '/':
      return one / other;
    default:
      assert.equal(operatorConstant.constantKind, '<>');
      return one !== other;
  }
}
