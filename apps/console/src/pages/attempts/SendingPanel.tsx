import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Detail } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { Attempts, type AttemptSource } from "./Attempts.tsx"

/** The interval, in milliseconds, at which the open panel reads its webhook or forward again. */
const refreshMs = 3_000

interface SendingPanelProps<Sender extends { readonly name: string }> {
  readonly w: string
  readonly kind: "webhook" | "forward"
  readonly id: string
  readonly read: (signal: AbortSignal) => Promise<Sender>
  readonly attempts: AttemptSource
  /** The button that deletes it. */
  readonly deletion: (sender: Sender) => ReactNode
  readonly onClose: () => void
  /** The sections above the attempts. */
  readonly children: (sender: Sender) => ReactNode
}

/** The panel of one webhook or forward, with its attempts. */
export const SendingPanel = <Sender extends { readonly name: string }>(props: SendingPanelProps<Sender>) => {
  const { attempts, children, deletion, id, kind, onClose, read, w } = props
  const sender = useQuery({
    queryKey: attempts.key,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: refreshMs,
  })
  return (
    <Detail
      actions={sender.data === undefined ? null : deletion(sender.data)}
      onClose={onClose}
      title={sender.data?.name ?? id}
    >
      {sender.error === null ? null : (
        <ApiProblem
          onRetry={() => void sender.refetch()}
          problem={sender.error}
          what={`The ${kind} could not be loaded.`}
        />
      )}
      {sender.isPending ? <Loading /> : null}
      {sender.data === undefined ? null : (
        <>
          {children(sender.data)}
          <Attempts source={attempts} w={w} />
        </>
      )}
    </Detail>
  )
}
