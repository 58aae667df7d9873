import { appOf, pageOf, textIn } from "@inlethq/log/explanation/cameFrom"
import { concernOf, operationTitle } from "@inlethq/log/explanation/operationTitle"
import type { ActivityDocument } from "../../api/documents.ts"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { contextValues } from "../../shared/query/contextValues.ts"
import type { NewTerm } from "../../shared/query/queryTerms.ts"
import { keyText } from "../../shared/values/senderText.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { PersonText } from "../../shared/values/PersonText.tsx"
import { reasonText } from "../../shared/values/reasonText.ts"
import { ClockTime } from "../../shared/time/Time.tsx"
import { titleText } from "../../shared/lists/titleText.ts"

/** The page on which a call was made, or the app. */
const placeOf = ({ context = {} }: ActivityDocument): string =>
  textIn(context, "page", "path") ?? pageOf(context) ?? appOf(context) ?? ""

/** The condition that a text of an operation makes, if it has one. */
const term = (key: string, value: string | null | undefined): NewTerm | null =>
  value == null || value === "" ? null : { key, value }

const mono = (text: string) => <span className="font-mono text-xs text-muted">{text}</span>

/** A column that has to be chosen, with the key under which its text can be asked for. */
const extra = (
  key: string,
  header: string,
  width: string,
  asked: string,
  textOf: (entry: ActivityDocument) => string | null | undefined,
): Column<ActivityDocument> => ({
  key,
  header,
  width,
  isExtra: true,
  text: (entry) => textOf(entry) ?? "",
  term: (entry) => term(asked, textOf(entry)),
  cell: (entry) => mono(textOf(entry) ?? ""),
})

/** The columns of a list of operations. */
export const columns: ReadonlyArray<Column<ActivityDocument>> = [
  {
    key: "time",
    header: "Time",
    width: "120px",
    text: ({ received_at }) => received_at,
    cell: ({ received_at }) => (
      <span className="font-mono text-xs text-muted">
        <ClockTime at={received_at} />
      </span>
    ),
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "96px",
    text: ({ outcome }) => outcome,
    term: ({ outcome }) => term("outcome", outcome),
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  {
    key: "what",
    header: "Operation",
    width: "minmax(96px, 2fr)",
    text: titleText,
    term: ({ kind, name }) => term("name", name) ?? term("kind", kind),
    cell: (entry) => <Operation entry={entry} />,
  },
  {
    key: "who",
    header: "Who",
    width: "minmax(112px, 3fr)",
    showFrom: 560,
    text: (entry) => whoOf(entry),
    term: ({ subject }) =>
      subject.object_id === null
        ? term("person", subject.id ?? subject.email ?? subject.anonymous_id ?? subject.svc_id)
        : term("object", `${subject.object_type_id}/${subject.object_id}`),
    cell: (entry) => <Who entry={entry} />,
  },
  {
    key: "reason",
    header: "Reason",
    width: "minmax(112px, 3fr)",
    showFrom: 800,
    text: reasonText,
    term: ({ reasons }) => term("reason", reasons[0]?.code),
    cell: (entry) => <span className="text-muted">{reasonText(entry)}</span>,
  },
  {
    key: "from",
    header: "From",
    width: "minmax(96px, 2fr)",
    showFrom: 960,
    text: placeOf,
    term: (entry) => term("page", contextValues.page(entry)) ?? term("app", contextValues.app(entry)),
    cell: (entry) => <span className="text-muted">{placeOf(entry)}</span>,
  },
  {
    key: "source",
    header: "Source",
    width: "88px",
    showFrom: 680,
    text: ({ source }) => source,
    term: ({ source }) => term("source", source),
    cell: ({ source }) => <span className="text-muted">{source}</span>,
  },
  extra("kind", "Kind", "120px", "kind", ({ kind }) => kind),
  extra("key", "Key", "minmax(72px, 1fr)", "key", ({ sender }) => keyText(sender)),
  extra("client", "Client", "minmax(96px, 2fr)", "client", ({ sender }) => sender?.user_agent),
  extra("clause", "Clause", "minmax(88px, 1fr)", "rule", ({ rule }) => rule),
  extra("campaign", "Campaign", "minmax(88px, 1fr)", "campaign", contextValues.campaign),
  extra("country", "Country", "64px", "country", contextValues.country),
  extra("library", "Library", "minmax(88px, 1fr)", "library", contextValues.library),
  extra("operation", "Operation id", "minmax(120px, 2fr)", "operation", ({ operation_id }) => operation_id),
]

const Operation = ({ entry }: { readonly entry: ActivityDocument }) => {
  const { kind, name } = operationTitle(entry)
  const { subject } = entry
  return (
    <>
      <span className={name === null ? "" : "text-muted @max-[560px]:hidden"}>{kind}</span>{" "}
      {name === null ? null : <span className="font-medium">{name}</span>}{" "}
      <span className="text-faint pointer-coarse:block pointer-coarse:truncate pointer-coarse:text-xs @min-[560px]:hidden!">
        {subject.name ?? whoOf(entry)}
      </span>
    </>
  )
}

interface WhoProps {
  readonly entry: ActivityDocument
}

const Who = ({ entry }: WhoProps) => {
  const { subject } = entry
  if (namedIn(subject) === null) return <Concerned entry={entry} />
  return subject.svc_id === null || subject.object_id !== null ? (
    whoOf(entry)
  ) : (
    <PersonText person={subject} />
  )
}

/** The segment that an operation is about, or whom a rejected call named. */
const Concerned = ({ entry }: WhoProps) => {
  const concern = concernOf(entry)
  if (concern === null) return null
  switch (concern.kind) {
    case "segment":
      return concern.text
    case "sent":
      return <span className="text-muted">{concern.text}</span>
    case "path":
      return <span className="font-mono text-xs text-muted">{concern.text}</span>
  }
}

const whoOf = (entry: ActivityDocument): string => namedIn(entry.subject) ?? concernOf(entry)?.text ?? ""

const namedIn = (subject: ActivityDocument["subject"]): string | null =>
  subject.object_id === null
    ? (subject.email ?? subject.id ?? subject.anonymous_id ?? subject.svc_id)
    : `${subject.object_type_id}/${subject.object_id}`
