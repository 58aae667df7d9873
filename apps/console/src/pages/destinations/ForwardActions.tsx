import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { duration } from "../../shared/values/figures.ts"
import { RecoverDialog } from "../attempts/RecoverDialog.tsx"
import { EditForwardDialog } from "./EditForwardDialog.tsx"

interface ForwardActionsProps {
  readonly w: string
  readonly forward: ForwardDocument
}

/** The actions on a forward. The result of a test is shown below the buttons. */
export const ForwardActions = ({ forward, w }: ForwardActionsProps) => {
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<"edit" | "recover">()
  const id = forward.forward_id
  const updateRefusal = useRefusal("forwards.update")
  const testRefusal = useRefusal("forwardAttempts.test")
  const recoverRefusal = useRefusal("forwardAttempts.recover")
  const toggle = useMutation({
    mutationFn: () => api.forwards.update(w, id, { enabled: !forward.enabled }),
    onSuccess: ({ enabled, name }) => notify(`The forward ${name} was ${enabled ? "resumed" : "paused"}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: [w, "destinations"] }),
  })
  const test = useMutation({ mutationFn: () => api.forwardAttempts.test(w, id) })
  const problem = toggle.error ?? test.error
  const close = (): void => setDialog(undefined)
  return (
    <Section title="Actions">
      <div className="flex flex-wrap gap-2">
        <Button disabled={test.isPending} onClick={() => test.mutate()} refusal={testRefusal}>
          Test the key
        </Button>
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()} refusal={updateRefusal}>
          {forward.enabled ? "Pause" : "Resume"}
        </Button>
        <Button onClick={() => setDialog("edit")} refusal={updateRefusal}>
          Edit
        </Button>
        <Button onClick={() => setDialog("recover")} refusal={recoverRefusal}>
          Recover
        </Button>
      </div>
      <p aria-live="polite" className={`pt-2 text-sm ${problem === null ? "text-muted" : "text-red"}`}>
        {problem?.message ?? (test.data === undefined ? "" : testText(test.data))}
      </p>
      {dialog === "edit" ? <EditForwardDialog forward={forward} onClose={close} w={w} /> : null}
      {dialog === "recover" ? (
        <RecoverDialog
          onClose={close}
          outdates={[w, "destinations"]}
          recover={async (since) => (await api.forwardAttempts.recover(w, id, { since })).operations}
          thing="operation"
        />
      ) : null}
    </Section>
  )
}

type TestResult = Awaited<ReturnType<typeof api.forwardAttempts.test>>

const testText = ({ duration_ms, response_excerpt, response_status, status }: TestResult): string => {
  const answer = response_status === null ? (response_excerpt ?? "no answer") : `status ${response_status}`
  const after = `after ${duration(duration_ms)}`
  return status === "delivered"
    ? `The receiver accepted an empty batch with ${answer} ${after}.`
    : `The receiver did not accept an empty batch: ${answer} ${after}.`
}
