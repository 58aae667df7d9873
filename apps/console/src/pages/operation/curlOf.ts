import { managementPath } from "@inlet/api/management/managementPath"
import type { ActivityDocument } from "../../api/documents.ts"
import { rejectedOperation } from "./rejectedOperation.ts"
import { repeatedCall, trackV2Item, type JsonObject } from "./repeatedCall.ts"

/**
 * Returns a curl command that repeats the call of an operation: the same API, path and body, refused values included,
 * with placeholders for the credentials. If the log entry does not contain enough data to repeat the call, returns a
 * command that reads the entry.
 */
export const curlOf = (w: string, entry: ActivityDocument, origin: string): string => {
  const workspace = `${origin}${managementPath}/workspaces/${w}`
  const bearer = `-H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN"`
  const call = repeatedCall(entry)
  if (call !== null) {
    const user = entry.source === "pipelines" ? "$WRITE_KEY:" : "$SITE_ID:$API_KEY"
    const verb = call.method === "POST" ? "" : ` -X ${call.method}`
    return `curl -u "${user}"${verb} ${origin}${call.path}${sent(call.body)}`
  }
  const operation = entry.source === "management" ? repeatedOperation(entry) : null
  return operation === null
    ? `curl ${bearer} ${workspace}/operations/${entry.operation_id}`
    : `curl ${bearer} ${workspace}/operations${sent(operation)}`
}

const sent = (body: JsonObject | null): string =>
  body === null ? "" : ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`

/**
 * Returns the operation of an entry as an operator can apply it again: an entity of the Track API v2, without the key
 * that would make it a duplicate. Returns null if the log does not contain enough of it.
 */
export const repeatedOperation = (entry: ActivityDocument): JsonObject | null => {
  if (entry.outcome === "rejected") return rejectedOperation(entry)
  const item = trackV2Item(entry)
  if (item === null) return null
  const { id: _, ...operation } = item
  return operation
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
