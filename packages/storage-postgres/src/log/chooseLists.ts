import { kindCodes } from "@inlethq/storage/columns/codes"
import { anyRuleCode, reasonCodes, ruleCode, textCodes } from "@inlethq/storage/columns/entryCodes"
import { nameColumn } from "@inlethq/storage/rows/entryRows"
import { storedOutcomes, type WantedEntries } from "@inlethq/storage/search/logFilter"
import type { WantedSubjects } from "@inlethq/storage/search/namedSubjects"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import type { Lists } from "./candidates.ts"
import { findDecisions, type WantedDecisions } from "./decisions.ts"
import { findNames } from "./names.ts"

const all: Lists = { index: "all" }

/**
 * Chooses the index that finds the fewest entries for a filter, and returns the values to look up in this index. Every
 * slice of a search chooses again, because values may have been added since the last one.
 */
export const chooseLists = (
  connection: Connection,
  wanted: WantedEntries,
  isNamed: (stored: string) => boolean,
): Effect.Effect<Lists, DatabaseError> => {
  const { filter, subjects, workspace } = wanted
  const { kind, name, outcome, reasons, rules, search } = filter
  const decisions = (those: Partial<WantedDecisions>) => {
    const lists = findDecisions(connection, workspace, { kinds: null, outcomes: null, rules: null, ...those })
    return Effect.map(lists, (keys): Lists => (keys === undefined ? all : { index: "decision", keys }))
  }
  // Those that every search must look at.
  const unruled = () => decisions({ rules: [anyRuleCode] })
  if (subjects !== null) return several(subjectLists(subjects, decisions, unruled))
  const stored = nameColumn(name)
  if (stored !== null) return Effect.succeed({ index: "name", names: [stored] })
  if (reasons !== null) {
    const keys = reasons === "any" ? allTextCodes : distinct(reasonCodes(reasons))
    return several([Effect.succeed({ index: "reason", keys }), unruled()])
  }
  const decided = {
    kinds: kind === null ? null : [kindCodes[kind]],
    outcomes: outcome === null ? null : storedOutcomes(outcome),
    rules: rules === null ? null : [anyRuleCode, ...rules.map(ruleCode)],
  }
  const byDecision =
    kind === null && outcome === null && rules === null ? Effect.succeed(all) : decisions(decided)
  if (search === null) return byDecision
  return Effect.flatMap(findNames(connection, workspace, isNamed), (names) =>
    names === undefined ? byDecision : Effect.succeed<Lists>({ index: "name", names }),
  )
}

const subjectLists = (
  { anonymousCodes, deletions, keys }: WantedSubjects,
  decisions: (those: Partial<WantedDecisions>) => Effect.Effect<Lists, DatabaseError>,
  unruled: () => Effect.Effect<Lists, DatabaseError>,
): ReadonlyArray<Effect.Effect<Lists, DatabaseError>> => {
  const lists: Array<Effect.Effect<Lists, DatabaseError>> = [Effect.succeed({ index: "subject", keys })]
  if (anonymousCodes.length > 0) {
    lists.push(Effect.succeed({ index: "anonymous", keys: anonymousCodes }), unruled())
  }
  if (deletions) lists.push(decisions({ kinds: [kindCodes.object_delete] }))
  return lists
}

const several = (lists: ReadonlyArray<Effect.Effect<Lists, DatabaseError>>) =>
  Effect.map(Effect.all(lists), unite)

/** Returns lists that find what any of the given lists finds. Lists without values find nothing. */
const unite = (lists: ReadonlyArray<Lists>): Lists => {
  if (lists.some(({ index }) => index === "all")) return all
  const [only, ...others] = lists
  return only !== undefined && others.length === 0 ? only : { index: "several", lists }
}

const allTextCodes = Array.from({ length: textCodes - 1 }, (_, i) => i + 1)

const distinct = (codes: ReadonlyArray<number>): ReadonlyArray<number> => [...new Set(codes)]
