import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { Choice } from "./rowInputs.tsx"
import { RowFields } from "./RowFields.tsx"
import type { RuleRow } from "./ruleRows.ts"
import {
  fitsGroup,
  hasRoom,
  isGroup,
  levelsOf,
  matches,
  rowsIn,
  withMatch,
  withNewGroup,
  withNewRow,
  withoutNode,
  withRow,
  type Match,
  type RuleGroup,
} from "./ruleTree.ts"

interface GroupFieldsProps {
  readonly w: string
  /** The whole rule. */
  readonly root: RuleGroup
  readonly group: RuleGroup
  /** How many `and`, `or` and `not` stand around the group. */
  readonly levels: number
  readonly onChange: (root: RuleGroup) => void
}

/** The rows and groups of a group, and how they are combined. */
export const GroupFields = ({ group, levels, onChange, root, w }: GroupFieldsProps) => {
  const rows = rowsIn(root)
  const numberOf = (row: RuleRow): number => 1 + rows.findIndex(({ key }) => key === row.key)
  const [first] = rowsIn(group)
  const label = group === root ? "The rule" : `Group at row ${first === undefined ? 1 : numberOf(first)}`
  const inside = levels + levelsOf(group.match)
  return (
    <div
      aria-label={label}
      className={group === root ? "space-y-3" : "space-y-3 border-l-2 border-accent pl-3"}
      role="group"
    >
      <div className="flex items-center gap-2 text-sm">
        <span className="whitespace-nowrap">{group === root ? "People for whom" : "A group:"}</span>
        <Choice<Match>
          label={`${label}: which must hold`}
          onChange={(match) => onChange(withMatch(root, group.key, match))}
          options={matches}
          value={group.match}
        />
        {group === root ? null : (
          <span className="ml-auto">
            <IconButton
              icon="close"
              label={`Remove ${label.toLowerCase()}`}
              onClick={() => onChange(withoutNode(root, group.key))}
            />
          </span>
        )}
      </div>
      <ol className="space-y-3">
        {group.nodes.map((node) => (
          <li key={node.key}>
            {isGroup(node) ? (
              <GroupFields group={node} levels={inside} onChange={onChange} root={root} w={w} />
            ) : (
              <RowFields
                number={numberOf(node)}
                onChange={(row) => onChange(withRow(root, row))}
                onRemove={rows.length === 1 ? undefined : () => onChange(withoutNode(root, node.key))}
                row={node}
                w={w}
              />
            )}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={group === root ? undefined : `Add a row to ${label.toLowerCase()}`}
          disabled={!hasRoom(root)}
          icon="created"
          onClick={() => onChange(withNewRow(root, group.key))}
        >
          Add a row
        </Button>
        <Button
          aria-label={group === root ? undefined : `Add a group to ${label.toLowerCase()}`}
          disabled={!hasRoom(root) || !fitsGroup(inside)}
          onClick={() => onChange(withNewGroup(root, group.key))}
          tone="quiet"
        >
          Add a group
        </Button>
      </div>
    </div>
  )
}
