/** Operators, with names and scopes. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Id, Instant, ListOf, pages } from '../../../contract/records.ts';
import { scopes } from '../../../contract/scopes.ts';
import { NoAnswer, OneOf, Text } from '../../../contract/shapes.ts';

const graceSecondsMax = 30 * 86_400;

const Scopes = Type.Array(OneOf(scopes), {
  minItems: 1,
  maxItems: scopes.length,
  description:
    'What the operator may do: read (every GET), import (imports and undoing them), administer (everything).',
});

const Name = Text({
  maxLength: 60,
  trimmed: true,
  examples: ['nightly-import'],
  description: 'Name of the operator; the audit log shows it as operator:NAME.',
});

const NewToken = Type.Object(
  {
    operatorId: Type.String(),
    token: Type.String({ description: 'The token itself. No other answer contains it.' }),
  },
  { component: 'NewToken' },
);

/** Create an operator. */
export const createOperator = contract({
  operation: 'createOperator',
  access: 'operator',
  method: 'POST',
  path: '/operator/operators',
  summary: 'Create an operator',
  description:
    'Answers a token for one person or program. Changes with it are in the audit log under the name.',
  body: Type.Object({ name: Name, scopes: Scopes }),
  idempotencyKey: true,
  answer: NewToken,
});

/** List operators. */
export const listOperators = contract({
  operation: 'listOperators',
  access: 'operator',
  method: 'GET',
  path: '/operator/operators',
  summary: 'List operators',
  description:
    'By name, without their tokens. The operator of VITRINE_OPERATOR_TOKEN is not listed.',
  query: Type.Object(pages),
  answer: ListOf(
    'operators',
    Type.Object({
      operatorId: Type.String(),
      name: Type.String(),
      scopes: Type.Array(OneOf(scopes)),
      createdAt: Instant('When it was created.'),
    }),
  ),
});

/** Replace the token of an operator. */
export const rotateOperator = contract({
  operation: 'rotateOperator',
  access: 'operator',
  method: 'POST',
  path: '/operator/operators/{operatorId}/rotate',
  summary: 'Replace the token of an operator',
  description: 'The old token expires after the grace period, or at once without one.',
  pathParameters: Type.Object({ operatorId: Id('operator') }),
  body: Type.Object({
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: graceSecondsMax,
      default: 0,
      description: 'How long the old token stays valid.',
    }),
  }),
  idempotencyKey: true,
  answer: NewToken,
});

/** Delete an operator. */
export const deleteOperator = contract({
  operation: 'deleteOperator',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/operators/{operatorId}',
  summary: 'Delete an operator',
  description: 'The token stops working at once, on every node.',
  pathParameters: Type.Object({ operatorId: Id('operator') }),
  answer: NoAnswer,
});
