/**
 * Settings of the query planner for one transaction. Every statement finds the rows of a workspace by index, whatever the statistics say. A
 * plan that was made for a small table, with a sequential scan or a hash join, would otherwise stay in use while the table grows.
 */
export const planSettings = [
  ["enable_seqscan", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
  ["jit", "off"],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(", ")
