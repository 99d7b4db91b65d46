/** The cluster that several servers of a served warehouse form. */

/** A cluster, as its servers know it. */
export type Cluster = {
  /** Its name in the `remote_servers` of each server. */
  readonly name: string;
  /** Whether each server has replicas, which share its tables. */
  readonly isReplicated: boolean;
};

/** The default cluster, unless settings name another. A single server needs no name for it. */
export const defaultCluster: Cluster = { name: 'vitrine', isReplicated: false };
