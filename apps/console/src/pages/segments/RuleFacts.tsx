import type { SegmentDocument } from "../../api/documents.ts"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { LastDays } from "./LastDays.tsx"
import { RuleWords } from "./RuleWords.tsx"
import { isRuleJson } from "./RuleJson.ts"
import { NewestCrossings } from "./NewestCrossings.tsx"

interface RuleFactsProps {
  readonly w: string
  readonly segment: SegmentDocument
}

/** The rule of a segment, what the last days brought, and who entered and left last. */
export const RuleFacts = ({ segment, w }: RuleFactsProps) => (
  <>
    <Section title="Rule">
      {isRuleJson(segment.rule) ? <RuleWords rule={segment.rule} w={w} /> : null}
      <details className="pt-2">
        <summary className="text-xs text-muted">As JSON</summary>
        <Code label="The rule as JSON" text={JSON.stringify(segment.rule, null, 2)} />
      </details>
    </Section>
    <LastDays segment={segment} w={w} />
    <NewestCrossings segment={segment} w={w} />
  </>
)
