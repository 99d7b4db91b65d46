/**
 * Writes the generated part of the Python client. Generators of npm make clients that need further
 * packages; this one needs nothing but Python.
 */
import { type Described, nameOf, type Operation, type Schema } from './described.ts';

const head = '# Written by `npm run documents` from docs/openapi.json: do not edit.\n';
const columnsMax = 96;

/** The class of a schema, and the classes of the objects within it. */
type Classes = Map<string, Schema>;

/** The schemas of the description as typed dictionaries. */
export function pythonSchemas({ schemas }: Described): string {
  const parts: string[] = [];
  const waiting: Classes = new Map(Object.entries(schemas));
  for (const [name, schema] of waiting) {
    if (schema.properties === undefined) parts.push(`${name} = ${typeOf(schema, name, waiting)}`);
    else parts.push(classOf(name, schema, waiting));
  }
  // A name for another type needs the classes in it, so these stand first.
  const classes = parts.filter((part) => part.startsWith('class '));
  const names = parts.filter((part) => !part.startsWith('class '));
  return `${head}"""The objects that the service takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


${[...classes, ...names].join('\n\n\n')}
`;
}

/** Reserved words, which cannot be the name of a field of a class. */
const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield'
  ).split(' '),
);

function classOf(name: string, schema: Schema, classes: Classes): string {
  const { description, properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([field, one]) => {
    if (!/^[A-Za-z_]\w*$/.test(field)) throw new Error(`${name}.${field} is no name in Python`);
    const type = typeOf(one, name + upper(field), classes);
    return {
      field,
      about: one.description,
      type: required.includes(field) ? type : `NotRequired[${type}]`,
    };
  });
  const linesOf = (text: string | undefined, write: (text: string) => string) =>
    text === undefined ? [] : [write(text)];
  if (!fields.some(({ field }) => keywords.has(field))) {
    const lines = fields.flatMap(({ field, type, about }) => [
      `    ${field}: ${type}`,
      ...linesOf(about, docstring),
    ]);
    const body = [...linesOf(description, docstring), ...lines];
    return `class ${name}(TypedDict):\n${body.length > 0 ? body.join('\n') : '    pass'}`;
  }
  const entries = fields.flatMap(({ field, type, about }) => [
    ...linesOf(about, (text) => comment(text, '        ')),
    `        "${field}": ${JSON.stringify(type)},`,
  ]);
  const made = `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('\n')}\n    },\n)`;
  return [...linesOf(description, comment), made].join('\n');
}

/** The type of a schema; objects within it become classes that are named after their place. */
function typeOf(schema: Schema, name: string, classes: Classes): string {
  const { type, items, anyOf, enum: values, const: only, properties } = schema;
  if (schema.$ref !== undefined) return nameOf(schema);
  if (only !== undefined) return `Literal[${JSON.stringify(only)}]`;
  if (values !== undefined)
    return `Literal[${values.map((one) => JSON.stringify(one)).join(', ')}]`;
  if (anyOf !== undefined)
    return [...new Set(anyOf.map((one) => typeOf(one, name, classes)))].join(' | ');
  if (type === 'array') return `list[${typeOf(items ?? {}, `${name}Item`, classes)}]`;
  if (properties !== undefined) {
    if (classes.has(name)) throw new Error(`two objects are called ${name}`);
    classes.set(name, schema);
    return name;
  }
  const simple: Readonly<Record<string, string>> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
    object: 'dict[str, Any]',
  };
  return simple[String(type)] ?? 'Any';
}

/** The table of operations, and a class with a method for each. */
export function pythonOperations({ operations }: Described): string {
  const paged = operations.filter((one) => one.paging !== undefined);
  const csv = operations.filter((one) => one.answersCsv);
  const list = (all: readonly Operation[]) =>
    all.map((one) => `    "${snake(one.name)}",`).join('\n');
  return `${head}"""A method for each operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Unpack, overload

from . import schemas
from .caller import Caller, CallOptions, Operation, Paging

OPERATIONS: dict[str, Operation] = {
${operations.map((one) => `    "${snake(one.name)}": ${rowOf(one)},`).join('\n')}
}

PAGINGS: dict[str, Paging] = {
${paged.map((one) => `    "${snake(one.name)}": ${pagingOf(one)},`).join('\n')}
}

CsvName = Literal[
${list(csv)}
]


class Operations(Caller):
    """A method for each operation."""

${operations.map(methodOf).join('\n\n')}

${pagedMethods(paged, 'pages', ({ answer }) => answer!)}

${pagedMethods(paged, 'rows', ({ paging }) => paging!.row)}
`;
}

function rowOf({ method, path, takesIdempotencyKey, isTagged, answer }: Operation): string {
  const isEmpty = answer === undefined;
  const flags = [takesIdempotencyKey, isTagged, ...(isEmpty ? [isEmpty] : [])].map((flag) =>
    flag ? 'True' : 'False',
  );
  return `Operation("${method}", "${path}", ${flags.join(', ')})`;
}

function pagingOf({ paging }: Operation): string {
  const { rows, total, options, pageSizeMax } = paging!;
  const list = (path: readonly string[]) =>
    `(${path.map((name) => `"${name}",`).join(' ')})`.replace(
      /,\)$/,
      path.length === 1 ? ',)' : ')',
    );
  return `Paging(${list(rows)}, ${total ? list(total) : 'None'}, ${pageSizeMax}, ${list(options)})`;
}

function methodOf(one: Operation): string {
  const { name, summary, description, input, needsInput, answer, isDeprecated } = one;
  const type = `schemas.${input}${needsInput ? '' : ' | None = None'}`;
  const result = answer === undefined ? 'None' : `schemas.${answer}`;
  const note = isDeprecated ? '\n\nDeprecated.' : '';
  return `    def ${snake(name)}(
        self, input: ${type}, **options: Unpack[CallOptions]
    ) -> ${result}:
${docstring(`${summary}.\n\n${description}${note}`, '        ')}
        return self._call(OPERATIONS["${snake(name)}"], "${snake(name)}", input, options)`;
}

/** A method that lists the pages or the rows of an operation by its name. */
function pagedMethods(
  operations: readonly Operation[],
  method: 'pages' | 'rows',
  resultOf: (operation: Operation) => string,
): string {
  const overloads = operations.map(
    (one) => `    @overload
    def ${method}(
        self,
        name: Literal["${snake(one.name)}"],
        input: schemas.${one.input}${one.needsInput ? '' : ' | None = None'},
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.${resultOf(one)}]: ...`,
  );
  return `${overloads.join('\n\n')}

    def ${method}(
        self, name: str, input: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Any]:
        """Reads the ${method} of a list one after another, from the page that the input names."""
        return self._${method}(name, OPERATIONS[name], PAGINGS[name], input, options)`;
}

/** A text in triple quotes, wrapped. */
function docstring(text: string, indent = '    '): string {
  const lines = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .split('\n')
    .flatMap((line) => wrapped(line, columnsMax - indent.length));
  const written = lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
  const isOne = lines.length === 1 && !text.endsWith('"');
  return isOne ? `${indent}"""${lines[0]}"""` : `${indent}"""${written.trimStart()}\n${indent}"""`;
}

/** A text as lines of a comment. */
function comment(text: string, indent = ''): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, columnsMax - indent.length - 2))
    .map((line) => `${indent}# ${line}`.trimEnd())
    .join('\n');
}

/** A line, wrapped at a number of columns. */
export function wrapped(line: string, columns: number): string[] {
  return line
    .replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n')
    .replace(/\n$/, '')
    .split('\n');
}

const upper = (text: string) => text[0]!.toUpperCase() + text.slice(1);
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
