import type { ServerDocument } from "@inlethq/contract/server/Server"
import type { StatusDocument } from "@inlethq/contract/server/Status"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { counted, duration } from "../../shared/values/figures.ts"

interface LagsProps {
  readonly status: Pick<StatusDocument, "forwards" | "webhooks">
  /** Undefined if the state of Kafka is not loaded. */
  readonly kafka: ServerDocument["kafka"] | undefined
}

const linkStyle = "font-mono text-xs leading-5 text-accent hover:underline"

const lagText = (entries: number, seconds: number): string =>
  `${counted(entries, "entry", "entries")} behind, oldest event ${duration(seconds * 1000)}`

/** The delay of webhooks, of forwards and of the copy to Kafka. */
export const Lags = ({ kafka, status: { forwards, webhooks } }: LagsProps) => (
  <Section title="Delay of webhooks, forwards and Kafka">
    <ul className="divide-y divide-line text-sm">
      {webhooks.map(({ entries, environment_id, seconds, webhook_id }) => (
        <Lag key={webhook_id} text={lagText(entries, seconds)}>
          <Link
            className={linkStyle}
            params={{ w: String(environment_id), webhookId: webhook_id }}
            to="/w/$w/webhooks/$webhookId"
          >
            {webhook_id}
          </Link>
        </Lag>
      ))}
      {webhooks.length === 0 ? <li className="py-1.5 text-muted">No webhook is enabled.</li> : null}
      {forwards.map(({ entries, environment_id, forward_id, seconds }) => (
        <Lag key={forward_id} text={lagText(entries, seconds)}>
          <Link
            className={linkStyle}
            params={{ w: String(environment_id), forwardId: forward_id }}
            to="/w/$w/destinations/$forwardId"
          >
            {forward_id}
          </Link>
        </Lag>
      ))}
      {kafka === undefined ? null : (
        <Lag colour={kafka?.failure == null ? "text-muted" : "text-amber"} text={kafkaText(kafka)}>
          Kafka
        </Lag>
      )}
    </ul>
    <p className="pt-2 text-sm text-muted">
      Close to 0 while receivers answer. A growing delay of a webhook with strict ordering means that its
      receiver refuses an event.
    </p>
  </Section>
)

interface LagProps {
  readonly colour?: string
  readonly text: string
  /** What is delayed. */
  readonly children: ReactNode
}

const Lag = ({ children, colour, text }: LagProps) => (
  <li className="flex flex-wrap gap-x-3 py-1.5">
    <span className="mr-auto">{children}</span>
    <span className={colour}>{text}</span>
  </li>
)

const kafkaText = (kafka: ServerDocument["kafka"]): string => {
  if (kafka === null) return "Not configured. Set INLET_KAFKA to copy the activity log."
  if (kafka.failure !== null) return kafka.failure
  return lagText(kafka.lag_entries, kafka.lag_seconds)
}
