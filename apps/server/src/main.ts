import { enableCompileCache } from "node:module"

// Keeps what was compiled for the next start, so that it answers sooner and takes less memory.
enableCompileCache()
await import("./run.ts")
