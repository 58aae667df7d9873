import { enableCompileCache } from "node:module"

// Caches compiled code on disk, so that the next start is faster and needs less memory.
enableCompileCache()
await import("./run.ts")
