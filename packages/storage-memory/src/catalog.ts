import { Effect, Layer, Option } from "effect"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import { isHidden } from "@inlethq/core/catalog/ActivityView"
import { activityPage, followLog } from "./ActivityScan.ts"
import { Catalog, listedTypes, ownershipOf } from "@inlethq/core/catalog/Catalog"
import { foundAmong, freedTexts, personBeginsWith } from "@inlethq/core/catalog/SubjectSearch"
import type { PageRequest } from "@inlethq/core/values/Page"
import {
  deliveryText,
  formText,
  identifierText,
  objectText,
  type SubjectKey,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Turns, type ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { recipientsOf } from "@inlethq/core/state/Delivery"
import { membersOf } from "@inlethq/core/state/Segment"
import type { Subject } from "@inlethq/core/state/Subject"
import { subjectByText } from "@inlethq/core/fold/WorkingSet"
import { countActivity } from "./counts.ts"
import { evidencePage } from "./evidence.ts"
import type { Island } from "./MemoryImage.ts"
import { MemoryState } from "./MemoryState.ts"
import { isA, recordOf, subjectPage, type OfKind } from "./queries.ts"
import {
  deliveryRecord,
  isRelatedTo,
  objectRecord,
  listedPersonRecord,
  personRecord,
  relatedRecord,
  segmentRecord,
} from "./records.ts"
import { suppressedAmong } from "./suppressedAmong.ts"
import { MemoryScan } from "./scan.ts"

type State = Pick<MemoryState["Service"], "islandOf" | "islands">

const makeCatalog = (state: State, turns: ReadTurns): Catalog["Service"] => ({
  ...people(state, turns),
  ...things(state, turns),
  ...log(state, turns),
})

/** Provides the catalog of the memory store. */
export const catalog = Layer.effect(
  Catalog,
  Effect.gen(function* () {
    return Catalog.of(makeCatalog(yield* MemoryState, yield* Turns))
  }),
)

/**
 * Opens snapshots. Each snapshot is a copy of the maps of a workspace. Commits replace values in the maps but never
 * change the values themselves.
 */
export const snapshots = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const { islandOf } = yield* MemoryState
    const turns = yield* Turns
    return Snapshots.of({
      open: (workspace) =>
        Effect.sync(() => {
          const island = copyOf(islandOf(workspace))
          return makeCatalog({ islandOf: () => island, islands: new Map([[workspace, island]]) }, turns)
        }),
    })
  }),
)

const copyOf = ({
  everything,
  log: entries,
  prunedTo,
  segmentSizes,
  senderIds,
  senders,
  suppressedDigests,
}: Island): Island => ({
  everything: {
    ...everything,
    identifiers: new Map(everything.identifiers),
    subjects: new Map(everything.subjects),
    erasedAddresses: new Map(everything.erasedAddresses),
    suppressed: new Map(everything.suppressed),
  },
  log: new Map(entries),
  prunedTo,
  senders: new Map(senders),
  senderIds,
  suppressedDigests: new Map(suppressedDigests),
  segmentSizes: new Map(segmentSizes),
})

const people = (
  { islandOf }: State,
  turns: ReadTurns,
): Pick<
  Catalog["Service"],
  | "person"
  | "personByIdentifier"
  | "recordOf"
  | "people"
  | "search"
  | "members"
  | "memberNames"
  | "isSuppressed"
> => {
  const list = lister(islandOf, turns)
  return {
    person: (workspace, key) => Effect.sync(() => personIn(islandOf(workspace), key)),
    personByIdentifier: (workspace, { kind, value }) =>
      Effect.sync(() => {
        const island = islandOf(workspace)
        return personIn(island, island.everything.identifiers.get(identifierText(kind, value)))
      }),
    recordOf: (workspace, person) => Effect.sync(() => personRecord(islandOf(workspace), person)),
    people: (workspace, prefix, page) =>
      list(
        "Person",
        workspace,
        page,
        listedPersonRecord,
        (one) => prefix === null || personBeginsWith(one, prefix),
      ),
    search: (workspace, search) =>
      Effect.sync(() => {
        const { digest, identifiers, subjects } = islandOf(workspace).everything
        const freed = freedTexts(search, digest).map((text) => identifiers.get(text))
        const merged = new Set(freed.filter((key) => key !== undefined))
        return { found: foundAmong(subjects.values(), search, merged), hasAllTypes: true }
      }),
    members: (workspace, key, page) => {
      const segment = islandOf(workspace).everything.subjects.get(key)
      return list(
        "Person",
        workspace,
        page,
        listedPersonRecord,
        (one) => segment?._tag === "Segment" && one.segments.includes(membersOf(segment)),
      )
    },
    memberNames: (workspace, key, page) => {
      const segment = islandOf(workspace).everything.subjects.get(key)
      return list(
        "Person",
        workspace,
        page,
        (_, { email, id, key, workspace }) => ({ key, workspace, id, email }),
        (one) => segment?._tag === "Segment" && one.segments.includes(membersOf(segment)),
      )
    },
    isSuppressed: (workspace, { kind, value }) =>
      Effect.sync(() => suppressedAmong(islandOf(workspace), [identifierText(kind, value)]).size > 0),
  }
}

const personIn = (island: Island, key: SubjectKey | undefined) => {
  const subject = key === undefined ? undefined : island.everything.subjects.get(key)
  return Option.map(ofKind("Person", subject), (one) => personRecord(island, one))
}

const things = (
  { islandOf, islands }: State,
  turns: ReadTurns,
): Pick<
  Catalog["Service"],
  | "object"
  | "objects"
  | "objectTypes"
  | "related"
  | "segment"
  | "segments"
  | "form"
  | "forms"
  | "delivery"
  | "deliveries"
  | "deliveriesTo"
  | "workspacesOfDelivery"
> => {
  const list = lister(islandOf, turns)
  const byText = <Tag extends Subject["_tag"], Item>(
    workspace: WorkspaceId,
    tag: Tag,
    text: string,
    toItem: (island: Island, subject: OfKind<Tag>) => Item,
  ) =>
    Effect.sync(() => {
      const island = islandOf(workspace)
      return Option.map(ofKind(tag, subjectByText(island.everything, text)), (one) => toItem(island, one))
    })
  return {
    object: (workspace, typeId, objectId) =>
      byText(workspace, "DataObject", objectText(typeId, objectId), objectRecord),
    objects: (workspace, typeId, page) =>
      list("DataObject", workspace, page, objectRecord, (one) => typeId === null || one.typeId === typeId),
    objectTypes: (workspace) => turns.work(() => typesIn(islandOf(workspace))),
    related: (workspace, object, page) =>
      turns.work(() =>
        subjectPage(islandOf(workspace), isRelatedTo(object), page, (one) => relatedRecord(object, one)),
      ),
    segment: (workspace, key) =>
      Effect.sync(() => {
        const island = islandOf(workspace)
        return Option.map(ofKind("Segment", island.everything.subjects.get(key)), (one) =>
          segmentRecord(island, one),
        )
      }),
    segments: (workspace, page) => list("Segment", workspace, page, segmentRecord),
    form: (workspace, formId) => byText(workspace, "Form", formText(formId), (_, one) => one),
    forms: (workspace, page) => list("Form", workspace, page, (_, one) => one),
    delivery: (workspace, deliveryId) =>
      byText(workspace, "Delivery", deliveryText(deliveryId), deliveryRecord),
    deliveries: (workspace, page) => list("Delivery", workspace, page, deliveryRecord),
    deliveriesTo: (workspace, recipient, page) =>
      list("Delivery", workspace, page, deliveryRecord, (one) => recipientsOf(one).includes(recipient)),
    workspacesOfDelivery: (deliveryId) =>
      Effect.sync(() =>
        [...islands]
          .filter(([, { everything }]) => everything.identifiers.has(deliveryText(deliveryId)))
          .map(([workspace]) => workspace)
          .toSorted((a, b) => a - b),
      ),
  }
}

/** The number of subjects at which one slice looks for types of objects. */
const subjectsPerSlice = 1000

function* typesIn({ everything }: Island): Slices<ReadonlyArray<string>> {
  const types = new Set<string>()
  const counter = new SliceCounter(subjectsPerSlice)
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "DataObject") types.add(subject.typeId)
    if (counter.isFull()) yield
  }
  return listedTypes(types)
}

const log = (
  { islandOf }: State,
  turns: ReadTurns,
): Pick<
  Catalog["Service"],
  | "activity"
  | "counts"
  | "evidence"
  | "follow"
  | "operation"
  | "erasedAmong"
  | "goneAmong"
  | "ownersAmong"
  | "prunedTo"
> => ({
  evidence: (workspace, between, page) => turns.work(() => evidencePage(islandOf(workspace), between, page)),
  activity: (workspace, filter, page) =>
    turns.work(() => activityPage(new MemoryScan(islandOf(workspace), filter, page), page.limit)),
  counts: (workspace, steps) => turns.work(() => countActivity(islandOf(workspace), steps)),
  follow: (workspace, filter, after) =>
    turns.work(() => followLog(new MemoryScan(islandOf(workspace), filter, { after, order: "asc" }))),
  operation: (workspace, sequence) =>
    Effect.sync(() => {
      const island = islandOf(workspace)
      return Option.fromUndefinedOr(island.log.get(sequence)).pipe(
        Option.map((entry) => recordOf(island, entry)),
        Option.filter((record) => !isHidden(record)),
      )
    }),
  prunedTo: (workspace) => Effect.sync(() => islandOf(workspace).prunedTo),
  goneAmong: (workspace, keys) =>
    Effect.sync(() => {
      const { subjects } = islandOf(workspace).everything
      return new Set([...keys].filter((key) => (subjects.get(key)?._tag ?? "Erased") === "Erased"))
    }),
  ownersAmong: (workspace, keys) =>
    Effect.sync(() => {
      const { subjects } = islandOf(workspace).everything
      return new Map(
        [...keys].flatMap((key) => {
          const owner = ownershipOf(subjects.get(key))
          return owner === undefined ? [] : [[key, owner] as const]
        }),
      )
    }),
  erasedAmong: (workspace, sequences) =>
    Effect.sync(() => {
      const island = islandOf(workspace)
      return new Set(sequences.filter((sequence) => !isWhole(island, island.log.get(sequence))))
    }),
})

/** Returns whether a log entry exists and nothing of it is erased. */
const isWhole = (island: Island, entry: ActivityEntry | undefined): boolean => {
  if (entry === undefined) return false
  const shown = recordOf(island, entry)
  const { overwritten, parts, refused } = shown.entry
  return (
    !shown.isErased &&
    parts.length === entry.parts.length &&
    refused.length === entry.refused.length &&
    overwritten.length === entry.overwritten.length
  )
}

const ofKind = <Tag extends Subject["_tag"]>(
  tag: Tag,
  subject: Subject | undefined,
): Option.Option<OfKind<Tag>> => Option.filter(Option.fromUndefinedOr(subject), isA(tag))

/** Returns a function that lists one kind of subject in a workspace, such as its people or its objects. */
const lister =
  (islandOf: State["islandOf"], turns: ReadTurns) =>
  <Tag extends Subject["_tag"], Item>(
    tag: Tag,
    workspace: WorkspaceId,
    page: PageRequest<SubjectKey>,
    toItem: (island: Island, subject: OfKind<Tag>) => Item,
    isWanted: (subject: OfKind<Tag>) => boolean = () => true,
  ) => {
    const island = islandOf(workspace)
    const isOfKind = isA(tag)
    const isListed = (subject: Subject): subject is OfKind<Tag> => isOfKind(subject) && isWanted(subject)
    return turns.work(() => subjectPage(island, isListed, page, (one) => toItem(island, one)))
  }
