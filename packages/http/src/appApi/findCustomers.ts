import type { PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { RuleTrial } from "@inlethq/core/rule/RuleTrial"
import type { Rule } from "@inlethq/core/rule/Rule"
import { patchPerson, type Person } from "@inlethq/core/state/Person"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { secondMs } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Option } from "effect"
import { type AppRefused, refuse } from "./AppAnswer.ts"
import { answerMsMax, scanMs, type AppCall } from "./AppCall.ts"
import { appTexts } from "./appTexts.ts"

/** The number of people in one read of a scan. */
const peoplePerRead = 500

type Found = Page<Pick<PersonRecord, "person" | "segments">, SubjectKey>

/** People among whom are all for whom a rule holds, in the order of their keys. */
type Candidates = (after: SubjectKey | null) => Effect.Effect<Found, StoreUnavailable>

/**
 * Finds the people for whom a filter holds, in the order of their keys, so that a cursor survives writes. An identifier and a segment
 * that everybody who is found must have are looked up; with neither, all people are read in slices. No page is empty
 * while another follows: a page that takes too long ends with what it has, and fails if it has nothing.
 */
export const findCustomers = Effect.fnUntraced(function* (
  call: AppCall,
  rule: Rule,
  { after, limit }: { readonly after: SubjectKey | null; readonly limit: number },
): Effect.fn.Return<Page<Person, SubjectKey>, AppRefused | StoreUnavailable> {
  const { turns } = call
  const now = yield* Clock.currentTimeMillis
  const candidates = candidatesOf(call, rule)
  const trial = new RuleTrial(rule)
  const items: Array<Person> = []
  for (let from = after; ;) {
    const { items: read, next } = yield* candidates(from)
    const isFull = yield* turns.work(function* () {
      for (const { person, segments } of read) {
        if (
          trial.holds({ person: patchPerson(person, { segments }), subjects: new Map(), entries: [] }, now)
        ) {
          // One more than the page holds, so that a page which ends the list says so.
          if (items.length === limit) return true
          items.push(person)
        }
        yield
      }
      return false
    })
    if (isFull) return { items, next: items.at(-1)?.key ?? null }
    if (next === null) return { items, next }
    from = next
    if ((yield* Clock.currentTimeMillis) - now < scanMs) continue
    if (items.length > 0) return { items, next }
    if ((yield* Clock.currentTimeMillis) - now >= answerMsMax) return yield* tooSlow
  }
})

/** A scan found nothing in time. */
export const tooSlow = Effect.suspend(() => {
  const refused = refuse(503, appTexts.tooSlow({ seconds: answerMsMax / secondMs }))
  return Effect.fail(refused)
})

const candidatesOf = (call: AppCall, rule: Rule): Candidates => {
  const { catalog, workspace } = call
  const needed = neededBy(rule, workspace.identifiers)
  switch (needed?._tag) {
    case "Identifier":
      return (after) =>
        Effect.map(catalog.personByIdentifier(workspace.id, needed), (found) => ({
          items: Option.toArray(found).filter(({ person }) => after === null || person.key > after),
          next: null,
        }))
    case "Segment":
      return (after) =>
        catalog.members(workspace.id, needed.segment, { after, limit: peoplePerRead, order: "asc" })
    case undefined:
      return (after) => catalog.people(workspace.id, null, { after, limit: peoplePerRead, order: "asc" })
  }
}

type Needed =
  | { readonly _tag: "Identifier"; readonly kind: "id" | "email"; readonly value: string }
  | { readonly _tag: "Segment"; readonly segment: SubjectKey }

/** Returns what everybody for whom a rule holds has, or undefined if there is no such thing. */
const neededBy = (rule: Rule, identifiers: Workspace["identifiers"]): Needed | undefined => {
  if (rule._tag === "InSegment") return { _tag: "Segment", segment: rule.segment }
  if (rule._tag === "And") {
    const parts = rule.rules.flatMap((part) => neededBy(part, identifiers) ?? [])
    return parts.find(({ _tag }) => _tag === "Identifier") ?? parts[0]
  }
  if (rule._tag !== "HasAttribute") return undefined
  const { any, field, test } = rule.condition
  if (any || (field !== "id" && field !== "email") || !identifiers[field]) return undefined
  // A number also equals texts that spell it otherwise, so only a text can be looked up.
  return test._tag === "Scalar" &&
    test.operator === "eq" &&
    typeof test.value === "string" &&
    test.value !== ""
    ? { _tag: "Identifier", kind: field, value: test.value }
    : undefined
}
