import type { Command } from "@inlet/core/Command"
import type { RejectOperation } from "@inlet/core/operation/commands"
import { createdAtName, type Assignment } from "@inlet/core/state/Attributes"
import { fromIso, secondMs } from "@inlet/core/values/Timestamp"
import { Result } from "effect"
import { decodeEntity } from "../track-v2/entity.ts"
import type { Receipt } from "../wire/Receipt.ts"
import type { ExportedEntity } from "./Imports.ts"

/**
 * Decodes an entity that was made from an exported document: an entity of the Track API v2, and what that API cannot
 * say. Its key takes the place of the key in the entity.
 */
export const decodeExported = (
  receipt: Receipt,
  { entity, ...exported }: ExportedEntity,
): Result.Result<Command, RejectOperation> => {
  const { source = receipt.source } = exported
  return Result.map(decodeEntity({ ...receipt, source }, entity), (command) => completed(command, exported))
}

const completed = (
  command: Command,
  { created_at, key, kind, original_timestamp }: Omit<ExportedEntity, "entity">,
): Command => {
  const keyed = { ...command, deduplicationKey: key }
  switch (keyed._tag) {
    case "RecordEvent":
      return {
        ...keyed,
        // An event of a visitor keeps its kind when the visitor becomes a person.
        kind: kind ?? keyed.kind,
        originalTimestamp: fromIso(original_timestamp) ?? null,
      }
    case "IdentifyPerson":
      return { ...keyed, assignments: withCreatedAt(keyed.assignments, fromIso(created_at)) }
    default:
      return keyed
  }
}

/** The Track API cuts `created_at` to whole seconds, so its milliseconds are given beside the entity. */
const withCreatedAt = (assignments: ReadonlyArray<Assignment>, createdAt: number | undefined) =>
  createdAt === undefined
    ? assignments
    : assignments.map((assignment) =>
        assignment.name === createdAtName ? { ...assignment, value: createdAt / secondMs } : assignment,
      )
