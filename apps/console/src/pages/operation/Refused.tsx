import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { personName } from "../../shared/values/personName.ts"
import { MergeRefused } from "./MergeRefused.tsx"

interface RefusedProps {
  readonly refused: ActivityDocument["refused"]
  readonly explanation: ExplanationDocument
}

/** The values that an operation left out, why, and to whom they belong. */
export const Refused = ({ explanation: { merge, owners }, refused }: RefusedProps) => {
  const w = useWorkspace()
  return (
    <div className="space-y-3">
      <ul className="space-y-3 text-sm">
        {refused.map(({ cut_from, other, path, reason, value }, index) => {
          const owner = owners.find((one) => one.path === path)?.person
          return (
            <li key={`${index} ${path}`}>
              <p className="font-mono text-xs break-all">
                <span className="text-faint">{path}</span> {textOf(value)}
                {cut_from === undefined ? null : (
                  <span className="font-sans text-faint"> … cut, {cut_from} bytes</span>
                )}
              </p>
              <p className="break-words">
                {reason}
                {other === null ? null : (
                  <>
                    {": "}
                    {owner === undefined ? (
                      <span className="text-muted">{other.svc_id}</span>
                    ) : (
                      <Link
                        className="text-accent underline"
                        params={{ w, personId: owner.svc_id }}
                        to="/w/$w/people/$personId"
                      >
                        {personName(owner)}
                      </Link>
                    )}
                  </>
                )}
              </p>
            </li>
          )
        })}
      </ul>
      {merge === null ? null : <MergeRefused merge={merge} w={w} />}
    </div>
  )
}

const textOf = (value: unknown): string =>
  value === null ? "(no value)" : typeof value === "string" ? value : JSON.stringify(value)
