#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { env } from "node:process"

// Caches compiled code on disk, so that the next start is faster.
enableCompileCache()

// Each sync of the store of `inlet serve` occupies a thread of Node's pool, which has only 4 threads by default. Node
// reads the size of the pool when it starts the first thread.
env["UV_THREADPOOL_SIZE"] ??= "12"
await import("./run.ts")
