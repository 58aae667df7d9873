import { Effect } from "effect"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Store } from "@inlethq/core/ports/Store"
import { uploadRetentionMs, type UploadPart } from "@inlethq/core/ports/Upload"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const part: UploadPart = { workspace: WorkspaceId.make(1), name: "people:a:0", digest: "one", at: noon }

/** The properties that every store must have in the handling of registered uploads. */
export const uploadLaws: ReadonlyArray<Law> = [
  {
    name: "a part of an upload keeps its first digest for 30 days",
    check: Effect.gen(function* () {
      const { registerUpload } = yield* Store
      const other = { ...part, digest: "two", at: noon + uploadRetentionMs }
      yield* expectSame("first", yield* registerUpload(part), "one")
      yield* expectSame("again", yield* registerUpload(part), "one")
      yield* expectSame("another file", yield* registerUpload(other), "one")
      const later = { ...other, at: noon + uploadRetentionMs + 1 }
      yield* expectSame("after its time", yield* registerUpload(later), "two")
      yield* expectSame("after that", yield* registerUpload({ ...part, at: later.at }), "two")
    }),
  },
  {
    name: "distinguishes parts of uploads by name and workspace",
    check: Effect.gen(function* () {
      const { registerUpload } = yield* Store
      const other = { ...part, digest: "two" }
      yield* registerUpload(part)
      yield* expectSame("name", yield* registerUpload({ ...other, name: "people:a:1" }), "two")
      yield* expectSame(
        "workspace",
        yield* registerUpload({ ...other, workspace: WorkspaceId.make(2) }),
        "two",
      )
      yield* expectSame("itself", yield* registerUpload(other), "one")
    }),
  },
]
