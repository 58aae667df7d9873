interface NodeModules {
  readonly "node:http": Pick<typeof import("node:http"), "request">
  readonly "node:https": Pick<typeof import("node:http"), "request">
  readonly "node:zlib": Pick<typeof import("node:zlib"), "gzip">
}

/** The parts of Node that this module uses. Other runtimes imitate some of these parts. */
declare const process:
  | {
      readonly release?: { readonly name?: string }
      readonly getBuiltinModule?: <Name extends keyof NodeModules>(name: Name) => NodeModules[Name]
    }
  | undefined
declare const navigator: { readonly userAgent?: string } | undefined

/**
 * Returns a built-in module of Node, or undefined in other runtimes and in Node before 20.16. Does not import the module,
 * because other runtimes and their bundlers cannot resolve the import.
 */
export const nodeModule = <Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined => {
  const isNode =
    typeof process !== "undefined" &&
    process.release?.name === "node" &&
    (typeof navigator === "undefined" || navigator.userAgent?.startsWith("Node.js") === true)
  return isNode ? process.getBuiltinModule?.(name) : undefined
}
