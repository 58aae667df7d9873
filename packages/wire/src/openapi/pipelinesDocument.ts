import type { JsonObject } from "@inlethq/core/values/Json"
import { pathsOf } from "./Operation.ts"
import { callSchemas, pipelinesOperations } from "./pipelinesOperations.ts"
import { headerComponents, pipelinesSchemas } from "./responses.ts"

const description = `The Pipelines API.

The schemas say what strict mode (\`X-Strict-Mode: 1\`) accepts. In default mode, the response to an invalid call is also a 200, and the activity log says why it was refused. Every path also answers the \`OPTIONS\` requests of browsers. Without an \`Authorization\` header, the field \`writeKey\` of the body names the workspace. Bodies may be compressed with gzip or deflate.`

/** The OpenAPI document of the Pipelines API. */
export const pipelinesDocument: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Inlet: Pipelines API", version: "1", description },
  servers: [{ url: "/" }],
  tags: [{ name: "Pipelines" }, { name: "Browsers" }],
  paths: pathsOf(pipelinesOperations),
  components: {
    headers: headerComponents,
    schemas: { ...callSchemas, ...pipelinesSchemas },
    securitySchemes: {
      writeKey: {
        type: "http",
        scheme: "basic",
        description: "The write key as the user name, and an empty password.",
      },
      writeKeyAsToken: { type: "http", scheme: "bearer", description: "The write key as a bearer token." },
    },
  },
}
