/** Addresses of buyers, which are personal data: assistants send what they read to others. */
import { isObject } from '../contract/jsonSchema.ts';

/** The fields of an order that hold the addresses of its buyer. */
const ofBuyer: ReadonlySet<string> = new Set(['BuyerInfo', 'ShippingAddress']);

/** The warning in place of these addresses. */
export const buyersWarning =
  'e-mail and shipping addresses of buyers are omitted: only a key whose grants hold buyers gives them to assistants';

/** An answer without the addresses of buyers. */
export function withoutBuyers(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutBuyers);
  if (!isObject(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer)
      .filter(([name]) => !ofBuyer.has(name))
      .map(([name, value]) => [name, withoutBuyers(value)]),
  );
}

/** Whether an answer holds addresses of buyers. */
export function hasBuyers(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.some(hasBuyers);
  if (!isObject(answer)) return false;
  return Object.entries(answer).some(([name, value]) => ofBuyer.has(name) || hasBuyers(value));
}
