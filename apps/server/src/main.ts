import { enableCompileCache } from "node:module"
import { env } from "node:process"

// Caches compiled code on disk, so that the next start is faster and needs less memory.
enableCompileCache()

// Each sync of the store occupies a thread of Node's pool, so the pool is larger than Node's default of four threads.
// Node reads the size of the pool when it starts the first thread.
env["UV_THREADPOOL_SIZE"] ??= "12"
await import("./run.ts")
