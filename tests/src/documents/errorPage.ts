import type { DocumentedText } from "@inlet/core/log/ErrorText"
import { decisionFaults, dropReasons, entryReasons, storeTexts } from "@inlet/core/log/faults"
import { headerTexts, lineTexts, rowFaults } from "@inlet/api/csv/faults"
import {
  answerTexts,
  attributeFaults,
  eventFaults,
  identifierFaults,
  droppedNamesText,
  requestFaults,
  resourceFaults,
  valueFaults,
} from "@inlet/api/wire/faults"
import { pipelinesFaults } from "@inlet/api/pipelines/faults"
import { filterTexts } from "@inlet/api/filter/filterTexts"
import { managementTexts } from "@inlet/api/management/managementTexts"
import { bodyFaults, requestTexts } from "@inlet/http/ingestion/failures"
import { connectionTexts } from "@inlet/http/listener/connectionTexts"
import { details } from "@inlet/http/problems/details"
import { followerTexts } from "@inlet/outbound/follower/followerTexts"
import { kafkaTexts } from "@inlet/outbound/kafka/kafkaTexts"
import { webhookTexts } from "@inlet/outbound/webhooks/webhookTexts"
import { startTexts } from "@inlet/http/listener/startTexts"
import { backupTexts } from "@inlet/runtime/transfer/backupTexts"
import { transferTexts } from "@inlet/runtime/transfer/transferTexts"
import { cliTexts } from "@inlet/cli/cliTexts"
import { nodeTexts } from "@inlet/cli/nodeVersion"
import { usageTexts } from "@inlet/cli/usageTexts"
import { openTexts as postgresTexts } from "@inlet/storage-postgres/engine/openTexts"
import { openTexts } from "@inlet/storage-sqlite/engine/openTexts"
import { clientCatalogue, emulatorCatalogue } from "@inlet/sdk/documentedTexts"

type Catalogue = Readonly<Record<string, DocumentedText>>

const introduction = `# Errors

Every error that a sender or an operator can see: the message, where it appears, what Inlet expected, and what to do. A word in
braces stands for a value. \`{field}\` is the path of the wrong value, joined by dots, such as \`attributes.plan\`, and \`{name}\` is
its last part.

| response | where the message is |
|---|---|
| Track v1, 400 and 413 | \`meta.error\`, or \`meta.errors\` for identify, devices and forms |
| Track v2, 400, 207 and 413 | \`errors[].message\`, with \`reason\` and \`field\` |
| Pipelines in strict mode, 400 | \`message\` and \`code\`: the message and the reason of the first fault |
| Pipelines in default mode | the answer has the status 200, and the \`reason\` of the activity entry contains the message |
| management API | \`detail\` of a problem document (RFC 9457) |

If a row names no status, the status is 400. If Pipelines leaves attributes out, the message also lists them:
\`…; left out: plan, city\`. What each \`reason\` means is in the contract, [section 4](contract.md#contract-4-reasons).

\`pnpm generate\` makes this page from the catalogues in the source.
`

const sections: ReadonlyArray<readonly [heading: string, catalogues: ReadonlyArray<Catalogue>]> = [
  ["Requests", [answerTexts, requestFaults, requestTexts, bodyFaults, connectionTexts]],
  ["Values", [valueFaults]],
  ["Identifiers", [identifierFaults]],
  ["Attributes", [attributeFaults, { droppedNamesText }]],
  ["Events", [eventFaults]],
  ["Relationships, segments, forms and devices", [resourceFaults]],
  ["Pipelines", [pipelinesFaults]],
  ["Activity entries", [entryReasons, dropReasons, decisionFaults]],
  ["CSV imports", [headerTexts, lineTexts, rowFaults]],
  ["Management API", [details, managementTexts, filterTexts, storeTexts]],
  ["Webhooks", [webhookTexts]],
  ["Kafka", [kafkaTexts, followerTexts]],
  ["Starting", [startTexts, openTexts, postgresTexts]],
  ["Command line", [cliTexts, usageTexts, nodeTexts]],
  ["Moving data", [transferTexts, backupTexts]],
  ["The SDK", [clientCatalogue]],
  ["The emulator", [emulatorCatalogue]],
]

/** Returns the page that lists every error text. */
export const errorPage = (): string =>
  introduction +
  sections
    .map(([heading, catalogues]) => {
      const rows = catalogues.flatMap((texts) => Object.values(texts)).map(rowOf)
      return `\n## ${heading}\n\n| message | reason | where | expected | what to do |\n|---|---|---|---|---|\n${rows.join("")}`
    })
    .join("")

const rowOf = ({ expected, reason, remedy, seen, template }: DocumentedText): string =>
  `| ${code(cell(template))} | ${reason === null ? "" : `\`${reason}\``} | ${cell(seen)} | ${cell(expected)} | ${cell(remedy)} |\n`

/** Returns a text as inline code in Markdown. A text that contains backticks is put between double backticks. */
const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``)

const cell = (text: string): string => text.replaceAll("|", "\\|")
