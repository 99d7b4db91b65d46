/** Endpoints that only tests have. */
import Type from 'typebox';
import { contract } from '../src/contract/endpoint.ts';
import { Refusal } from '../src/contract/refusal.ts';
import { Text } from '../src/contract/shapes.ts';
import type { Endpoint } from '../src/endpoints/handler.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const post = { ...words, method: 'POST', answer: Type.Object({}) } as const;

/**
 * Two endpoints: one whose parameter `how` chooses the answer (missing, fails, later, or a text to
 * quote; anything else succeeds), and one that needs the grant for orders.
 */
export const examples: readonly Endpoint[] = [
  {
    contract: contract({
      ...post,
      operation: 'say',
      access: 'key',
      path: '/say',
      body: Type.Object({ how: Text() }),
    }),
    async handler({ how }: { how: string }) {
      if (how === 'missing') throw new Refusal(404, 'there is no such thing');
      if (how === 'fails') throw new Error('inside');
      if (how === 'later') throw new StoreUnavailable('warehouse', new Error('gone'));
      if (how.startsWith('quote '))
        throw new Refusal(400, `"${how}" has no answer: ${how.slice(6)}`);
      return {};
    },
  },
  {
    contract: contract({
      ...post,
      operation: 'readOrders',
      access: 'key',
      path: '/orders',
      needs: 'orders:read',
    }),
    handler: async () => ({}),
  },
];
