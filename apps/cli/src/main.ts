#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// Caches compiled code on disk, so that the next start is faster.
enableCompileCache()
await import("./run.ts")
