import { Effect, Layer, Option } from "effect"
import { isHidden } from "../Activity.ts"
import { Directory, type Page, type PageRequest } from "../Directory.ts"
import {
  deliveryText,
  formText,
  identifierText,
  objectText,
  type SubjectKey,
  type WorkspaceId,
} from "../Identifier.ts"
import type { Subject } from "../Subject.ts"
import { found } from "../WorkingSet.ts"
import { MemoryState } from "./MemoryState.ts"
import { activityPage, isA, listPage, matchesPrefix, recordOf, subjectsOf, type OfKind } from "./queries.ts"
import {
  deliveryRecord,
  listedObjectRecord,
  members,
  objectRecord,
  listedPersonRecord,
  personRecord,
  segmentRecord,
} from "./records.ts"

/** Reads what the memory store holds. */
export const directory = Layer.effect(
  Directory,
  Effect.map(MemoryState, (state) => Directory.of({ ...people(state), ...things(state), ...log(state) })),
)

type State = MemoryState["Service"]

const people = (
  state: State,
): Pick<Directory["Service"], "person" | "carrier" | "people" | "members" | "isSuppressed"> => {
  const { identifiers, subjects, suppressed } = state.everything
  const person = (workspace: WorkspaceId, key: SubjectKey | undefined) =>
    Effect.sync(() => {
      const subject = key === undefined ? undefined : subjects.get(key)
      return ofKind(workspace, "Person", subject).pipe(Option.map((one) => personRecord(state, one)))
    })
  return {
    person,
    carrier: (workspace, { kind, value }) =>
      Effect.suspend(() => person(workspace, identifiers.get(identifierText(workspace, kind, value)))),
    people: (workspace, prefix, page) =>
      Effect.sync(() => {
        const matching = subjectsOf(state, workspace, "Person").filter((one) => matchesPrefix(one, prefix))
        return pageOf(matching, page, (one) => listedPersonRecord(state, one))
      }),
    members: (workspace, key, page) =>
      Effect.sync(() => {
        const segment = ofKind(workspace, "Segment", subjects.get(key))
        const all = Option.match(segment, { onNone: () => [], onSome: (one) => members(state, one) })
        return pageOf(all, page, (one) => listedPersonRecord(state, one))
      }),
    isSuppressed: (workspace, { kind, value }) =>
      Effect.sync(() => suppressed.has(identifierText(workspace, kind, value))),
  }
}

const things = (
  state: State,
): Pick<
  Directory["Service"],
  | "object"
  | "objects"
  | "segment"
  | "segments"
  | "form"
  | "forms"
  | "delivery"
  | "deliveries"
  | "workspacesOfDelivery"
> => {
  const { everything, workspaces } = state
  const byText = <Tag extends Subject["_tag"]>(workspace: WorkspaceId, tag: Tag, text: string) =>
    ofKind(workspace, tag, found(everything, text))
  return {
    object: (workspace, typeId, objectId) =>
      Effect.sync(() =>
        byText(workspace, "DataObject", objectText(workspace, typeId, objectId)).pipe(
          Option.map((one) => objectRecord(state, one)),
        ),
      ),
    objects: (workspace, typeId, page) =>
      Effect.sync(() => {
        const all = subjectsOf(state, workspace, "DataObject")
        const matching = typeId === null ? all : all.filter((one) => one.typeId === typeId)
        return pageOf(matching, page, (one) => listedObjectRecord(state, one))
      }),
    segment: (workspace, key) =>
      Effect.sync(() =>
        ofKind(workspace, "Segment", everything.subjects.get(key)).pipe(
          Option.map((one) => segmentRecord(state, one)),
        ),
      ),
    segments: (workspace, page) =>
      Effect.sync(() =>
        pageOf(subjectsOf(state, workspace, "Segment"), page, (one) => segmentRecord(state, one)),
      ),
    form: (workspace, formId) => Effect.sync(() => byText(workspace, "Form", formText(workspace, formId))),
    forms: (workspace, page) =>
      Effect.sync(() => pageOf(subjectsOf(state, workspace, "Form"), page, (one) => one)),
    delivery: (workspace, deliveryId) =>
      Effect.sync(() =>
        byText(workspace, "Delivery", deliveryText(workspace, deliveryId)).pipe(
          Option.map((one) => deliveryRecord(state, one)),
        ),
      ),
    deliveries: (workspace, page) =>
      Effect.sync(() =>
        pageOf(subjectsOf(state, workspace, "Delivery"), page, (one) => deliveryRecord(state, one)),
      ),
    workspacesOfDelivery: (deliveryId) =>
      Effect.sync(() =>
        [...workspaces.keys()].filter((id) => everything.identifiers.has(deliveryText(id, deliveryId))),
      ),
  }
}

const log = (state: State): Pick<Directory["Service"], "activity" | "operation"> => ({
  activity: (workspace, filter, page) => Effect.sync(() => activityPage(state, workspace, filter, page)),
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

const pageOf = <One extends Subject, Item>(
  ascending: ReadonlyArray<One>,
  page: PageRequest<SubjectKey>,
  toItem: (subject: One) => Item,
): Page<Item, SubjectKey> => {
  const { items, next } = listPage(ascending, (subject) => subject.key, page)
  return { items: items.map(toItem), next }
}
