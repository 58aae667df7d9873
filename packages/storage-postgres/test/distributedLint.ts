import { distributedTables } from "../src/tables/distributedTables.ts"

/*
 * Finds what Citus refuses, or would run on every server: rows that a statement changes by their location, joins and
 * changes that do not name the workspace of each table, and locks across workspaces.
 */

const tableNames = new Set(distributedTables)

/** The text of one query of a statement: that of subqueries is left out, because each is a scope of its own. */
interface Scope {
  readonly text: string
  /** The tables that the query reads or changes, without the target of an INSERT. */
  readonly tables: ReadonlyArray<string>
  /** The target of an INSERT. */
  readonly target: string | undefined
}

/** Returns what is wrong with a statement for distributed tables. */
export const problemsOf = (sql: string): ReadonlyArray<string> => {
  const plain = withoutTexts(sql)
  if (!/^(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(plain)) return []
  const problems: Array<string> = []
  const changes = /\b(INSERT INTO|DELETE FROM|UPDATE (?!OF\b|SET\b|SKIP\b)\w+)/i.test(plain)
  if (changes && /\bctid\b/.test(plain)) problems.push("changes rows by ctid")
  const scopes = scopesOf(plain)
  const read = scopes.flatMap(({ tables }) => tables)
  for (const { tables, target, text } of scopes) {
    if (target !== undefined && !/^\s*(AS \w+ )?\([^)]*\bworkspace\b/.test(afterInto(plain, target)))
      problems.push(`inserts into ${target} without a workspace`)
    if (tables.length === 0) continue
    const bound = text.match(/\bworkspace = (CAST\()?\$\d/g)?.length ?? 0
    const joined = text.match(/\bworkspace = \w+\.workspace\b/g)?.length ?? 0
    const isBound = bound > 0 && bound + joined >= tables.length
    if (isBound) continue
    if (/\bFOR UPDATE\b/.test(text)) problems.push(`locks rows of ${tables.join(", ")} across workspaces`)
    if (changesIn(text)) problems.push(`changes ${tables.join(", ")} without a workspace`)
    else if (read.length > 1) problems.push(`joins ${tables.join(", ")} without a workspace`)
  }
  return problems
}

const changesIn = (text: string): boolean => /^\s*(WITH\b.*\b)?(DELETE FROM|UPDATE)\b/s.test(text)

const afterInto = (sql: string, target: string): string =>
  sql.slice(sql.indexOf(`INSERT INTO ${target}`) + `INSERT INTO ${target}`.length)

/** Returns a statement in one line, without comments and the contents of texts. */
const withoutTexts = (sql: string): string =>
  sql
    .replace(/--.*$/gm, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, " ")
    .trim()

const scopesOf = (sql: string): ReadonlyArray<Scope> => {
  const texts: Array<string> = []
  const open: Array<string> = [""]
  for (const character of sql) {
    if (character === "(") {
      open.push("")
      continue
    }
    if (character !== ")" || open.length === 1) {
      open[open.length - 1] += character
      continue
    }
    const closed = open.pop() ?? ""
    const isQuery = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(closed)
    if (isQuery) texts.push(closed)
    // What stands in brackets and is no query belongs to the query around it.
    open[open.length - 1] += isQuery ? " " : `(${closed})`
  }
  texts.push(open[0] ?? "")
  return texts.flatMap((text) => text.split(/\bUNION(?: ALL)?\b/)).map(scopeOf)
}

const tablePattern = /(?:\b(FROM|JOIN|USING|UPDATE|INTO)|,) (\w+)\b(?!\.)/g

const scopeOf = (text: string): Scope => {
  const tables: Array<string> = []
  let target: string | undefined
  for (const [, word, name = ""] of text.matchAll(tablePattern)) {
    if (!tableNames.has(name)) continue
    if (word === "INTO") target = name
    else tables.push(name)
  }
  return { text, tables, target }
}
