import { useState } from "react"
import { Button } from "../../shared/buttons/Button.tsx"
import { GroupFields } from "./GroupFields.tsx"
import type { RuleJson } from "./RuleJson.ts"
import { isOnlyJson, otherwiseEdited, ruleOfTree, treeOfRule, type RuleGroup } from "./ruleTree.ts"

interface RuleBuilderProps {
  readonly w: string
  /** The rule to begin with. Without it, the builder begins with an empty row. */
  readonly initial?: RuleJson | undefined
  /** Called with the whole rule, and with undefined while a row is incomplete. */
  readonly onChange: (rule: RuleJson | undefined) => void
}

/** Builds a rule of sentences and groups. Each sentence shows for how many people it holds now. */
export const RuleBuilder = ({ initial, onChange, w }: RuleBuilderProps) => {
  const [root, setRoot] = useState(() => treeOfRule(initial))
  const update = (changed: RuleGroup): void => {
    setRoot(changed)
    onChange(ruleOfTree(changed))
  }
  const other = otherwiseEdited(root)
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="pb-1 text-sm font-medium">Rule</legend>
      <GroupFields group={root} levels={0} onChange={update} root={root} w={w} />
      <Button
        disabled={other === undefined}
        onClick={() => {
          if (other !== undefined) update(other)
        }}
        tone="quiet"
      >
        {isOnlyJson(root) ? "Edit the rule as rows" : "Edit the rule as JSON"}
      </Button>
    </fieldset>
  )
}
