import type { ServerDocument } from "@inlethq/contract/server/Server"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { count } from "../../shared/values/figures.ts"
import { Time } from "../../shared/time/Time.tsx"

type Refused = ServerDocument["refused_calls"][number]

/** What each reason means, and what its sender should do. */
const meanings: Readonly<Record<Refused["reason"], string>> = {
  unknown_key: "Unknown key. Compare the key of the client with the list of keys.",
  rate_limit: "Over the rate of the workspace. Send slower, or raise the rate in the settings.",
  too_large: "Body too large. Send fewer items in a call.",
  timed_out: "The request did not arrive in time. Check the network of the client.",
  malformed: "The path or the body could not be read. Check the client library.",
  sends_messages: "Asked to send a message, which Inlet does not. Send messages with another service.",
  bad_framing: "Not valid HTTP, or badly framed. Check the proxy in front of the server.",
  unknown_path: "Unknown path. Compare the address in the client with the API.",
  wrong_method: "The path does not accept the method.",
}

/** The calls that no workspace recorded, by reason and address. */
export const RefusedCalls = ({ calls }: { readonly calls: ReadonlyArray<Refused> }) => (
  <Section title="Calls that no workspace recorded, since the start of this node">
    {calls.length === 0 ? (
      <p className="text-sm text-muted">None. Every call had a known key and could be read.</p>
    ) : (
      <ul className="divide-y divide-line text-sm">
        {calls.map(({ address, calls: number, key, last_at, reason }) => (
          <li
            className="grid grid-cols-[56px_minmax(0,1fr)] gap-x-3 py-1.5 sm:grid-cols-[56px_minmax(0,1fr)_160px_88px]"
            key={`${reason} ${address} ${key}`}
          >
            <span>{count(number)}</span>
            <span>{meanings[reason]}</span>
            <span className="col-start-2 truncate font-mono text-xs leading-5 text-muted sm:col-start-auto">
              {address ?? "other addresses"}
            </span>
            <span className="col-start-2 text-muted sm:col-start-auto">
              <Time at={last_at} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </Section>
)
