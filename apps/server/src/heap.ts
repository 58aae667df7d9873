import { setFlagsFromString } from "node:v8"

/**
 * How much the heap may grow, in percent of what lives in it, before it is collected. Most of what a request leaves
 * behind dies young; by default the rest would pile up to several times what the server needs.
 */
const heapGrowthPercent = 40

/** Keeps the process small under load, for a little more collecting. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
