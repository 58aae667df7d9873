import type { Command, RejectOperation } from "@inlet/core/Command"
import { isJsonObject } from "@inlet/core/Json"
import { Result } from "effect"
import type { Receipt } from "../wire/Receipt.ts"
import { fault, notAnObject, reject } from "../wire/reject.ts"
import { decodeDelete, decodeEvent, decodeIdentify, unsupported, type Decode } from "./people.ts"

/** Who reads an item, by its type and action (track-api §4.2). */
const entities: ReadonlyMap<string, ReadonlyMap<string, Decode>> = new Map([
  [
    "person",
    new Map([
      ["identify", decodeIdentify],
      ["delete", decodeDelete],
      ["event", decodeEvent("event")],
      ["page", decodeEvent("page")],
      ["screen", decodeEvent("screen")],
      ["viewed_content", decodeEvent("event", "viewed_content")],
      ["clicked_content", decodeEvent("event", "clicked_content")],
      ["add_relationships", unsupported("person add_relationships", "add_relationships")],
      ["delete_relationships", unsupported("person delete_relationships", "delete_relationships")],
      ["add_device", unsupported("person add_device", "add_device")],
      ["delete_device", unsupported("person delete_device", "delete_device")],
      ["merge", unsupported("person merge", "merge")],
      ["suppress", unsupported("person suppress", "suppress")],
      ["unsuppress", unsupported("person unsuppress", "unsuppress")],
    ]),
  ],
  [
    "object",
    new Map([
      ["identify", unsupported("object identify", "object_identify")],
      ["identify_anonymous", unsupported("object identify_anonymous", "object_identify")],
      ["delete", unsupported("object delete", "object_delete")],
      ["add_relationships", unsupported("object add_relationships", "add_relationships")],
      ["delete_relationships", unsupported("object delete_relationships", "delete_relationships")],
    ]),
  ],
  ["delivery", new Map([["event", unsupported("delivery event", "delivery_metric")]])],
])

/** Reads the payload of `/entity`, or one item of a batch (track-api §4.2). */
export const decodeEntity = (receipt: Receipt, item: unknown): Result.Result<Command, RejectOperation> => {
  if (!isJsonObject(item)) return Result.fail(reject(receipt, null, [notAnObject(receipt.batchIndex)]))
  const { action, type } = item
  const actions = typeof type === "string" ? entities.get(type) : undefined
  if (actions === undefined) return Result.fail(reject(receipt, null, [unknown("type", type)]))
  const decode = typeof action === "string" ? actions.get(action) : undefined
  if (decode === undefined) return Result.fail(reject(receipt, null, [unknown("action", action)]))
  return decode(receipt, item)
}

const unknown = (field: "type" | "action", value: unknown) =>
  value === undefined || value === null || value === ""
    ? fault("required", field, `${field} must be present`)
    : fault(`unknown_${field}`, field, `${field} is none that is known`)
