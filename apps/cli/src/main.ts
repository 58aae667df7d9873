#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// Keeps what was compiled for the next start, so that it answers sooner.
enableCompileCache()
await import("./run.ts")
