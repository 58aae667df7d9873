import { createHmac } from "node:crypto"
import { needsOf } from "@inlethq/core/CommandTable"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Store } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { decodeCall } from "@inlethq/log/call/decodeCall"
import {
  decideCapsule,
  encodeCapsule,
  isSameVerdict,
  readCapsule,
  type Verdict,
} from "@inlethq/log/trial/Capsule"
import { decisionOf } from "@inlethq/log/trial/compareEntries"
import { makeCapsule } from "@inlethq/log/trial/makeCapsule"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { noon, register, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { createSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { hour } from "@inlethq/store-conformance/script/script"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { Effect, Layer, Option, Result } from "effect"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { personalCall, personalTexts } from "./personalCalls.ts"

/** The calls of one script. */
const callsMax = 60

const workspace: Workspace = workspaceOf(1)

/** Packs the decision of an entry. Returns the capsule as text, or null if it cannot be packed. */
const pack = Effect.fnUntraced(function* (record: ActivityRecord, key: string) {
  const [catalog, store] = [yield* Catalog, yield* Store]
  const { nextKey } = yield* store.view(needsOf(workspace.id, []))
  const digest = (text: string) => createHmac("sha256", key).update(text).digest()
  const making = { snapshot: catalog, workspace, version: "test", nextKey, digest }
  const made = yield* makeCapsule(making, record)
  return Result.isSuccess(made) ? JSON.stringify(encodeCapsule(made.success)) : null
})

/** Returns the personal texts that stand in a text, in any case and with or without escapes. */
const personalIn = (text: string): ReadonlyArray<string> => {
  const plain = text.toLowerCase()
  return personalTexts.filter((one) => {
    const small = one.toLowerCase()
    return plain.includes(small) || plain.includes(JSON.stringify(small).slice(1, -1))
  })
}

/** A path can have a name that was replaced. */
const withoutRefused = (verdict: Verdict | null) => verdict && { ...verdict, refused: [] }

/** Returns what is wrong with a capsule, or null. */
const wrongIn = (text: string, { entry }: ActivityRecord): string | null => {
  const [found] = personalIn(text)
  if (found !== undefined) return `${found} stands in ${text}`
  const capsule = readCapsule(JSON.parse(text))
  if (capsule === undefined) return `nobody can read ${text}`
  const isAsRecorded = isSameVerdict(withoutRefused(capsule.expected), withoutRefused(decisionOf(entry)))
  if (!isAsRecorded) return `${JSON.stringify(capsule.expected)} is not position ${entry.sequence}`
  return isSameVerdict(decideCapsule(capsule), capsule.expected) ? null : `it is decided otherwise: ${text}`
}

/** Sends random calls full of personal values, and packs each of their decisions. Returns what is wrong with their capsules. */
export const packDecisions = (seed: number) => {
  const random = numbers(seed)
  return Effect.gen(function* () {
    const catalog = yield* Catalog
    yield* apply(
      createSegment("friends of ada 1815"),
      createSegment("друзья ады", {
        rule: { attribute: { field: "plan", operator: "eq", value: "hunter2!" } },
      }),
      register("dlv-ada-5512", null, {
        recipient: "ada.mobile+491701234567",
        subject: "Letters to Charles",
        sources: [
          ["trigger_event_id", "trigger-ada-77"],
          ["campaign_id", 78_051_120],
        ],
      }),
    )
    let now = noon
    const found = { packed: 0, entries: 0, kinds: new Set<string>(), wrong: new Array<string>() }
    for (let sent = 0; sent < callsMax; sent++) {
      now += random(3) * hour + 137
      const call = personalCall(random)
      const client = { path: call.path, userAgent: null, address: null }
      const receipt = { workspace, brand: defaultBrand, receivedAt: now, client }
      const decided = yield* apply(...(decodeCall(receipt, call) ?? []))
      for (const { kind, sequence } of decided.entries) {
        const record = yield* catalog.operation(workspace.id, sequence)
        if (Option.isNone(record)) continue
        found.entries++
        const text = yield* pack(record.value, `key ${seed}`)
        if (text === null) continue
        found.packed++
        if (kind !== null) found.kinds.add(kind)
        const wrong = wrongIn(text, record.value)
        if (wrong !== null) found.wrong.push(wrong)
      }
    }
    return found
  }).pipe((work) => Effect.provide(work, Layer.fresh(memoryStore)))
}
