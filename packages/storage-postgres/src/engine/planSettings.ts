/**
 * Settings of the query planner for one transaction. The settings make every statement use index lookups, whatever the
 * statistics of the tables say. Without them, a plan with a sequential scan or a hash join, made while a table was
 * small, would stay in use while the table grows.
 */
export const planSettings = [
  ["enable_seqscan", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
  ["jit", "off"],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(", ")
