import { Effect, Layer, Option } from "effect"
import { isHidden } from "../catalog/ActivityView.ts"
import { activityPage, followLog } from "../catalog/ActivityScan.ts"
import { Catalog, type PageRequest } from "../catalog/Catalog.ts"
import {
  deliveryText,
  formText,
  identifierText,
  objectText,
  type SubjectKey,
  type WorkspaceId,
} from "../values/Identifier.ts"
import { Turns, type ReadTurns } from "../catalog/ReadTurns.ts"
import type { Holder, Subject } from "../state/Subject.ts"
import { subjectByText } from "../WorkingSet.ts"
import { MemoryState } from "./MemoryState.ts"
import { isA, matchesPrefix, recordOf, subjectPage, type OfKind } from "./queries.ts"
import {
  deliveryRecord,
  isRelatedTo,
  objectRecord,
  listedPersonRecord,
  personRecord,
  relatedRecord,
  segmentRecord,
} from "./records.ts"
import { MemoryScan } from "./scan.ts"

/** Reads the contents of the memory store. */
export const catalog = Layer.effect(
  Catalog,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const turns = yield* Turns
    return Catalog.of({ ...people(state, turns), ...things(state, turns), ...log(state, turns) })
  }),
)

type State = MemoryState["Service"]

const people = (
  state: State,
  turns: ReadTurns,
): Pick<Catalog["Service"], "person" | "personByIdentifier" | "people" | "members" | "isSuppressed"> => {
  const { identifiers, subjects, suppressed } = state.everything
  const list = lister(state, turns)
  const person = (workspace: WorkspaceId, key: SubjectKey | undefined) =>
    Effect.sync(() => {
      const subject = key === undefined ? undefined : subjects.get(key)
      return ofKind(workspace, "Person", subject).pipe(Option.map((one) => personRecord(state, one)))
    })
  return {
    person,
    personByIdentifier: (workspace, { kind, value }) =>
      Effect.suspend(() => person(workspace, identifiers.get(identifierText(workspace, kind, value)))),
    people: (workspace, prefix, page) =>
      list("Person", workspace, page, listedPersonRecord, (one) => matchesPrefix(one, prefix)),
    members: (workspace, key, page) =>
      list(
        "Person",
        workspace,
        page,
        listedPersonRecord,
        (one) => one.segments.includes(key) && Option.isSome(ofKind(workspace, "Segment", subjects.get(key))),
      ),
    isSuppressed: (workspace, { kind, value }) =>
      Effect.sync(() => suppressed.has(identifierText(workspace, kind, value))),
  }
}

const things = (
  state: State,
  turns: ReadTurns,
): Pick<
  Catalog["Service"],
  | "object"
  | "objects"
  | "related"
  | "segment"
  | "segments"
  | "form"
  | "forms"
  | "delivery"
  | "deliveries"
  | "workspacesOfDelivery"
> => {
  const { everything, workspaces } = state
  const list = lister(state, turns)
  const byText = <Tag extends Subject["_tag"]>(workspace: WorkspaceId, tag: Tag, text: string) =>
    ofKind(workspace, tag, subjectByText(everything, text))
  return {
    object: (workspace, typeId, objectId) =>
      Effect.sync(() =>
        byText(workspace, "DataObject", objectText(workspace, typeId, objectId)).pipe(
          Option.map((one) => objectRecord(state, one)),
        ),
      ),
    objects: (workspace, typeId, page) =>
      list("DataObject", workspace, page, objectRecord, (one) => typeId === null || one.typeId === typeId),
    related: (workspace, object, page) =>
      turns.work(() =>
        subjectPage(
          state,
          (one: Subject): one is Holder => one.workspace === workspace && isRelatedTo(object)(one),
          page,
          (one) => relatedRecord(object, one),
        ),
      ),
    segment: (workspace, key) =>
      Effect.sync(() =>
        ofKind(workspace, "Segment", everything.subjects.get(key)).pipe(
          Option.map((one) => segmentRecord(state, one)),
        ),
      ),
    segments: (workspace, page) => list("Segment", workspace, page, segmentRecord),
    form: (workspace, formId) => Effect.sync(() => byText(workspace, "Form", formText(workspace, formId))),
    forms: (workspace, page) => list("Form", workspace, page, (_, one) => one),
    delivery: (workspace, deliveryId) =>
      Effect.sync(() =>
        byText(workspace, "Delivery", deliveryText(workspace, deliveryId)).pipe(
          Option.map((one) => deliveryRecord(state, one)),
        ),
      ),
    deliveries: (workspace, page) => list("Delivery", workspace, page, deliveryRecord),
    workspacesOfDelivery: (deliveryId) =>
      Effect.sync(() =>
        [...workspaces.keys()].filter((id) => everything.identifiers.has(deliveryText(id, deliveryId))),
      ),
  }
}

const log = (
  state: State,
  turns: ReadTurns,
): Pick<Catalog["Service"], "activity" | "follow" | "operation"> => ({
  activity: (workspace, filter, page) =>
    turns.work(() => activityPage(new MemoryScan(state, workspace, filter, page), page.limit)),
  follow: (workspace, filter, after) =>
    turns.work(() => followLog(new MemoryScan(state, workspace, filter, { after, order: "asc" }))),
  operation: (workspace, sequence) =>
    Effect.sync(() =>
      Option.fromUndefinedOr(state.log.get(sequence)).pipe(
        Option.filter((entry) => entry.workspace === workspace),
        Option.map((entry) => recordOf(state, entry)),
        Option.filter((record) => !isHidden(record)),
      ),
    ),
})

const ofKind = <Tag extends Subject["_tag"]>(
  workspace: WorkspaceId,
  tag: Tag,
  subject: Subject | undefined,
): Option.Option<OfKind<Tag>> => Option.filter(Option.fromUndefinedOr(subject), isA(tag, workspace))

/** Returns a function that lists the subjects of one kind in a workspace. */
const lister =
  (state: State, turns: ReadTurns) =>
  <Tag extends Subject["_tag"], Item>(
    tag: Tag,
    workspace: WorkspaceId,
    page: PageRequest<SubjectKey>,
    toItem: (state: State, subject: OfKind<Tag>) => Item,
    isWanted: (subject: OfKind<Tag>) => boolean = () => true,
  ) => {
    const isOfKind = isA(tag, workspace)
    const isListed = (subject: Subject): subject is OfKind<Tag> => isOfKind(subject) && isWanted(subject)
    return turns.work(() => subjectPage(state, isListed, page, (one) => toItem(state, one)))
  }
