/**
 * Settings of the query planner for one transaction. The settings make every statement use index lookups, whatever the
 * statistics of the tables say. Without these settings, PostgreSQL could make a plan with a sequential scan or a hash
 * join while a table is small, and would still use this plan after the table has grown.
 */
export const planSettings = [
  ["enable_seqscan", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
  ["jit", "off"],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(", ")
