#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { env } from "node:process"

// Caches compiled code on disk, so that the next start is faster and needs less memory.
enableCompileCache()

// The server needs more threads than the 4 of Node's default pool, because every sync of the database file occupies a
// thread. The size is set here, because Node reads it only once, when it starts the first thread.
env["UV_THREADPOOL_SIZE"] ??= "12"
await import("./run.ts")
