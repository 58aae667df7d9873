import { executionAsyncResource } from "node:async_hooks"
import { setFlagsFromString } from "node:v8"

/**
 * How much the heap may grow, in percent of what lives in it, before it is collected. Most of what a request leaves
 * behind dies young; by default the rest would pile up to several times what the server needs.
 */
const heapGrowthPercent = 70

/** Keeps the process small under load. `pnpm start` bounds the young generation too, which only a flag at start can. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)

const kept = new Set<object>()

/**
 * Keeps one of the objects that Node makes for each `process.nextTick`, of which a request needs five. Their shape dies
 * with the last of them when the heap is collected, and Node's code, compiled for that shape, builds all later ones slowly:
 * without this a single event costs some 5 % more.
 */
export const keepTickShape = (): void => {
  if (kept.size === 0) process.nextTick(() => kept.add(executionAsyncResource()))
}
