import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { ReactNode } from "react"
import { ExactTime } from "../../shared/time/Time.tsx"
import { count } from "../../shared/values/figures.ts"
import { OperationLink } from "./OperationLink.tsx"

type Fact = readonly [name: string, value: ReactNode]

/** The facts about the operation that later ones wait for. `name` is what the operation is called. */
export const blockingFacts = (
  w: string,
  name: string,
  blocking: WebhookDocument["blocked_by"],
): ReadonlyArray<Fact> =>
  blocking === null
    ? []
    : [
        [name, <OperationLink id={blocking.operation_id} key="blocked" w={w} />],
        ["Attempts", count(blocking.attempts)],
        ["Next attempt", <ExactTime at={blocking.next_at} key="next" />],
      ]
