import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { Link } from "@tanstack/react-router"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { counted } from "../../shared/values/figures.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { senderText } from "../../shared/values/senderText.ts"
import { causeId, causeText, countText } from "../errors/causes.ts"

interface NewCausesProps {
  readonly w: string
  readonly causes: ReadonlyArray<CauseDocument>
  readonly rowsMax: number
}

/** The causes of the last day, the new ones first. */
export const NewCauses = ({ causes, rowsMax, w }: NewCausesProps) => {
  const sorted = causes.toSorted((a, b) => Number(b.new) - Number(a.new))
  return (
    <Section
      actions={
        <Link
          className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
          params={{ w }}
          to="/w/$w/errors"
        >
          All errors
        </Link>
      }
      title="Why operations were not applied completely"
    >
      {causes.length === 0 ? (
        <p className="text-sm text-muted">Every operation of the last 24 hours was applied completely.</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {sorted.slice(0, rowsMax).map((cause) => (
            <li
              className="grid grid-cols-[88px_minmax(0,1fr)_56px] items-start gap-x-3 py-1.5"
              key={cause.cause}
            >
              <Outcome outcome={cause.outcome} />
              <div className="min-w-0">
                <p className="flex items-start gap-x-2 pointer-coarse:items-center">
                  {cause.new ? <Badge title="The first came within the last 24 hours">new</Badge> : null}
                  <Link
                    className="min-w-0 break-words hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
                    params={{ w, causeId: causeId(cause) }}
                    to="/w/$w/errors/$causeId"
                  >
                    {causeText(cause)}
                  </Link>
                </p>
                <p className="truncate text-muted" title={cause.sender?.user_agent ?? undefined}>
                  {senderText(cause.sender)}, <Time at={cause.last.at} />
                </p>
              </div>
              <span className="text-right">{countText(cause)}</span>
            </li>
          ))}
        </ul>
      )}
      {causes.length > rowsMax ? (
        <p className="pt-2 text-sm text-muted">
          {rowsMax} of {counted(causes.length, "cause", "causes")}.
        </p>
      ) : null}
    </Section>
  )
}
