import type { ActivityDocument } from "@inlet/api/management/ActivityLog"

/** The kinds of operations that can be sent again through the Track API v2, each with its v2 action. */
const actions: Readonly<Record<string, string>> = {
  identify: "identify",
  event: "event",
  page: "page",
  screen: "screen",
}

/**
 * Returns a curl command that repeats an operation through the Track API v2. If the log entry does not contain enough
 * data to repeat the operation, returns a command that reads the entry.
 */
export const curlOf = (w: string, entry: ActivityDocument, origin: string): string => {
  const action = actions[entry.kind ?? ""]
  const identifiers = identifiersOf(entry.subject)
  if (action === undefined || identifiers === null || entry.data === null) {
    return `curl -H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN" ${origin}/management/v1/workspaces/${w}/operations/${entry.operation_id}`
  }
  const body = {
    type: "person",
    identifiers,
    action,
    ...(entry.name === null ? {} : { name: entry.name }),
    attributes: entry.data,
  }
  return `curl -u "$SITE_ID:$API_KEY" ${origin}/api/v2/entity -d ${quoted(JSON.stringify(body))}`
}

const identifiersOf = ({ email, id }: ActivityDocument["subject"]): object | null => {
  if (id !== null) return { id }
  return email === null ? null : { email }
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
