/** Connections of a node beside its pool: one listens, and one writes lakes. */
const besidePool = 2

/** Connections for operators, backups and the server itself. */
const besideNodes = 10

/** The smallest `max_connections` of a server with this many nodes, each with a pool of this size. */
export const connectionsNeeded = (poolSize: number, nodes: number): number =>
  (poolSize + besidePool) * nodes + besideNodes
