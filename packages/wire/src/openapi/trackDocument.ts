import type { JsonObject } from "@inlethq/core/values/Json"
import { itemSchemas } from "./itemSchemas.ts"
import { pathsOf } from "./Operation.ts"
import { headerComponents, trackErrorSchemas } from "./responses.ts"
import { trackOperations } from "./trackOperations.ts"

const description = `Both versions of the Track API.

Names such as \`svc_id\` may also begin with \`cio_\`. Lengths are limits of a workspace with default settings, in bytes of UTF-8. Bodies may be compressed with gzip or deflate. A success means that the request is stored and applied; the activity log says what it changed.`

/** The OpenAPI document of the Track API. */
export const trackDocument: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Inlet: Track API", version: "1", description },
  servers: [{ url: "/" }],
  tags: [{ name: "Track v1" }, { name: "Track v2" }, { name: "Documents" }],
  paths: pathsOf(trackOperations),
  components: {
    headers: headerComponents,
    schemas: {
      ...Object.fromEntries(itemSchemas.map(({ name, schema }) => [name, schema])),
      ...trackErrorSchemas,
    },
    securitySchemes: {
      trackKey: {
        type: "http",
        scheme: "basic",
        description: "The site id as the user name, and the API key as the password.",
      },
    },
  },
}
