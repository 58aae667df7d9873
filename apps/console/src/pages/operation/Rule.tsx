import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Markdown } from "../../shared/values/Markdown.tsx"

interface RuleProps {
  readonly rule: Pick<NonNullable<ExplanationDocument["rule"]>, "rule" | "text" | "title">
  readonly title?: string
}

/** The clause that decided an operation, with its text. */
export const Rule = ({ rule, title = "Rule" }: RuleProps) => (
  <Section title={title}>
    <p className="text-sm font-medium">{rule.title}</p>
    <p className="mb-2 font-mono text-xs text-faint">{rule.rule}</p>
    <Markdown text={rule.text} />
  </Section>
)
