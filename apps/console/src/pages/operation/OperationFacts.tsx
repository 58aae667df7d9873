import type { ActivityDocument } from "../../api/documents.ts"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { KeyLink } from "../keys/KeyLink.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"

/** Shows the fields of a log entry that the other sections of the page do not show. */
export const OperationFacts = ({ entry }: { readonly entry: ActivityDocument }) => {
  const w = useWorkspace()
  const { subject } = entry
  const key = keyOf(entry)
  return (
    <Facts
      facts={[
        ["operation", <CopyId id={entry.operation_id} key="operation" label="operation id" />],
        ["source", entry.source],
        ["name", entry.name],
        ["reason", entry.reason],
        ["path", entry.request?.path ?? entry.sender?.route ?? null],
        ["key", key === null ? null : <KeyLink key="key" keyId={key.key_id} name={key.name} w={w} />],
        ["management token", entry.sender?.token?.name ?? null],
        ["client", entry.request?.user_agent ?? entry.sender?.user_agent ?? null],
        ["address", entry.request?.address ?? null],
        ["id of the call", copied(entry.id, "deduplication key")],
        ["person", copied(subject.svc_id, "svc_id")],
        ["id", copied(subject.id, "id")],
        ["email", copied(subject.email, "email")],
        ["anonymous id", copied(subject.anonymous_id, "anonymous id")],
        ["happened", <ExactTime at={entry.at} key="at" />],
        ["received", <ExactTime at={entry.received_at} key="received" />],
        [
          "took effect",
          entry.processed_at === null ? null : <ExactTime at={entry.processed_at} key="processed" />,
        ],
        [
          "client's clock",
          entry.original_timestamp === null ? null : (
            <ExactTime at={entry.original_timestamp} key="original" />
          ),
        ],
      ]}
    />
  )
}

const keyOf = ({ request, sender }: ActivityDocument) =>
  request?.key_id == null || request.key_name === null
    ? (sender?.key ?? null)
    : { key_id: request.key_id, name: request.key_name }

const copied = (id: string | null, label: string) => (id === null ? null : <CopyId id={id} label={label} />)
