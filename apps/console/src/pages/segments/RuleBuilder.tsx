import { Button } from "../../shared/buttons/Button.tsx"
import { GroupFields } from "./GroupFields.tsx"
import { isOnlyJson, otherwiseEdited, type RuleGroup } from "./ruleTree.ts"

interface RuleBuilderProps {
  readonly w: string
  readonly root: RuleGroup
  readonly onChange: (root: RuleGroup) => void
}

/** Builds a rule of sentences and groups. Each sentence shows for how many people it holds now. */
export const RuleBuilder = ({ onChange, root, w }: RuleBuilderProps) => {
  const other = otherwiseEdited(root)
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="pb-1 text-sm font-medium">Rule</legend>
      <GroupFields group={root} levels={0} onChange={onChange} root={root} w={w} />
      <Button
        disabled={other === undefined}
        onClick={() => {
          if (other !== undefined) onChange(other)
        }}
        tone="quiet"
      >
        {isOnlyJson(root) ? "Edit the rule as rows" : "Edit the rule as JSON"}
      </Button>
    </fieldset>
  )
}
