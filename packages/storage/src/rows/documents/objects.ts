import type { DataObject } from "@inlethq/core/state/DataObject"
import type { RuleBuild } from "@inlethq/core/state/RuleBuild"
import type { NextRule, Segment, SegmentRule, SilentBuild } from "@inlethq/core/state/Segment"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text, type Row } from "../../columns/columns.ts"
import { fromStored } from "../../columns/storedText.ts"
import { attributesOf, flatAttributes, type FlatAttributes } from "./attributes.ts"

/*
 * The documents of objects and segments in rows of `subjects`. Fields that are null or empty are left out.
 */

interface ObjectDocument {
  readonly objectId: string
  readonly attributes: FlatAttributes | undefined
  readonly settling?: SubjectKey | undefined
}

interface SegmentDocument {
  readonly name: string
  readonly description: string | undefined
  readonly rule?: SegmentRule | undefined
  readonly next?: NextRule | undefined
  readonly paused?: true | undefined
  readonly silent?: SilentBuild | undefined
}

interface BuildDocument extends Omit<
  RuleBuild,
  "_tag" | "key" | "workspace" | "startedAt" | "found" | "settles"
> {
  readonly settles?: RuleBuild["settles"] | undefined
  readonly found: ReadonlyArray<readonly [segment: SubjectKey, entered: number, left: number]>
}

export const objectDocument = ({ attributes, createdAt, objectId, settling }: DataObject): string => {
  const document: ObjectDocument = {
    objectId,
    attributes: flatAttributes(attributes, createdAt),
    settling: settling ?? undefined,
  }
  return JSON.stringify(document)
}

export const objectFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): DataObject => {
  const document: ObjectDocument = JSON.parse(text(row["doc"]))
  const createdAt = integer(row["created"])
  return {
    _tag: "DataObject",
    key,
    workspace,
    typeId: fromStored(text(row["name"])),
    objectId: document.objectId,
    attributes: attributesOf(document.attributes, createdAt),
    createdAt,
    updatedAt: integer(row["updated"]),
    settling: document.settling ?? null,
  }
}

export const segmentDocument = ({ description, name, next, paused, rule, silentBuild }: Segment): string => {
  const document: SegmentDocument = {
    name,
    description: description ?? undefined,
    rule: rule ?? undefined,
    next: next ?? undefined,
    paused: paused ? true : undefined,
    silent: silentBuild ?? undefined,
  }
  return JSON.stringify(document)
}

export const segmentFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Segment => {
  const document: SegmentDocument = JSON.parse(text(row["doc"]))
  return {
    _tag: "Segment",
    key,
    workspace,
    name: document.name,
    description: document.description ?? null,
    rule: document.rule ?? null,
    next: document.next ?? null,
    paused: document.paused ?? false,
    silentBuild: document.silent ?? null,
    createdAt: integer(row["created"]),
  }
}

export const buildDocument = (build: RuleBuild): string => {
  const { leaves, peopleBefore, readTo, readings, readingsDone, until, walkedTo } = build
  const found = Array.from(build.found, ([segment, { entered, left }]) => [segment, entered, left] as const)
  const document: BuildDocument = {
    until,
    leaves,
    readings,
    readingsDone,
    readTo,
    peopleBefore,
    walkedTo,
    found,
    settles: build.settles ?? undefined,
  }
  return JSON.stringify(document)
}

export const buildFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): RuleBuild => {
  const { found, ...document }: BuildDocument = JSON.parse(text(row["doc"]))
  return {
    _tag: "RuleBuild",
    key,
    workspace,
    startedAt: integer(row["created"]),
    ...document,
    settles: document.settles ?? null,
    found: new Map(found.map(([segment, entered, left]) => [segment, { entered, left }])),
  }
}
