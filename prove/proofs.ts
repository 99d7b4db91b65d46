/** All promises. */
import { clusterProofs } from './cluster.ts';
import { diskProofs } from './fullDisk.ts';
import { killProofs } from './kill.ts';
import { outageProofs } from './outages.ts';
import { poisonProofs } from './poison.ts';
import type { Proof } from './promise.ts';

/** All promises, in the order of the table. */
export const proofs: readonly Proof[] = [
  ...killProofs,
  ...clusterProofs,
  ...diskProofs,
  ...outageProofs,
  ...poisonProofs,
];
