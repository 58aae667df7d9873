import { requirementOf } from "@inlethq/contract/access/Access"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { HttpApi } from "effect/http-api"

const header = `import type { Need } from "../refusalOf.ts"

// Made from the contract of the management API by \`pnpm generate\`, because the console cannot load the contract itself:
// its schemas would multiply the size of the page.

/** What each endpoint requires of a token, by its group and name. */
export const requirements = {
`

const footer = `} as const satisfies Readonly<Record<string, Need>>

export type EndpointName = keyof typeof requirements
`

/** Returns the source of the TypeScript module that contains the requirement of every endpoint, one on each line. */
export const requirementModule = (): string => {
  const lines: Array<string> = []
  HttpApi.reflect(ManagementApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const { reach, scope } = requirementOf(endpoint)
      lines.push(
        `  ${JSON.stringify(`${group.identifier}.${endpoint.identifier}`)}: ${JSON.stringify({ scope, reach })},\n`,
      )
    },
  })
  return `${header}${lines.join("")}${footer}`
}
