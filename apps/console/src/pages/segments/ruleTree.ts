import { rowOfRule } from "./rowOfRule.ts"
import { isRuleJson, isSameJson, type RuleJson } from "./RuleJson.ts"
import { newRow, ruleOfRow, type RuleRow } from "./ruleRows.ts"

/** What a group asks of its parts. */
export const matches = {
  all: "all of these hold",
  any: "any of these holds",
  none: "none of these holds",
  notAll: "not all of these hold",
} as const

export type Match = keyof typeof matches

/** Rows and groups of which all, any or none must hold. */
export interface RuleGroup {
  readonly key: number
  readonly match: Match
  readonly nodes: ReadonlyArray<RuleNode>
  /** Whether the rule says so of a single part, which other groups leave out at the top. */
  readonly isWritten: boolean
}

export type RuleNode = RuleGroup | RuleRow

export const isGroup = (node: RuleNode): node is RuleGroup => "nodes" in node

const newGroup = (key: number, match: Match): RuleGroup => ({
  key,
  match,
  nodes: [newRow(key + 1)],
  isWritten: false,
})

/** The key of the group that stands for the whole rule. */
const rootKey = 0

/** The groups and rows that build a rule again, exactly. Without a rule, one empty row. */
export const treeOfRule = (rule: RuleJson | undefined): RuleGroup => {
  if (rule === undefined) return newGroup(rootKey, "all")
  const keys = countingFrom(rootKey)
  const parts = partsOf(rule)
  if (parts !== undefined) return groupOf(parts, keys)
  return { key: keys(), match: "all", nodes: [rowOfRule(rule, keys())], isWritten: false }
}

const treeOfJson = (json: string): RuleGroup => ({
  ...newGroup(rootKey, "all"),
  nodes: [{ ...newRow(rootKey + 1, "json"), json }],
})

/** Whether a rule is edited as one row with JSON. */
export const isOnlyJson = ({ nodes: [only, other] }: RuleGroup): boolean =>
  only !== undefined && other === undefined && !isGroup(only) && only.kind === "json"

/** The same rule as one row with JSON, or as sentences if it is that. Undefined while the rule is incomplete. */
export const otherwiseEdited = (root: RuleGroup): RuleGroup | undefined => {
  const rule = ruleOfTree(root)
  if (rule === undefined) return undefined
  return isOnlyJson(root) ? treeOfRule(rule) : treeOfJson(JSON.stringify(rule, null, 2))
}

const countingFrom = (first: number): (() => number) => {
  let next = first
  return () => next++
}

interface Parts {
  readonly match: Match
  readonly rules: ReadonlyArray<RuleJson>
}

const partsOf = (rule: RuleJson): Parts | undefined => {
  const [key, other] = Object.keys(rule)
  if (key === undefined || other !== undefined) return undefined
  const inside = rule[key]
  if ((key === "and" || key === "or") && Array.isArray(inside)) {
    const rules = inside.filter(isRuleJson)
    if (rules.length < inside.length || rules.length === 0) return undefined
    return { match: key === "and" ? "all" : "any", rules }
  }
  if (key !== "not" || !isRuleJson(inside)) return undefined
  const negated = partsOf(inside)
  if (negated?.match === "any") return { ...negated, match: "none" }
  return negated?.match === "all" ? { ...negated, match: "notAll" } : undefined
}

const groupOf = ({ match, rules }: Parts, keys: () => number): RuleGroup => ({
  key: keys(),
  match,
  nodes: rules.map((rule) => {
    const parts = partsOf(rule)
    return parts === undefined ? rowOfRule(rule, keys()) : groupOf(parts, keys)
  }),
  isWritten: rules.length === 1,
})

/** The rule of a part, or undefined while a row in it is incomplete: without that, the rule would hold for other people. */
const ruleOfNode = (node: RuleNode): RuleJson | undefined => {
  if (!isGroup(node)) return ruleOfRow(node)
  const rules = node.nodes.map(ruleOfNode).filter((rule) => rule !== undefined)
  if (rules.length < node.nodes.length || rules.length === 0) return undefined
  switch (node.match) {
    case "all":
      return { and: rules }
    case "any":
      return { or: rules }
    case "none":
      return { not: { or: rules } }
    case "notAll":
      return { not: { and: rules } }
  }
}

/** The whole rule. A single row or group stands alone. */
export const ruleOfTree = (root: RuleGroup): RuleJson | undefined => {
  const [only, other] = root.nodes
  const isAlone = only !== undefined && other === undefined && !root.isWritten
  return isAlone && (root.match === "all" || root.match === "any") ? ruleOfNode(only) : ruleOfNode(root)
}

const nodesIn = (node: RuleNode): ReadonlyArray<RuleNode> =>
  isGroup(node) ? [node, ...node.nodes.flatMap(nodesIn)] : [node]

/** Whether a rule says something else than the one that it began as. Without whole rules, whether anything was typed. */
export const isEdited = (root: RuleGroup, begun: RuleGroup): boolean => {
  const [rule, before] = [ruleOfTree(root), ruleOfTree(begun)]
  return rule === undefined || before === undefined ? !isSameJson(root, begun) : !isSameJson(rule, before)
}

/** The rows of a rule, in their order. */
export const rowsIn = (node: RuleNode): ReadonlyArray<RuleRow> =>
  nodesIn(node).filter((one): one is RuleRow => !isGroup(one))

const nextKey = (root: RuleGroup): number => 1 + Math.max(...nodesIn(root).map(({ key }) => key))

const changed = (node: RuleNode, key: number, change: (node: RuleNode) => RuleNode): RuleNode => {
  if (node.key === key) return change(node)
  return isGroup(node) ? { ...node, nodes: node.nodes.map((one) => changed(one, key, change)) } : node
}

const inGroup = (root: RuleGroup, key: number, change: (group: RuleGroup) => RuleGroup): RuleGroup => {
  const tree = changed(root, key, (node) => (isGroup(node) ? change(node) : node))
  return isGroup(tree) ? tree : root
}

/** Puts a row in the place of the row with its key. */
export const withRow = (root: RuleGroup, row: RuleRow): RuleGroup => {
  const tree = changed(root, row.key, () => row)
  return isGroup(tree) ? tree : root
}

export const withMatch = (root: RuleGroup, key: number, match: Match): RuleGroup =>
  inGroup(root, key, (group) => ({ ...group, match }))

/** Adds an empty row to the group with a key. */
export const withNewRow = (root: RuleGroup, key: number): RuleGroup =>
  inGroup(root, key, (group) => ({ ...group, nodes: [...group.nodes, newRow(nextKey(root))] }))

/** Adds a group with an empty row to the group with a key. */
export const withNewGroup = (root: RuleGroup, key: number): RuleGroup =>
  inGroup(root, key, (group) => ({
    ...group,
    nodes: [...group.nodes, newGroup(nextKey(root), group.match === "all" ? "any" : "all")],
  }))

/** Takes a row or a group away, with the groups that would be left empty. */
export const withoutNode = (root: RuleGroup, key: number): RuleGroup => {
  const left = (group: RuleGroup): RuleGroup => ({
    ...group,
    nodes: group.nodes
      .filter((node) => node.key !== key)
      .map((node) => (isGroup(node) ? left(node) : node))
      .filter((node) => !isGroup(node) || node.nodes.length > 0),
  })
  const tree = left(root)
  return tree.nodes.length === 0 ? newGroup(rootKey, root.match) : tree
}

/** The `and`, `or` and `not` that a group puts around its rows. */
export const levelsOf = (match: Match): number => (match === "none" || match === "notAll" ? 2 : 1)

/** The most rows of a rule, and the most `and`, `or` and `not` around one: as many as the server takes. */
export const rowsMax = 50
export const levelsMax = 8

/** Whether a rule has room for another row. */
export const hasRoom = (root: RuleGroup): boolean => rowsIn(root).length < rowsMax

/** Whether a group fits into one that has this many levels around its rows. */
export const fitsGroup = (levels: number): boolean => levels < levelsMax
