/** A node of the route tree, with its child segments and the endpoints of its path by HTTP method. */
interface Node<Endpoint> {
  /** Children are in an array, because searching a few elements is faster than a map lookup. */
  readonly literals: Array<readonly [segment: string, child: Node<Endpoint>]>
  parameter: Node<Endpoint> | undefined
  readonly methods: Map<string, Found<Endpoint>>
}

interface Found<Endpoint> {
  readonly endpoint: Endpoint
  /** The method and the path of the line in the routing table, such as `PUT /api/v1/customers/:identifier`. */
  readonly route: string
}

export type Match<Endpoint> =
  | (Found<Endpoint> & { readonly _tag: "Found"; readonly parameters: ReadonlyArray<string> })
  | { readonly _tag: "WrongMethod"; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "NotFound" }

/** A line of a routing table. A segment that begins with `:` matches any non-empty text. */
export type Route<Endpoint> = readonly [method: string, path: string, endpoint: Endpoint]

const makeNode = <Endpoint>(): Node<Endpoint> => ({
  literals: [],
  parameter: undefined,
  methods: new Map(),
})

/**
 * Returns a function that finds the endpoint for an HTTP method and decoded path segments. Paths are case-sensitive
 * (contract §1).
 */
export const makeRouter = <Endpoint>(routes: ReadonlyArray<Route<Endpoint>>) => {
  const root = makeNode<Endpoint>()
  for (const [method, path, endpoint] of routes) {
    let node = root
    for (const segment of path.slice(1).split("/")) {
      if (segment.startsWith(":")) node = node.parameter ??= makeNode()
      else node = literalChild(node, segment)
    }
    node.methods.set(method, { endpoint, route: `${method} ${path}` })
  }
  return (method: string, segments: ReadonlyArray<string>): Match<Endpoint> => {
    let node = root
    const parameters: Array<string> = []
    for (const segment of segments) {
      const literal = childOf(node, segment)
      const next = literal ?? (segment === "" ? undefined : node.parameter)
      if (next === undefined) return { _tag: "NotFound" }
      if (literal === undefined) parameters.push(segment)
      node = next
    }
    const found = node.methods.get(method)
    if (found !== undefined) {
      return { _tag: "Found", endpoint: found.endpoint, route: found.route, parameters }
    }
    return node.methods.size === 0
      ? { _tag: "NotFound" }
      : { _tag: "WrongMethod", allowed: [...node.methods.keys()] }
  }
}

const literalChild = <Endpoint>(node: Node<Endpoint>, segment: string): Node<Endpoint> => {
  const known = childOf(node, segment)
  if (known !== undefined) return known
  const made = makeNode<Endpoint>()
  node.literals.push([segment, made])
  return made
}

const childOf = <Endpoint>({ literals }: Node<Endpoint>, segment: string): Node<Endpoint> | undefined => {
  for (const [literal, child] of literals) if (literal === segment) return child
  return undefined
}
