import type { SegmentDocument } from "../../api/documents.ts"
import { Section } from "../../shared/Detail.tsx"
import { Code } from "../../shared/Code.tsx"
import { LastDays } from "./LastDays.tsx"
import { NewestCrossings } from "./NewestCrossings.tsx"

interface RuleFactsProps {
  readonly w: string
  readonly segment: SegmentDocument
}

/** The rule of a segment, what the last days brought, and who entered and left last. */
export const RuleFacts = ({ segment, w }: RuleFactsProps) => (
  <>
    <Section title="Rule">
      <Code label="The rule as JSON" text={JSON.stringify(segment.rule, null, 2)} />
    </Section>
    <LastDays rule={segment.rule} size={segment.size} w={w} />
    <NewestCrossings segment={segment} w={w} />
  </>
)
