import type { UnmergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import { movingEventsDocument } from "@inlethq/log/documents/mergeDocuments"
import { personDocument } from "@inlethq/contract/people/People"
import { messageOf, sentenceOf } from "@inlethq/wire/texts/sentences"
import { pathInBrand } from "@inlethq/wire/texts/WrittenBrand"
import { noReasons } from "@inlethq/core/log/Reason"
import { InvalidRequest, NotFound } from "@inlethq/contract/access/Problem"
import type { Catalog, PersonRecord } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import { mergeOf } from "@inlethq/engine/erasures/merges"
import { movingEvents } from "@inlethq/log/history/movingEvents"
import type { UnmergePeople } from "@inlethq/core/person/commands"
import type { Store } from "@inlethq/core/ports/Store"
import { previewUnmerge } from "@inlethq/core/previewUnmerge"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { svcIdText } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Option } from "effect"
import { foundOr404, personKeyOf } from "../answers/lookup.ts"
import { managementEnvelope } from "./managementEnvelope.ts"
import { BrandInUse } from "../../BrandInUse.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { namesIn, personNamed } from "../answers/personNames.ts"

/** What reads the merge, and what it needs from the state. */
interface Reader {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
}

/** Returns the command that undoes the last merge of a person into another. Fails with a 404 if there is none to undo. */
const unmergeCommand = Effect.fnUntraced(function* (
  { catalog }: Reader,
  workspace: Workspace,
  { person }: PersonRecord,
  secondary: string,
  isDivided: boolean,
) {
  const key = personKeyOf(workspace.id, secondary)
  const now = yield* Clock.currentTimeMillis
  const merge = key === undefined ? null : yield* mergeOf(catalog, person, key, now)
  if (merge === null) return yield* new NotFound({ detail: problemTexts.noMerge() })
  const command: UnmergePeople = {
    ...(yield* managementEnvelope(workspace)),
    _tag: "UnmergePeople",
    primary: merge.primary,
    secondary: merge.secondary,
    receipt: merge.receipt,
    divide: isDivided,
  }
  return command
})

/** Returns what undoing a merge would do, without undoing it. */
export const unmergePreviewOf = Effect.fnUntraced(function* (
  reader: Reader,
  workspace: Workspace,
  primary: PersonRecord,
  secondary: string,
  isDivided: boolean,
) {
  const { catalog, store } = reader
  const command = yield* unmergeCommand(reader, workspace, primary, secondary, isDivided)
  const state = yield* store.view(needsOf(workspace.id, [command]))
  const { entry, people, stays } = previewUnmerge(state, command)
  const brand = yield* BrandInUse
  const document: UnmergePreviewDocument = {
    outcome: entry?.outcome ?? "dropped",
    reason: sentenceOf(brand, entry?.reasons ?? noReasons),
    primary: personDocument(primary),
    after:
      people === null
        ? null
        : {
            primary: personDocument(yield* catalog.recordOf(workspace.id, people.primary)),
            secondary: personDocument(yield* catalog.recordOf(workspace.id, people.secondary)),
          },
    events:
      people === null ? null : movingEventsDocument(yield* movingEvents(catalog, primary.person, command)),
    stays: stays.map(({ other, reason }) => ({
      path: pathInBrand(brand, reason.field),
      reason: messageOf(brand, reason),
      code: reason.code,
      other: other === null ? null : svcIdText(workspace.id, other),
    })),
  }
  return document
})

/** Returns the command of an operation that an operator asks for, if it is the end of a merge, otherwise null. */
export const requestedUnmerge = Effect.fnUntraced(function* (
  reader: Reader,
  workspace: Workspace,
  { action, divide = false, primary, secondary, type }: JsonObject,
) {
  if (type !== "person" || action !== "unmerge") return null
  if (typeof divide !== "boolean") return yield* new InvalidRequest({ detail: problemTexts.wrongDivide() })
  const [name] = namesIn(textsOf(primary ?? null))
  const { svc_id } = textsOf(secondary ?? null)
  if (name === undefined || svc_id === undefined) {
    return yield* new InvalidRequest({ detail: problemTexts.wrongUnmerge() })
  }
  const found = yield* personNamed(reader.catalog, workspace.id, name)
  const record = yield* foundOr404(found, problemTexts.notFound({ thing: "person" }))
  return yield* unmergeCommand(reader, workspace, record, svc_id, divide)
})

const textsOf = (value: Json) => {
  const text = (name: string): Option.Option<string> => {
    const part = isJsonObject(value) ? value[name] : undefined
    return typeof part === "string" ? Option.some(part) : Option.none()
  }
  const [id, email, svcId] = [text("id"), text("email"), text("svc_id")]
  return {
    ...(Option.isSome(id) && { id: id.value }),
    ...(Option.isSome(email) && { email: email.value }),
    ...(Option.isSome(svcId) && { svc_id: svcId.value }),
  }
}
