import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { PersonDocument } from "@inlethq/contract/people/People"
import type { PersonExportLine } from "@inlethq/contract/transfer/PersonExport"
import type { ProofDocument } from "@inlethq/contract/segments/RuleProof"

/*
 * The page of an export of one person. Everything in it comes from clients, so every value goes through `cell`, `text` or
 * `json`, and the page forbids scripts, images and requests anyway.
 */

/** Characters that HTML does not allow, and those that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes a text for use between tags and in quoted attributes. */
const escapedHtml = (value: string): string =>
  value.replaceAll(unwanted, "�").replaceAll(/[&<>"']/g, (found) => entities[found] ?? "")

const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

const text = (value: unknown): string => escapedHtml(shown(value))

const cell = (value: unknown): string => `<td>${text(value)}</td>`

const row = (...values: ReadonlyArray<unknown>): string => `<tr>${values.map(cell).join("")}</tr>\n`

const json = (value: unknown): string => `<pre>${escapedHtml(JSON.stringify(value, null, 2))}</pre>`

export const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Data of one person</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin: 2.5rem 0 .5rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8884 }
td, li, pre { unicode-bidi: isolate; overflow-wrap: anywhere }
pre { white-space: pre-wrap; margin: .3rem 0 }
.no { opacity: .65 }
@media (max-width: 40rem) { table, tbody, tr, td { display: block } thead { display: none } tr { padding: .5rem 0 } td { border: 0; padding: 0 } }
</style>
</head>
<body>
<h1>Data of one person</h1>
`

export const pageEnd = "</body>\n</html>\n"

interface Heading {
  readonly title: string
  readonly columns: ReadonlyArray<string>
}

const headings: Readonly<Record<PersonExportLine["section"], Heading>> = {
  profile: { title: "Profile", columns: [] },
  value: { title: "Values", columns: ["Field", "Value", "Set at", "Received at", "By operation"] },
  identity: { title: "Merged people and visitors", columns: ["svc_id", "Kind", "Since", "Merged by"] },
  segment: { title: "Segments", columns: ["Segment", "Since", "Why"] },
  delivery: { title: "Deliveries", columns: ["Delivery", "Channel", "Recipient", "Subject", "Reports"] },
  suppression: { title: "Suppressions", columns: ["Identifier", "Value", "Suppressed"] },
  activity: { title: "Activity", columns: ["Received at", "Kind", "Name", "Outcome", "Details"] },
}

/** Begins a section. */
export const sectionStart = (section: PersonExportLine["section"]): string => {
  const { columns, title } = headings[section]
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("")
  return `<h2>${title}</h2>\n<table>\n${head === "" ? "" : `<thead><tr>${head}</tr></thead>\n`}<tbody>\n`
}

export const sectionEnd = "</tbody>\n</table>\n"

/** One line of the export as rows of its section's table. */
export const pageLine = (line: PersonExportLine): string => {
  switch (line.section) {
    case "profile":
      return row("Exported at", line.exported_at) + profileRows(line.person)
    case "value":
      return row(line.path, line.value, line.set_at, line.set_by?.received_at, line.set_by?.operation_id)
    case "identity":
      return row(line.svc_id, line.kind, line.at, line.merge?.operation_id)
    case "segment": {
      const proof = line.explanation === null ? "" : `<ul>${proofItem(line.explanation.tree)}</ul>`
      return `<tr>${cell(`${line.segment_id}: ${line.name}`)}${cell(line.since)}<td>${text(line.kind)}${proof}</td></tr>\n`
    }
    case "delivery": {
      const { channel, delivery_id, metrics, recipient, subject } = line.delivery
      return row(delivery_id, channel, recipient, subject, Object.keys(metrics).length === 0 ? "" : metrics)
    }
    case "suppression":
      return row(line.kind, line.value, line.suppressed ? "yes" : "no")
    case "activity":
      return entryRow(line.entry)
  }
}

const profileRows = (person: PersonDocument): string =>
  Object.entries(person)
    .map(([name, value]) => row(name, value))
    .join("")

const entryRow = (entry: ActivityDocument): string => {
  const { changes, data, kept_as, kind, name, outcome, received_at, refused } = entry
  const changed = changes.map(({ from, path, to }) => `<li>${text(path)}: ${text(from)} → ${text(to)}</li>`)
  const leftOut = refused.map(
    ({ path, reason, value }) => `<li>${text(path)}: left out ${text(value)} (${text(reason)})</li>`,
  )
  const otherwise = kept_as.map(
    ({ kept, path, sent, why }) =>
      `<li>${text(path)}: read ${text(sent)} as ${text(kept)} (${text(why)})</li>`,
  )
  const items = [...changed, ...leftOut, ...otherwise].join("")
  const details = `${items === "" ? "" : `<ul>${items}</ul>`}${data === null ? "" : json(data)}`
  return `<tr>${[received_at, kind, name, outcome].map(cell).join("")}<td>${details}</td></tr>\n`
}

const proofItem = ({ evidence, nodes, text: words, truth }: ProofDocument): string => {
  const parts = nodes.length === 0 ? "" : `<ul>${nodes.map(proofItem).join("")}</ul>`
  const why = evidence === null ? "" : ` <small>${text(evidence)}</small>`
  return `<li${truth ? "" : ' class="no"'}>${truth ? "✓" : "✗"} ${text(words)}${why}${parts}</li>`
}
