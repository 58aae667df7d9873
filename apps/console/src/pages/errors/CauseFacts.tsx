import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { Link } from "@tanstack/react-router"
import { Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { FullText } from "../../shared/values/FullText.tsx"
import { senderText } from "../../shared/values/senderText.ts"
import { KeyLink } from "../keys/KeyLink.tsx"
import { causeId, countText, fieldText } from "./causes.ts"

interface CauseFactsProps {
  readonly w: string
  readonly cause: CauseDocument
  /** All causes of the period, among which those of other senders are found. */
  readonly others: ReadonlyArray<CauseDocument>
}

/** Who sends the operations of a cause, since when, and who else sends such operations. */
export const CauseFacts = ({ cause, others, w }: CauseFactsProps) => {
  const { first, last, sender } = cause
  const same = others.filter((one) => isSameFault(one, cause) && one.cause !== cause.cause)
  return (
    <>
      <Section title="Who sends it">
        <Facts
          facts={[
            [
              "key",
              sender?.key == null ? null : (
                <KeyLink key="key" keyId={sender.key.key_id} name={sender.key.name} w={w} />
              ),
            ],
            ["management token", sender?.token?.name],
            [
              "client",
              sender?.user_agent == null ? null : <FullText key="client" text={sender.user_agent} />,
            ],
            ["path", sender?.route],
            ["sender", sender === null ? "unknown" : null],
            ["field", fieldText(cause) === "" ? null : fieldText(cause)],
            ["first", <Sighted key="first" seen={first} w={w} />],
            ["last", <Sighted key="last" seen={last} w={w} />],
          ]}
        />
      </Section>
      {same.length === 0 ? null : (
        <Section title="The same fault from other senders">
          <ul className="divide-y divide-line text-sm">
            {same.map((one) => (
              <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 py-1.5" key={one.cause}>
                <span>{countText(one)}</span>
                <Link
                  className="truncate text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
                  from="/w/$w/errors/$causeId"
                  params={{ w, causeId: causeId(one) }}
                  search={(search) => search}
                  title={one.sender?.user_agent ?? undefined}
                  to="/w/$w/errors/$causeId"
                >
                  {senderText(one.sender)}
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const isSameFault = (one: CauseDocument, other: CauseDocument): boolean =>
  one.outcome === other.outcome &&
  one.rule === other.rule &&
  JSON.stringify(one.reasons) === JSON.stringify(other.reasons)

interface SightedProps {
  readonly w: string
  readonly seen: CauseDocument["last"]
}

/** When something was seen, with a link to the operation that shows it. */
const Sighted = ({ seen, w }: SightedProps) => (
  <Link
    className="text-accent hover:underline"
    params={{ w, operationId: seen.operation_id }}
    to="/w/$w/operations/$operationId"
  >
    <Time at={seen.at} />
  </Link>
)
