import { planFacts } from "@inlethq/log/explanation/planFacts"
import type { ActivityDocument } from "../../api/documents.ts"
import { Section } from "../../shared/dialogs/Detail.tsx"

/** Shows which plan an operation does not fit, and where. */
export const PlanViolated = ({ entry }: { readonly entry: ActivityDocument }) => {
  const facts = planFacts(entry)
  if (facts === null) return null
  return (
    <Section title="The plan that it does not fit">
      <p className="text-sm break-words">{facts.title}</p>
      <ul className="mt-2 space-y-1 text-sm">
        {facts.violations.map(({ path, text }, index) => (
          <li className="break-words" key={`${index} ${path}`}>
            <span className="font-mono text-xs text-faint">{path}</span> {text}
          </li>
        ))}
      </ul>
    </Section>
  )
}
