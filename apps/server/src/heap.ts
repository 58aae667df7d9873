import { executionAsyncResource } from "node:async_hooks"
import { setFlagsFromString } from "node:v8"

/**
 * How far the heap may grow beyond its live size before a collection, in percent. With V8's default, garbage would pile up
 * to several times the memory that the server needs.
 */
const heapGrowthPercent = 70

/** Limits heap growth under load. `pnpm start` also limits the young generation, which only a command-line flag can. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)

const kept = new Set<object>()

/**
 * Keeps one of Node's `process.nextTick` objects alive. When garbage collection removes the last such object, V8 also drops
 * their hidden class and the code optimised for it, and creates all later objects slowly. A request creates five of them,
 * so without this function a single event costs about 5 % more.
 */
export const keepTickShape = (): void => {
  if (kept.size === 0) process.nextTick(() => kept.add(executionAsyncResource()))
}
