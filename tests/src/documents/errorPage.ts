import { planProblems, planTexts } from "@inlethq/core/plan/planTexts"
import type { DocumentedText } from "@inlethq/core/log/ErrorText"
import {
  decisionTexts,
  dropTexts,
  fitnessTexts,
  ignoreTexts,
  listTexts,
  noteTexts,
  storeTexts,
} from "@inlethq/core/log/operationTexts"
import { callTexts } from "@inlethq/log/call/callTexts"
import { keptTexts } from "@inlethq/core/log/keptTexts"
import { headerTexts, lineTexts, rowTexts } from "@inlethq/wire/texts/csvTexts"
import {
  answerTexts,
  attributeTexts,
  eventTexts,
  identifierTexts,
  requestTexts,
  resourceTexts,
  valueTexts,
} from "@inlethq/wire/texts/wireTexts"
import { pipelinesTexts } from "@inlethq/wire/texts/pipelinesTexts"
import { filterTexts } from "@inlethq/log/filter/filterTexts"
import { managementTexts } from "@inlethq/contract/values/managementTexts"
import { reasonTexts } from "@inlethq/wire/texts/reasonTexts"
import { bodyTexts } from "@inlethq/wire/texts/bodyTexts"
import { appTexts } from "@inlethq/http/appApi/appTexts"
import { ingestionTexts } from "@inlethq/http/ingestion/ingestionTexts"
import { connectionTexts } from "@inlethq/http/listener/connectionTexts"
import { signInTexts } from "@inlethq/http/oidc/signInTexts"
import { omitTexts } from "@inlethq/core/workspace/omitTexts"
import { problemTexts } from "@inlethq/http/problems/problemTexts"
import { followerTexts } from "@inlethq/outbound/follower/followerTexts"
import { kafkaTexts } from "@inlethq/kafka/kafkaTexts"
import { forwardStoreTexts } from "@inlethq/core/forward/forwardStoreTexts"
import { forwardTexts } from "@inlethq/outbound/forwards/forwardTexts"
import { sendingTexts } from "@inlethq/outbound/sending/sendingTexts"
import { webhookTexts } from "@inlethq/outbound/webhooks/webhookTexts"
import { startTexts } from "@inlethq/http/listener/startTexts"
import { backupTexts } from "@inlethq/runtime/transfer/backupTexts"
import { transferTexts } from "@inlethq/runtime/transfer/transferTexts"
import { databaseTexts } from "@inlethq/command-line/texts/databaseTexts"
import { whatIfTexts } from "@inlethq/command-line/texts/whatIfTexts"
import { planCommandTexts } from "@inlethq/command-line/texts/planCommandTexts"
import { cliTexts } from "@inlethq/command-line/texts/cliTexts"
import { nodeTexts } from "@inlethq/command-line/nodeVersion"
import { usageTexts } from "@inlethq/command-line/texts/usageTexts"
import { postgresTexts } from "@inlethq/storage-postgres/engine/postgresTexts"
import { sqliteTexts } from "@inlethq/storage-sqlite/engine/sqliteTexts"
import { documented, documentedClientTexts } from "@inlethq/sdk/documentedTexts"
import { emulatorTexts } from "@inlethq/testing/emulatorTexts"
import { emulatorRemedies } from "./emulatorRemedies.ts"

/** A part of the page: its heading, where its messages appear, and the texts. */
type Section = readonly [heading: string, where: string, ...catalogues: ReadonlyArray<Catalogue>]

type Catalogue = Readonly<Record<string, DocumentedText>>

const introduction = `# Errors

Every error that a sender or an operator can see, and what to do about it. Each section says where its messages appear. A word in
braces stands for a value. \`{field}\` is the path of the wrong value, joined by dots, such as \`attributes.plan\`, and \`{name}\` is
its last part.

| response | where the message is |
|---|---|
| Track v1, 400 and 413 | \`meta.error\`, or \`meta.errors\` for identify, devices and forms |
| Track v2, 400, 207 and 413 | \`errors[].message\`, with \`reason\` and \`field\` |
| Pipelines in strict mode, 400 | \`message\` and \`code\`: the message and the reason of the first fault |
| Pipelines in default mode | the answer has the status 200, and the \`reason\` of the activity entry contains the message |
| management API | \`detail\` of a problem document (RFC 9457) |

What each \`reason\` means is in the contract, [section 4](contract.md#contract-4-reasons).

An activity entry says why its operation was not applied in two forms: \`reason\` is a sentence for people, and \`reasons\` is the same
for programs, as a list of \`{code, field, values}\`. A code never changes, whereas the wording may; \`values\` holds what stands
in the place of the words in braces. Filters find entries by code: \`reason:taken_identifier\`. \`refused[].code\` is the code of
one value that was left out.

\`pnpm generate\` makes this page from the catalogues in the source.
`

const calls = "Answers of Track and Pipelines, and activity entries with the outcome `rejected` or `partial`."
const commandLine = "The standard error of a command, which then ends with the exit code 1."

const sections: ReadonlyArray<Section> = [
  ["Requests", "Answers of Track and Pipelines.", answerTexts, requestTexts, ingestionTexts, bodyTexts],
  ["App API", "`meta.error` in answers of the App API.", appTexts],
  [
    "Nodes",
    "`reason` of `/health/ready`, answers to calls that write, and the server's log, of one node on a database that others share.",
    fitnessTexts,
  ],
  ["HTTP", "Answers on every port, before a path is known.", connectionTexts],
  ["Values", calls, valueTexts],
  ["Identifiers", calls, identifierTexts],
  ["Attributes", calls, attributeTexts],
  ["Events", calls, eventTexts],
  ["Relationships, segments, forms and devices", calls, resourceTexts],
  ["Pipelines", "Answers of Pipelines, and activity entries of its calls.", pipelinesTexts],
  [
    "Ignored operations",
    "Activity entries with the outcome `ignored` or `duplicate`, and of exceeded rates.",
    ignoreTexts,
    listTexts,
  ],
  ["Notes", "Activity entries of operations that took effect, beside their outcome.", noteTexts],
  ["Dropped operations", "Activity entries with the outcome `dropped`.", dropTexts],
  [
    "Parts that are left out",
    "Activity entries with the outcome `partial`, and answers of the management API that decides the same.",
    decisionTexts,
  ],
  [
    "Plans",
    "Answers of Track and strict Pipelines, and activity entries with the outcome `rejected` or `partial`.",
    planTexts,
  ],
  ["Operations without a call", "`call_reason` of an operation.", callTexts],
  ["Values that are read otherwise", "`kept_as` of activity entries.", keptTexts],
  ["CSV imports", "`errors` of the summary, with the number of the line.", headerTexts, lineTexts, rowTexts],
  [
    "Management API",
    "Problem documents, and the last line of an export.",
    problemTexts,
    omitTexts,
    planProblems,
    managementTexts,
    filterTexts,
    storeTexts,
  ],
  ["Signing in", "The page on which a sign-in at an issuer of OpenID Connect ends.", signInTexts],
  [
    "Webhooks and forwards",
    "Problem documents of the management API, and `response_excerpt` of an attempt.",
    sendingTexts,
    webhookTexts,
    forwardTexts,
    forwardStoreTexts,
  ],
  ["Kafka", "`failure` in `GET /management/v1/server`, and the server's log.", kafkaTexts, followerTexts],
  ["Starting", "The standard error of a server that does not start.", startTexts, sqliteTexts, postgresTexts],
  [
    "Command line",
    commandLine,
    cliTexts,
    databaseTexts,
    planCommandTexts,
    whatIfTexts,
    usageTexts,
    nodeTexts,
  ],
  ["Moving data", commandLine, transferTexts, backupTexts],
  [
    "The SDK",
    "`reason` of an outcome, warnings of the client, and what `new Inlet()` throws.",
    documentedClientTexts,
  ],
  [
    "The emulator",
    "Rejections of its functions, and answers to a request to `controlUrl`.",
    documented(emulatorTexts, emulatorRemedies),
  ],
]

/** Returns the page that lists every error text. */
export const errorPage = (): string => introduction + sections.map(sectionText).join("")

const sectionText = ([heading, where, ...catalogues]: Section): string => {
  const texts = catalogues.flatMap((catalogue) => Object.values(catalogue))
  const hasCodes = texts.some((text) => codeOf(text) !== null)
  const columns = hasCodes
    ? "| message | code | reason | what to do |\n|---|---|---|---|"
    : "| message | reason | what to do |\n|---|---|---|"
  return `\n## ${heading}\n\n${where}\n\n${columns}\n${texts.map((text) => rowOf(text, hasCodes)).join("")}`
}

const rowOf = (text: DocumentedText, hasCodes: boolean): string => {
  const coded = hasCodes ? ` ${word(codeOf(text))} |` : ""
  return `| ${code(cell(text.template))} |${coded} ${word(text.reason)} | ${cell(text.remedy)} |\n`
}

const word = (text: string | null): string => (text === null ? "" : `\`${text}\``)

/** Returns the code of a text that activity entries refer to. */
const codeOf = (text: DocumentedText): string | null =>
  [...reasonTexts.values(), ...Object.values(callTexts)].find((coded) => coded === text)?.code ?? null

/** Returns a text as inline code in Markdown. A text that contains backticks is put between double backticks. */
const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``)

const cell = (text: string): string => text.replaceAll("|", "\\|")
