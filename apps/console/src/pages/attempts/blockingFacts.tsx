import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { ReactNode } from "react"
import { ExactTime } from "../../shared/time/Time.tsx"
import { count } from "../../shared/values/figures.ts"
import { OperationLink } from "./OperationLink.tsx"

type Fact = readonly [name: string, value: ReactNode]

/** The facts about what later ones wait for. `name` is what it is called. An alert need not be about an operation. */
export const blockingFacts = (
  w: string,
  name: string,
  blocking: WebhookDocument["blocked_by"],
  isAlert = false,
): ReadonlyArray<Fact> =>
  blocking === null
    ? []
    : [
        [name, isAlert ? "an alert" : <OperationLink id={blocking.operation_id} key="blocked" w={w} />],
        ["Attempts", count(blocking.attempts)],
        ["Next attempt", <ExactTime at={blocking.next_at} key="next" />],
      ]
