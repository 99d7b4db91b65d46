/** The prepared statements of one DuckDB connection. */
import {
  BIGINT,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDateValue,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  StatementType,
  VARCHAR,
} from '@duckdb/node-api';
import type { Question } from '../question.ts';
import type { ParameterType } from '../vocabulary.ts';
import type { Parameters, Row } from '../warehouse.ts';
import { rowsOf } from './answers.ts';
import { type Statement, statementsOf } from './vocabulary.ts';

type One = (value: string | number) => DuckDBValue;
const toBigInt: One = (value) => BigInt(value);
const toDate: One = (value) => new DuckDBDateValue(Number(value));

const bindings: Record<ParameterType, { readonly type: DuckDBType; readonly one: One }> = {
  Int32: { type: INTEGER, one: Number },
  Int64: { type: BIGINT, one: toBigInt },
  Float64: { type: DOUBLE, one: Number },
  String: { type: VARCHAR, one: String },
  Date: { type: DATE, one: toDate },
  'Array(Int32)': { type: LIST(INTEGER), one: Number },
  'Array(Int64)': { type: LIST(BIGINT), one: toBigInt },
  'Array(Float64)': { type: LIST(DOUBLE), one: Number },
  'Array(String)': { type: LIST(VARCHAR), one: String },
  'Array(Date)': { type: LIST(DATE), one: toDate },
};

/** The statements of a question that a connection has prepared, by shape. */
type Prepared = {
  readonly statementFor: (given: Parameters) => Statement;
  readonly byShape: Map<string, DuckDBPreparedStatement>;
};

/** Prepares the statements of questions, and caches them for the life of the connection. */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #prepared = new Map<Question, Prepared>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** The statement of a question with bound parameters. */
  async bind(question: Question, given: Parameters): Promise<DuckDBPreparedStatement> {
    let known = this.#prepared.get(question);
    if (known === undefined) {
      known = { statementFor: statementsOf(question.sql), byShape: new Map() };
      this.#prepared.set(question, known);
    }
    const { shape, values, text } = known.statementFor(given);
    let prepared = known.byShape.get(shape);
    if (prepared === undefined) {
      prepared = await this.#connection.prepare(text());
      if (prepared.statementType !== StatementType.SELECT)
        throw new Error(`The question ${question.name} does not only read`);
      known.byShape.set(shape, prepared);
    }
    bindParameters(prepared, question, values);
    return prepared;
  }
}

/** Runs a statement once, outside questions of readers, and returns its rows. */
export async function runStatement(
  connection: DuckDBConnection,
  body: Question,
  given: Parameters,
): Promise<Row[]> {
  const { text, values } = statementsOf(body.sql)(given);
  const prepared = await connection.prepare(text());
  bindParameters(prepared, body, values);
  const rows = await rowsOf(await prepared.run());
  prepared.destroySync();
  return rows;
}

function bindParameters(
  prepared: DuckDBPreparedStatement,
  { parameters }: Question,
  given: Parameters,
): void {
  const values: Record<string, DuckDBValue> = {};
  const types: Record<string, DuckDBType> = {};
  // Some shapes of a statement do not use all parameters of the question.
  for (let index = 1; index <= prepared.parameterCount; index++) {
    const name = prepared.parameterName(index);
    const value = given[name];
    if (value === undefined) throw new Error(`The parameter ${name} is missing`);
    const { type, one } = bindings[parameters[name]!];
    values[name] = typeof value === 'object' ? listValue(value.map(one)) : one(value);
    types[name] = type;
  }
  prepared.bind(values, types);
}
