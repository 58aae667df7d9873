import { answerOf } from "@inlethq/log/call/answerOf"
import { callSentence } from "@inlethq/log/call/callTexts"
import { encodeCall } from "@inlethq/log/call/encodeCall"
import { NamesReader } from "@inlethq/log/call/NamesReader"
import type { ActivityReader } from "@inlethq/log/reading/filteredActivity"
import type { OperationDocument } from "@inlethq/contract/activity/ActivityLog"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Result } from "effect"
import type { makeForwardedTo } from "./forwardedTo.ts"
import { explanationOf } from "./explanation.ts"

/**
 * The most entries of one person that are read back to find how a call named them then. Of somebody with more entries since
 * the operation, the call has today's identifiers.
 */
const entriesWalkedMax = 2000

/** Returns an operation with its explanation, the call that makes it again, and the answer to a rejected one. */
export const operationDocument = Effect.fnUntraced(function* (
  reader: ActivityReader,
  workspace: Workspace,
  record: ActivityRecord,
  forwardedTo: Effect.Success<typeof makeForwardedTo>,
) {
  const { brand, catalog } = reader
  const names = yield* new NamesReader(catalog, workspace, entriesWalkedMax).namesFor(record)
  const call = encodeCall(record, names)
  const document: OperationDocument = {
    ...activityDocument(record, brand),
    explanation: yield* explanationOf(reader, record),
    call: Result.getOrNull(call),
    call_reason: Result.isFailure(call)
      ? { code: call.failure.code, values: call.failure.values, reason: callSentence(call.failure) }
      : null,
    answer: answerOf(record, brand),
    forwards: yield* forwardedTo(record, names),
  }
  return document
})
