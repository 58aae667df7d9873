import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Reason } from "@inlethq/core/log/Reason"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Subject } from "@inlethq/core/state/Subject"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Result } from "effect"
import { callTexts } from "../call/callTexts.ts"
import { encodeCall } from "../call/encodeCall.ts"
import { NamesReader } from "../call/NamesReader.ts"
import {
  decideCapsule,
  encodeCapsule,
  isSameVerdict,
  readCapsule,
  type Capsule,
  type Verdict,
} from "./Capsule.ts"
import { decisionOf } from "./compareEntries.ts"
import { createdIn, PastSubjects, peopleIn } from "./PastSubjects.ts"
import { Pseudonyms, type KeyedDigest } from "./Pseudonyms.ts"
import { commandOf } from "./trialCommands.ts"

/** What a capsule is made with. */
export interface CapsuleMaking {
  readonly snapshot: Snapshot
  readonly workspace: Workspace
  /** The version that makes it. */
  readonly version: string
  /** The next free key of the workspace. */
  readonly nextKey: SubjectKey
  /** Of a random key that is not kept. */
  readonly digest: KeyedDigest
}

/**
 * Packs the decision of an entry: the people and objects that it needed as they were, and its command, with everything that could
 * name somebody replaced. It is given out only if it is decided as the entry was, but for names in paths that were replaced. Otherwise fails with the reason.
 */
export const makeCapsule = Effect.fnUntraced(function* (
  { digest, nextKey, snapshot, version, workspace }: CapsuleMaking,
  record: ActivityRecord,
): Effect.fn.Return<Result.Result<Capsule, Reason>, StoreUnavailable> {
  const { entry } = record
  const names = new NamesReader(snapshot, workspace)
  const encoded = encodeCall(record, yield* names.namesFor(record))
  if (Result.isFailure(encoded)) return Result.fail(encoded.failure)
  const command = commandOf(encoded.success, entry, decidingPart(workspace))
  if (command === null) return Result.fail(callTexts.several())
  const subjects = yield* subjectsFor(new PastSubjects(snapshot, workspace.id), record, [command])
  const [first = nextKey] = createdIn(entry)
    .filter((key) => !subjects.has(key))
    .toSorted((a, b) => a - b)
  const expected = decisionOf(entry)
  if (expected === null) return Result.fail(callTexts.noEffect())
  const plain: Capsule = {
    capsule: 1,
    version,
    next_key: first,
    sequence: entry.sequence,
    subjects: [...subjects.values()],
    command: { ...command, workspace: withoutPlans(command.workspace) },
    expected,
  }
  if (!isSameVerdict(decideCapsule(plain), expected)) return Result.fail(callTexts.notRepeatable())
  const made = withoutValues(plain, new Pseudonyms(digest))
  const decided = made && decideCapsule(made)
  return made && decided && isSameVerdict(withoutPaths(decided), withoutPaths(expected))
    ? Result.succeed({ ...made, expected: decided })
    : Result.fail(callTexts.notRepeatable())
})

/** A path can have a name that looks like data, and so was replaced. */
const withoutPaths = (verdict: Verdict): Verdict => ({
  ...verdict,
  refused: verdict.refused
    .map(({ code }) => ({ code, path: "" }))
    .toSorted((one, other) => (one.code < other.code ? -1 : 1)),
})

/** The settings of a workspace that decide, without its name and where it sends its log. */
const decidingPart = (workspace: Workspace): Workspace => ({
  ...workspace,
  name: "capsule",
  kafka: null,
  lake: null,
})

/** Plans were applied when the command was decoded, and what they allow is nobody else's business. */
const withoutPlans = (workspace: Workspace): Workspace => ({
  ...workspace,
  plan: null,
  unknownEvents: "allow",
})

const withoutValues = (capsule: Capsule, pseudonyms: Pseudonyms): Capsule | undefined => {
  const encoded = encodeCapsule(capsule)
  if (!isJsonObject(encoded)) return undefined
  const { command = null, subjects = null } = encoded
  return readCapsule({
    ...encoded,
    command: pseudonyms.structure(command, ""),
    subjects: pseudonyms.structure(subjects, ""),
  })
}

const subjectsFor = Effect.fnUntraced(function* (
  past: PastSubjects,
  record: ActivityRecord,
  commands: Parameters<typeof needsOf>[1],
): Effect.fn.Return<ReadonlyMap<SubjectKey, Subject>, StoreUnavailable> {
  const { entry } = record
  const needs = needsOf(entry.workspace, commands)
  const found = new Map<SubjectKey, Subject>()
  for (const text of needs.identifiers) {
    const named = yield* past.named(text, entry, () => false)
    if (named?.subject != null) found.set(named.key, named.subject)
  }
  for (const key of new Set([...peopleIn(record), ...needs.subjects])) {
    if (found.has(key)) continue
    const { subject } = yield* past.person(key, entry)
    const other = subject ?? (needs.subjects.has(key) ? ((yield* past.segment(key))?.subject ?? null) : null)
    if (other !== null) found.set(key, other)
  }
  return found
})
