import { Refusal } from '../contract/refusal.ts';

/** Stands in for what is not there yet. */
export const pending = async (): Promise<never> => {
  throw new Refusal(503, 'not there yet');
};
