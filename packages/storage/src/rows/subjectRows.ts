import type { ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { stateCodes } from "../columns/codes.ts"
import { integer, text, type Row } from "../columns/columns.ts"
import { deliveryDocument, deliveryFromRow, formDocument, formFromRow } from "./documents/messages.ts"
import {
  buildDocument,
  buildFromRow,
  objectDocument,
  objectFromRow,
  segmentDocument,
  segmentFromRow,
} from "./documents/objects.ts"
import { personDocument, personFromRow, visitorDocument, visitorFromRow } from "./documents/people.ts"
import { subjectKey, workspaceId } from "../columns/ids.ts"
import { toStored } from "../columns/storedText.ts"

/*
 * Rows of the table `subjects` (people, objects and the like). Encoding and decoding are written by hand for speed,
 * because they run for everything that a batch reads or changes. A test proves that they agree with the schemas in
 * `packages/core`.
 */

export interface SubjectRow {
  readonly key: SubjectKey
  readonly workspace: WorkspaceId
  readonly state: number
  /**
   * The person to whom an identified visitor or a merged person belongs, the members of the rule in force of a segment, or
   * the segment of such members.
   */
  readonly owner: SubjectKey | null
  /** The type id of an object or the delivery id of a delivery. Queries filter by this column. */
  readonly name: string | null
  readonly created: number | null
  readonly updated: number | null
  readonly doc: string
}

interface AttachedDocument {
  readonly at: number
  readonly since: number
  readonly merged: 1 | undefined
  readonly merge: Sequence | undefined
}

/** The document of a deleted person or object while housekeeping is erasing its data. */
export interface ErasedDocument {
  /** Housekeeping erases only log entries before this position. */
  readonly before: Sequence
  /** The digests of the person's addresses, which must be removed from the reports on deliveries. */
  readonly addresses?: ReadonlyArray<string> | undefined
  /** Entries up to this log position are already erased. */
  readonly erasedTo?: Sequence | undefined
  /** The first address in `addresses` is already removed from all deliveries up to the delivery with this key. */
  readonly addressedTo?: SubjectKey | undefined
  /** The record of the ledger whose receipt counts what is erased. */
  readonly record?: ErasurePlace | undefined
  /** Entries about an object stay. */
  readonly keepsLog?: true | undefined
}

export const subjectRow = (subject: Subject): SubjectRow => {
  switch (subject._tag) {
    case "Person":
      return datedRow(stateCodes.person, subject, null, personDocument(subject))
    case "Visitor": {
      const isAnonymous = subject.knownAs.kind === "anonymous_id"
      const state = isAnonymous ? stateCodes.anonymous : stateCodes.waiting
      return datedRow(state, subject, null, visitorDocument(subject))
    }
    case "Attached": {
      const { at, merge, merged, owner, since } = subject
      const document: AttachedDocument = { at, since, merged: merged ? 1 : undefined, merge }
      return undatedRow(stateCodes.attached, subject, owner, JSON.stringify(document))
    }
    case "Erased":
      return subject.keepsLog === true
        ? undatedRow(
            stateCodes.stillNamed,
            subject,
            null,
            erasedDocument({ ...subject, erasedTo: subject.before }),
          )
        : undatedRow(stateCodes.erased, subject, null, erasedDocument(subject))
    case "DataObject":
      return datedRow(stateCodes.object, subject, toStored(subject.typeId), objectDocument(subject))
    case "Delivery":
      return datedRow(stateCodes.delivery, subject, toStored(subject.deliveryId), deliveryDocument(subject))
    case "Form":
      return datedRow(stateCodes.form, subject, null, formDocument(subject))
    case "Segment":
      return {
        ...datedRow(stateCodes.segment, subject, null, segmentDocument(subject)),
        owner: subject.rule?.members ?? null,
      }
    case "SegmentMembers":
      return undatedRow(
        subject.isCurrent ? stateCodes.segmentMembers : stateCodes.nextMembers,
        subject,
        subject.segment,
        "{}",
      )
    case "RuleBuild":
      return datedRow(
        stateCodes.ruleBuild,
        { ...subject, createdAt: subject.startedAt },
        null,
        buildDocument(subject),
      )
  }
}

const datedRow = (
  state: number,
  subject: Pick<Subject, "key" | "workspace"> & { readonly createdAt: number; readonly updatedAt?: number },
  name: string | null,
  doc: string,
): SubjectRow => ({
  key: subject.key,
  workspace: subject.workspace,
  state,
  owner: null,
  name,
  created: subject.createdAt,
  updated: subject.updatedAt ?? null,
  doc,
})

const undatedRow = (
  state: number,
  { key, workspace }: Pick<Subject, "key" | "workspace">,
  owner: SubjectKey | null,
  doc: string,
): SubjectRow => ({ key, workspace, state, owner, name: null, created: null, updated: null, doc })

export const erasedDocument = ({
  addressedTo,
  addresses = [],
  before,
  erasedTo,
  keepsLog,
  record,
}: ErasedDocument): string => {
  const document = {
    before,
    addresses: addresses.length === 0 ? undefined : addresses,
    erasedTo,
    addressedTo,
    record,
    keepsLog,
  }
  return JSON.stringify(document)
}

export const erasedDocumentIn = (row: Row): ErasedDocument => JSON.parse(text(row["doc"]))

/** Decodes a row of `subjects`. Throws if its state is unknown. */
export const subjectFromRow = (row: Row): Subject => {
  const key = subjectKey(integer(row["key"]))
  const workspace: WorkspaceId = workspaceId(integer(row["workspace"]))
  switch (row["state"]) {
    case stateCodes.person:
      return personFromRow(key, workspace, row)
    case stateCodes.anonymous:
    case stateCodes.waiting:
      return visitorFromRow(key, workspace, row)
    case stateCodes.attached: {
      const { at, merge, merged, since }: AttachedDocument = JSON.parse(text(row["doc"]))
      return {
        _tag: "Attached",
        key,
        workspace,
        owner: subjectKey(integer(row["owner"])),
        at,
        since,
        merged: merged === 1,
        ...(merge !== undefined && { merge }),
      }
    }
    case stateCodes.erased:
    case stateCodes.stillNamed: {
      const { addresses = [], before, keepsLog, record } = erasedDocumentIn(row)
      return {
        _tag: "Erased",
        key,
        workspace,
        before,
        addresses,
        ...(record !== undefined && { record }),
        ...(keepsLog === true && { keepsLog }),
      }
    }
    case stateCodes.object:
      return objectFromRow(key, workspace, row)
    case stateCodes.delivery:
      return deliveryFromRow(key, workspace, row)
    case stateCodes.form:
      return formFromRow(key, workspace, row)
    case stateCodes.segment:
      return segmentFromRow(key, workspace, row)
    case stateCodes.segmentMembers:
    case stateCodes.nextMembers: {
      const isCurrent = row["state"] === stateCodes.segmentMembers
      const segment = subjectKey(integer(row["owner"]))
      return { _tag: "SegmentMembers", key, workspace, segment, isCurrent }
    }
    case stateCodes.ruleBuild:
      return buildFromRow(key, workspace, row)
    default:
      throw new RangeError(`subject ${key} has the unknown state ${String(row["state"])}`)
  }
}
