import { useQuery } from "@tanstack/react-query"
import type { RuleJson } from "./RuleJson.ts"
import type { RuleRow } from "./ruleRows.ts"
import { isGroup, matches, treeOfRule, type RuleNode } from "./ruleTree.ts"
import { rowWords } from "./rowWords.ts"
import { newestSegmentsQuery, segmentQuery } from "./segmentQueries.ts"

interface RuleWordsProps {
  readonly w: string
  readonly rule: RuleJson
}

/** What a rule asks for, as the sentences of the rule builder. */
export const RuleWords = ({ rule, w }: RuleWordsProps) => {
  const root = treeOfRule(rule)
  const [only, other] = root.nodes
  const isAlone = only !== undefined && other === undefined && root.match === "all"
  return (
    <div className="text-sm break-words">
      <NodeWords node={isAlone ? only : root} w={w} />
    </div>
  )
}

interface NodeWordsProps {
  readonly w: string
  readonly node: RuleNode
}

const NodeWords = ({ node, w }: NodeWordsProps) =>
  isGroup(node) ? (
    <>
      <p className="text-muted">{`${matches[node.match].charAt(0).toUpperCase()}${matches[node.match].slice(1)}:`}</p>
      <ul className="ml-4 list-disc">
        {node.nodes.map((one) => (
          <li key={one.key}>
            <NodeWords node={one} w={w} />
          </li>
        ))}
      </ul>
    </>
  ) : (
    <RowWords row={node} w={w} />
  )

interface RowWordsProps {
  readonly w: string
  readonly row: RuleRow
}

const RowWords = ({ row, w }: RowWordsProps) => {
  const name = useSegmentName(w, row.kind === "segment" ? row.segment : undefined)
  if (row.kind === "json") return <code className="font-mono text-xs whitespace-pre-wrap">{row.json}</code>
  return <span>{rowWords(row, name)}</span>
}

/** The name of a segment. All rows ask for the newest segments together, and only an older one is asked for by itself. */
const useSegmentName = (w: string, segmentId: string | undefined): string | undefined => {
  const newest = useQuery({ ...newestSegmentsQuery(w), enabled: segmentId !== undefined })
  const listed = newest.data?.items.find(({ segment_id }) => String(segment_id) === segmentId)
  const isOlder = newest.data != null && newest.data.next !== null && listed === undefined
  const older = useQuery({
    ...segmentQuery(w, segmentId ?? ""),
    enabled: segmentId !== undefined && isOlder,
  })
  return listed?.name ?? older.data?.name
}
