import type { CountedSenderDocument } from "@inlethq/contract/types/EventTypes"
import { Link } from "@tanstack/react-router"
import { KeyLink } from "../keys/KeyLink.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { clientText } from "../../shared/values/senderText.ts"
import { count } from "../../shared/values/figures.ts"
import { isNew } from "./eventTypes.ts"

interface SendersProps {
  readonly w: string
  readonly senders: ReadonlyArray<CountedSenderDocument>
}

/** Who sends a name: key, client and path, with the first and the last operation of each. */
export const Senders = ({ senders, w }: SendersProps) => (
  <ul className="divide-y divide-line text-sm">
    {senders.map(({ count: number, first, last, sender }, index) => (
      <li className="grid grid-cols-[64px_minmax(0,1fr)_auto] gap-x-3 py-2" key={index}>
        <span>{count(number)}</span>
        <div className="min-w-0 space-y-0.5">
          <p className="flex flex-wrap items-center gap-x-2 break-words">
            <span className="font-medium" title={sender?.user_agent ?? undefined}>
              {clientText(sender) || "unknown client"}
            </span>
            {isNew({ first }) ? <Badge title="First within the last 24 hours">new</Badge> : null}
          </p>
          <div className="break-words text-muted">
            {sender?.key == null ? (
              (sender?.token?.name ?? "unknown key")
            ) : (
              <KeyLink keyId={sender.key.key_id} name={sender.key.name} w={w} />
            )}
          </div>
          {sender?.route == null ? null : (
            <p className="font-mono text-xs break-all text-muted">{sender.route}</p>
          )}
        </div>
        <div className="text-right text-muted">
          {(
            [
              ["first", first],
              ["last", last],
            ] as const
          ).map(([word, seen]) => (
            <p key={word}>
              {word}{" "}
              <Link
                className="text-accent hover:underline pointer-coarse:inline-block pointer-coarse:min-w-11 pointer-coarse:py-3"
                params={{ w, operationId: seen.operation_id }}
                to="/w/$w/operations/$operationId"
              >
                <Time at={seen.at} />
              </Link>
            </p>
          ))}
        </div>
      </li>
    ))}
  </ul>
)
