import { SchemaAST } from "effect"

/** Returns the texts that schemas name one by one, at any depth. */
export const literalsOf = (schemas: ReadonlyArray<SchemaAST.AST>): ReadonlySet<string> => {
  const found = new Set<string>()
  const seen = new Set<SchemaAST.AST>()
  const waiting = [...schemas]
  for (let ast = waiting.pop(); ast !== undefined; ast = waiting.pop()) {
    if (seen.has(ast)) continue
    seen.add(ast)
    if (ast._tag === "Literal" && typeof ast.literal === "string") found.add(ast.literal)
    waiting.push(...partsOf(ast))
  }
  return found
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Union":
      return ast.types
    case "Objects":
      return [
        ...ast.propertySignatures.map(({ type }) => type),
        ...ast.indexSignatures.map(({ type }) => type),
      ]
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Declaration":
      return ast.typeParameters
    case "Suspend":
      return [ast.thunk()]
    default:
      return []
  }
}
