import { Link } from "@tanstack/react-router"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { clientText, keyText } from "../../shared/values/senderText.ts"
import type { NewClient } from "./clientsSeenFirst.ts"

interface NewClientsProps {
  readonly w: string
  readonly clients: ReadonlyArray<NewClient>
  readonly rowsMax: number
}

/** Clients and their versions that sent something for the first time, each with its first operation. */
export const NewClients = ({ clients, rowsMax, w }: NewClientsProps) => (
  <Section title="Clients and versions seen first since yesterday">
    {clients.length === 0 ? (
      <p className="text-sm text-muted">None. Everything came from clients that were known before.</p>
    ) : (
      <ul className="divide-y divide-line text-sm">
        {clients.slice(0, rowsMax).map(({ first, sender }) => (
          <li
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_88px] gap-x-3 py-1.5"
            key={`${sender.key?.key_id} ${sender.user_agent}`}
          >
            <span className="truncate" title={sender.user_agent ?? undefined}>
              {clientText(sender)}
            </span>
            <span className="truncate text-muted">{keyText(sender)}</span>
            <Link
              className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
              params={{ w, operationId: first.operation_id }}
              to="/w/$w/operations/$operationId"
            >
              <Time at={first.at} />
            </Link>
          </li>
        ))}
      </ul>
    )}
    {clients.length > rowsMax ? (
      <p className="pt-2 text-sm text-muted">
        The newest {rowsMax} of {clients.length}.
      </p>
    ) : null}
  </Section>
)
