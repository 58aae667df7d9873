import type { StatusDocument } from "@inlethq/contract/server/Status"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { rate } from "../../shared/values/figures.ts"

interface AnswersProps {
  readonly answers: StatusDocument["recent"]["answers"]
}

/** The HTTP answers of the last minute by protocol and status. */
export const Answers = ({ answers }: AnswersProps) => (
  <Section title="Answers of the last minute">
    {answers.length === 0 ? (
      <p className="text-sm text-muted">No calls in the last minute.</p>
    ) : (
      <ul className="grid gap-x-8 text-sm sm:grid-cols-2">
        {answers.map(({ per_second, protocol, status }) => (
          <li className="flex gap-3 border-b border-line py-1.5" key={`${protocol} ${status}`}>
            <span className="w-10 font-mono text-xs leading-5">{status}</span>
            <span className="mr-auto text-muted">{protocol}</span>
            <span>{rate(per_second)}</span>
          </li>
        ))}
      </ul>
    )}
    <p className="pt-2 text-sm text-muted">
      Track answers 200 also for calls that it ignores, so look at the outcomes too. 4xx are mistakes of
      senders. 503 means that the store or the queue was full.
    </p>
  </Section>
)
