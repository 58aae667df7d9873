/**
 * What Inlet asks of Citus, on a plain server: the tables count as distributed, and their rows stay where they are. Every
 * statement then has the form for distributed tables. Whether Citus runs them shows only on Citus.
 */
export const citusStandIns: ReadonlyArray<string> = [
  "CREATE TABLE pg_dist_partition (logicalrelid REGCLASS PRIMARY KEY, partkey TEXT, colocated REGCLASS)",
  `CREATE FUNCTION create_reference_table(name REGCLASS) RETURNS VOID LANGUAGE SQL AS
    'INSERT INTO pg_dist_partition VALUES (name)'`,
  `CREATE FUNCTION create_distributed_table(name REGCLASS, part TEXT, colocate_with TEXT DEFAULT 'default')
    RETURNS VOID LANGUAGE SQL AS
    'INSERT INTO pg_dist_partition VALUES (name, part, CASE WHEN colocate_with <> ''default'' THEN colocate_with::regclass END)'`,
  `CREATE FUNCTION citus_total_relation_size(name REGCLASS, fail_on_error BOOLEAN DEFAULT true)
    RETURNS BIGINT LANGUAGE SQL AS 'SELECT pg_total_relation_size(name)'`,
]
