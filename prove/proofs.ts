/** All promises. */
import { clusterProofs } from './cluster.ts';
import { damageProof } from './damage.ts';
import { diskProofs } from './fullDisk.ts';
import { hostileProofs } from './hostileRequests.ts';
import { killProofs } from './kill.ts';
import { memoryProof } from './memory.ts';
import { outageClusterProof } from './outageCluster.ts';
import { outageProofs } from './outages.ts';
import { patternProof } from './patterns.ts';
import { poisonProofs } from './poison.ts';
import type { Proof } from './promise.ts';
import { repeatProofs } from './repeats.ts';
import { slowClientProof } from './slowClients.ts';
import { soakProof } from './soak.ts';
import { suiteProofs } from './suites.ts';
import { syncProof } from './syncs.ts';

/** All promises, in the order of the table. */
export const proofs: readonly Proof[] = [
  ...killProofs,
  ...clusterProofs,
  ...repeatProofs,
  ...diskProofs,
  damageProof,
  ...outageProofs,
  outageClusterProof,
  ...hostileProofs,
  ...poisonProofs,
  patternProof,
  memoryProof,
  ...suiteProofs,
  slowClientProof,
  soakProof,
  syncProof,
];
