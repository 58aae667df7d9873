import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Layer } from "effect"
import { LakeThread } from "../src/thread/LakeThread.ts"

/** The thread, without a store to read. */
export const fileThread = LakeThread.layer.pipe(Layer.provide(Layer.succeed(ThreadCatalog, noThreadCatalog)))
