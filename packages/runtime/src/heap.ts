import { executionAsyncResource } from "node:async_hooks"
import { setFlagsFromString } from "node:v8"

/**
 * A garbage collection starts when the heap has grown by this percentage of its live size. With V8's default, garbage
 * would pile up to several times the memory that the server needs.
 */
const heapGrowthPercent = 100

/**
 * Limits the growth of the heap under load. The size of the young generation is limited by a flag in `pnpm start`,
 * because V8 accepts that limit only on the command line. For threads that start later, the flag would outdo the limits with which
 * they are started, so it is taken back.
 *
 * Where most objects outlive a collection of the young generation, V8 begins to create them in the old one. What a large
 * batch reads and writes outlives one and is garbage when the batch ends, which only a collection of the old generation would notice.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  setFlagsFromString("--no-allocation-site-pretenuring")
  setFlagsFromString("--max-semi-space-size=0")
}

const kept = new Set<object>()

/**
 * Keeps one of Node's `process.nextTick` objects alive, which makes single events about 5 % cheaper. If all these
 * objects were collected, V8 would drop their hidden class and the code that is optimised for it. Creating more of them
 * would then be slow, and every request creates five.
 */
export const keepTickShape = (): void => {
  if (kept.size === 0) process.nextTick(() => kept.add(executionAsyncResource()))
}
