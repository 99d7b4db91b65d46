/** Row-shaped answers as CSV, for clients that accept it above JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Contract } from '../contract/endpoint.ts';
import { isObject } from '../contract/jsonSchema.ts';
import { type RowColumn, rowShapeOf } from '../contract/rowShape.ts';
import { noText } from '../figures/texts.ts';
import { type Cell, type Column, createCsvWriter } from '../report/csv.ts';
import { varyBy } from './headers.ts';

/** The media type of CSV. */
export const csvType = 'text/csv; charset=utf-8';

const mediaTypes = ['application/json', 'text/csv'].flatMap((type) => [
  type,
  `${type};charset=utf-8`,
]);
/** Other headers need no negotiation. */
const mayAcceptCsv = /text\/(?:csv|\*)/i;

/** Writes an answer as CSV from its JSON, and sets the header with the fields beside its rows. */
export type WriteCsv = (reply: FastifyReply, json: string) => string;

/**
 * Chooses between JSON and CSV for the answers of an operation: returns the writer if a request
 * accepts CSV above JSON. Undefined for an operation whose answers are not row-shaped.
 */
export function csvAnswers(
  contract: Contract,
): ((request: FastifyRequest, reply: FastifyReply) => WriteCsv | undefined) | undefined {
  const shape = rowShapeOf(contract);
  if (shape === undefined) return undefined;
  const writer = createCsvWriter(shape.columns.map(columnOf));
  const write: WriteCsv = (reply, json) => {
    const answer: unknown = JSON.parse(json);
    const envelope = fieldsBeside(answer, []);
    if (envelope.length > 0)
      reply.header('vitrine-envelope', String(new URLSearchParams(envelope)));
    return writer.header() + writer.rows(valueAt(answer, shape.path) as readonly unknown[]);
  };
  return (request, reply) => {
    varyBy(reply, 'accept');
    return acceptsCsv(request) ? write : undefined;
  };
}

function acceptsCsv({ headers }: FastifyRequest): boolean {
  if (!mayAcceptCsv.test(headers.accept ?? '')) return false;
  return new Negotiator({ headers }).mediaType(mediaTypes)?.startsWith('text/csv') === true;
}

function columnOf({ path, type }: RowColumn): Column<unknown> {
  const cell =
    type === 'number'
      ? (row: unknown) => numberCell(valueAt(row, path))
      : (row: unknown) => textCell(valueAt(row, path));
  return { name: path.join('.'), type, cell };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((found, name) => (isObject(found) ? found[name] : undefined), value);
}

/** A figure; blank where there is none. */
function numberCell(value: unknown): Cell {
  if (value === undefined || value === null || value === noText) return null;
  const text = String(value);
  return text.includes('e')
    ? Number(value).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}

/** A text; a list as its JSON. */
function textCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The fields of an answer other than lists, by their paths. */
function fieldsBeside(value: unknown, path: readonly string[]): [string, string][] {
  if (Array.isArray(value)) return [];
  if (!isObject(value)) return [[path.join('.'), String(value ?? '')]];
  return Object.entries(value).flatMap(([name, field]) => fieldsBeside(field, [...path, name]));
}
