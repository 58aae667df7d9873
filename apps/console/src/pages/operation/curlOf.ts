import type { OperationDocument } from "../../api/documents.ts"

type Call = NonNullable<OperationDocument["call"]>

/** The variables that a shell has the credentials in, by API. */
const credentials: Readonly<Record<Call["protocol"], string>> = {
  "track-v1": `-u "$SITE_ID:$API_KEY"`,
  "track-v2": `-u "$SITE_ID:$API_KEY"`,
  pipelines: `-u "$WRITE_KEY:"`,
  management: `-H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN"`,
}

/** Returns a curl command that sends a call. Only the credentials are left to fill in. */
export const curlOf = ({ body, method, path, protocol }: Call, origin: string): string => {
  const verb = method === "POST" ? "" : ` -X ${method}`
  const sent = body === null ? "" : ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`
  const empty = method === "POST" && body === null ? " -X POST" : ""
  return `curl ${credentials[protocol]}${verb}${empty} ${quotedIfNeeded(`${origin}${path}`)}${sent}`
}

/** A query has characters that a shell would read. */
const quotedIfNeeded = (url: string): string => (/^[\w.:/%~-]+$/.test(url) ? url : quoted(url))

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
