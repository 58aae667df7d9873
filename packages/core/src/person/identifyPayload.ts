import type { IdentifyPerson } from "./commands.ts"
import type { IdentifierKind } from "../values/Identifier.ts"
import { setKey, type Json, type JsonObject } from "../values/Json.ts"
import { relationshipsPayload } from "../relationship/payload.ts"

/**
 * Returns the payload of an identify call for its log entry. Leaves out refused identifiers, because they may belong to
 * other people, and deleting those people would not erase this entry.
 */
export const identifyPayload = (
  command: IdentifyPerson,
  refused: ReadonlySet<IdentifierKind>,
): JsonObject => {
  const { anonymousId, assignments, email, id, relationships, updateOnly, workspace } = command
  const data: { [key: string]: Json } = {}
  if (id !== null && !refused.has("id")) data["id"] = id
  if (email !== null && !refused.has("email")) data["email"] = email
  if (anonymousId !== null && !refused.has("anonymous_id")) data["anonymous_id"] = anonymousId
  if (updateOnly) data["_update"] = true
  for (const { name, value } of assignments) setKey(data, name, value)
  if (relationships !== null) {
    data["svc_relationships"] = {
      action: relationships.action === "add" ? "add_relationships" : "delete_relationships",
      relationships: relationshipsPayload(workspace.id, relationships.entries),
    }
  }
  return data
}
