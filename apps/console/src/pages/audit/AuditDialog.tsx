import type { AuditDocument } from "../../api/documents.ts"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { actorText, outcomeText } from "./auditTexts.ts"

interface AuditDialogProps {
  readonly record: AuditDocument
  readonly onClose: () => void
}

const actorKinds = { token: "token", session: "session of the console", unknown: "no valid token" } as const

/** Shows a whole record of the audit log. */
export const AuditDialog = ({ onClose, record }: AuditDialogProps) => {
  const { actor, changes, details, target } = record
  return (
    <ResultDialog onClose={onClose} title={record.action}>
      <div className="space-y-4">
        <Facts
          facts={[
            ["When", <ExactTime at={record.at} key="at" />],
            ["Who", `${actorText(record)} (${actorKinds[actor.kind]})`],
            ["Outcome", outcomeText(record)],
            ["Workspace", record.environment_id ?? "installation"],
            ["Name", target?.name],
            ["ID", target === null ? null : <CopyId id={target.id} key="id" label="ID" />],
            ...Object.entries(details).map(([name, value]) => [name, valueText(value)] as const),
            ["From", record.address],
            ["Forwarded for", record.forwarded_for],
            ["User agent", record.user_agent],
            ["Record ID", <CopyId id={record.audit_id} key="audit" label="record ID" />],
          ]}
        />
        {changes.length === 0 ? null : <Changes changes={changes} />}
      </div>
    </ResultDialog>
  )
}

const Changes = ({ changes }: Pick<AuditDocument, "changes">) => (
  <div className="overflow-x-auto">
    <table className="w-full text-left text-sm">
      <thead className="text-xs text-faint">
        <tr>
          <th className="py-1 pr-4 font-medium">Setting</th>
          <th className="py-1 pr-4 font-medium">Before</th>
          <th className="py-1 font-medium">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ from, secret, setting, to }) => (
          <tr className="border-t border-line" key={setting}>
            <td className="py-1 pr-4">{setting}</td>
            <td className="py-1 pr-4 font-mono text-xs break-all">{secret ? "secret" : valueText(from)}</td>
            <td className="py-1 font-mono text-xs break-all">{secret ? "changed" : valueText(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
