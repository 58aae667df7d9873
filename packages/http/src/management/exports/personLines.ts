import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { deliveryDocument } from "@inlethq/contract/objects/Deliveries"
import { mergeDocument } from "@inlethq/log/documents/mergeDocuments"
import { personDocument } from "@inlethq/contract/people/People"
import type { PersonExportLine } from "@inlethq/contract/transfer/PersonExport"
import type { ProvenanceDocument } from "@inlethq/contract/activity/Provenance"
import { provenanceOf } from "@inlethq/log/documents/provenance"
import { noFilter, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import { compileSegments } from "@inlethq/core/rule/definitions"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { isReserved } from "@inlethq/core/state/Attributes"
import type { Person } from "@inlethq/core/state/Person"
import { svcIdText, type Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import type { PageRequest } from "@inlethq/core/values/Page"
import { toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { pathInBrand } from "@inlethq/wire/texts/WrittenBrand"
import { Effect, Option, Stream } from "effect"
import { explainMembership, segmentsOfPerson } from "../segments/explainMembership.ts"
import { pages, written, type ExportSource, type Piece } from "./exportLines.ts"

type Lines<E = StoreUnavailable> = Stream.Stream<ReadonlyArray<PersonExportLine>, E>

/** What an export of one person reads with. */
export interface PersonSource extends ExportSource {
  readonly store: Store["Service"]
  readonly now: EpochMillis
}

/**
 * Exports everything that is stored about one person. The values come last, because their operations are found while the
 * activity is read, which happens once.
 */
export const personLines = (
  source: PersonSource,
  record: PersonRecord,
): Stream.Stream<Piece, StoreUnavailable> => {
  const { now, turns, workspace } = source
  const { person } = record
  const changed = new Map<string, ProvenanceDocument>()
  const profile: Lines = Stream.succeed([
    {
      section: "profile",
      exported_at: toIso(now),
      environment_id: workspace,
      person: personDocument(record),
    },
  ])
  return profile.pipe(
    Stream.concat(Stream.fromEffect(identitiesOf(source, person))),
    Stream.concat(segmentsOf(source, record)),
    Stream.concat(deliveriesOf(source, person)),
    Stream.concat(Stream.fromEffect(suppressionsOf(source, person))),
    Stream.concat(activityOf(source, person, changed)),
    Stream.concat(Stream.sync(() => valuesOf(source, person, changed))),
    Stream.mapEffect((lines) => written(turns, lines, (line) => line)),
  )
}

/** The people and visitors who belong to the person, with the merges that can still be undone. */
const identitiesOf = Effect.fnUntraced(function* ({ now, snapshot }: PersonSource, person: Person) {
  const everyMerge = { limit: person.attached.length, after: null, order: "desc" } as const
  const { items } = yield* mergesInto(snapshot, person, now, everyMerge)
  const merges = new Map(items.map((merge) => [merge.secondary, merge]))
  return person.attached.flatMap(({ at, key, merged, via }): ReadonlyArray<PersonExportLine> => {
    if (via !== undefined) return []
    const merge = merges.get(key)
    const line: PersonExportLine = {
      section: "identity",
      svc_id: svcIdText(person.workspace, key),
      kind: merged ? "merged" : "visitor",
      at: toIso(at),
      merge: merge === undefined ? null : mergeDocument(merge),
    }
    return [line]
  })
})

/** The segments of the person, with the proof of each rule. */
const segmentsOf = (
  { brand, now, snapshot, store, turns, workspace }: PersonSource,
  { person, segments }: PersonRecord,
): Lines => {
  const reader = { catalog: snapshot, store, turns, brand }
  return Stream.fromIterableEffect(segmentsOfPerson(reader, person, segments)).pipe(
    Stream.mapEffect(
      Effect.fnUntraced(function* (one) {
        const found = yield* snapshot.segment(workspace, one.segment_id)
        const rule = Option.match(found, {
          onNone: () => null,
          onSome: ({ segment }) => compileSegments([segment]).definitions.get(segment.key)?.current ?? null,
        })
        const explanation =
          rule === null ? null : yield* explainMembership(reader, person, one.segment_id, rule, now)
        return [{ section: "segment", ...one, explanation }] as const
      }),
    ),
  )
}

/** The deliveries to the person, and to the people who were merged into the person. */
const deliveriesOf = ({ snapshot, workspace }: PersonSource, person: Person): Lines =>
  Stream.fromIterable([person.key, ...person.attached.map(({ key }) => key)]).pipe(
    Stream.flatMap((recipient) =>
      pages((page: PageRequest<SubjectKey>) => snapshot.deliveriesTo(workspace, recipient, page)),
    ),
    Stream.map((records) =>
      records.flatMap((one): ReadonlyArray<PersonExportLine> => {
        return one.person?.key === person.key
          ? [{ section: "delivery", delivery: deliveryDocument(one) }]
          : []
      }),
    ),
  )

const suppressionsOf = ({ snapshot, workspace }: PersonSource, { email, id }: Person) =>
  Effect.forEach(
    [
      ...(id === null ? [] : [{ kind: "id", value: id } as const]),
      ...(email === null ? [] : [{ kind: "email", value: email } as const]),
    ],
    (identifier) =>
      Effect.map(snapshot.isSuppressed(workspace, identifier), (suppressed): PersonExportLine => {
        return { section: "suppression", ...identifier, suppressed }
      }),
  )

/** The activity of the person, newest first. Notes the last change of each field. */
const activityOf = (
  { brand, snapshot, workspace }: PersonSource,
  person: Person,
  changed: Map<string, ProvenanceDocument>,
): Lines =>
  pages((page: PageRequest<Sequence>) =>
    snapshot.activity(workspace, { ...noFilter, person }, { ...page, order: "desc" }),
  ).pipe(
    Stream.map((records) => {
      for (const one of provenanceOf(person.key, records, brand)) {
        if (!changed.has(one.path)) changed.set(one.path, one)
      }
      return records.map((record): PersonExportLine => {
        return { section: "activity", entry: activityDocument(record, brand) }
      })
    }),
  )

/** Each value of the person with the update that set it. */
const valuesOf = (
  { brand }: PersonSource,
  { anonymousIds, attributes, devices, email, emailAt, id, idAt }: Person,
  changed: ReadonlyMap<string, ProvenanceDocument>,
): ReadonlyArray<PersonExportLine> => {
  const line = (name: string, value: Json, at: EpochMillis | null): PersonExportLine => {
    const path = pathInBrand(brand, name)
    const found = changed.get(path)
    return {
      section: "value",
      path,
      value,
      set_at: at === null ? null : toIso(at),
      set_by: found === undefined ? null : withoutPath(found),
    }
  }
  return [
    ...(id === null ? [] : [line("id", id, idAt)]),
    ...(email === null ? [] : [line("email", email, emailAt)]),
    ...(anonymousIds.length === 0 ? [] : [line("anonymous_ids", [...anonymousIds], null)]),
    ...[...attributes].flatMap(([name, { at, value }]) =>
      value === null ? [] : [line(isReserved(name) ? name : `attributes.${name}`, value, at)],
    ),
    ...[...devices].map(([token, { lastUsed, platform }]) => line(`devices.${token}`, platform, lastUsed)),
  ]
}

const withoutPath = (document: ProvenanceDocument) => {
  const { path: _, ...setBy } = document
  return setBy
}
