import type { EndpointName } from "@inlethq/contract/access/requirements"
import type { AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { duration } from "../../shared/values/figures.ts"

type TestAnswer = Pick<AttemptDocument, "duration_ms" | "response_excerpt" | "response_status" | "status">

interface Test {
  /** The label of the button that starts the test. */
  readonly label: string
  readonly run: () => Promise<TestAnswer>
  /** Who answers, at the beginning of a sentence, such as "Your server". */
  readonly receiver: string
  /** What the test sends, such as "the sample". */
  readonly sent: string
}

interface SendingActionsProps {
  readonly kind: "webhook" | "forward"
  readonly isEnabled: boolean
  readonly setEnabled: (isEnabled: boolean) => Promise<{ readonly enabled: boolean; readonly name: string }>
  /** The beginning of the query keys that a pause makes outdated. */
  readonly outdates: QueryKey
  readonly test: Test
  readonly needs: { readonly test: EndpointName; readonly update: EndpointName }
  /** Further buttons. */
  readonly children: ReactNode
}

/** The actions on a webhook or a forward. The result of a test is shown below the buttons. */
export const SendingActions = (props: SendingActionsProps) => {
  const { children, isEnabled, kind, needs, outdates, setEnabled, test } = props
  const queries = useQueryClient()
  const updateRefusal = useRefusal(needs.update)
  const testRefusal = useRefusal(needs.test)
  const toggle = useMutation({
    mutationFn: () => setEnabled(!isEnabled),
    onSuccess: ({ enabled, name }) => notify(`The ${kind} ${name} was ${enabled ? "resumed" : "paused"}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: outdates }),
  })
  const tested = useMutation({ mutationFn: test.run })
  const problem = toggle.error ?? tested.error
  return (
    <Section title="Actions">
      <div className="flex flex-wrap gap-2">
        <Button disabled={tested.isPending} onClick={() => tested.mutate()} refusal={testRefusal}>
          {test.label}
        </Button>
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()} refusal={updateRefusal}>
          {isEnabled ? "Pause" : "Resume"}
        </Button>
        {children}
      </div>
      <p aria-live="polite" className={`pt-2 text-sm ${problem === null ? "text-muted" : "text-red"}`}>
        {problem?.message ?? (tested.data === undefined ? "" : testText(test, tested.data))}
      </p>
    </Section>
  )
}

const testText = ({ receiver, sent }: Test, tested: TestAnswer): string => {
  const { duration_ms, response_excerpt, response_status, status } = tested
  const answer = response_status === null ? (response_excerpt ?? "no answer") : `status ${response_status}`
  const after = `after ${duration(duration_ms)}`
  return status === "delivered"
    ? `${receiver} accepted ${sent} with ${answer} ${after}.`
    : `${receiver} did not accept ${sent}: ${answer} ${after}.`
}
