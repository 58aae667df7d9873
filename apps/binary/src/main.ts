import { env } from "node:process"

// The same as in the `inlet` command of npm: syncs of the database file occupy threads, and Node reads the size only once.
env["UV_THREADPOOL_SIZE"] ??= "12"
await import("./run.ts")
