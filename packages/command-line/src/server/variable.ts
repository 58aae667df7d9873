/** Returns an environment variable. An empty variable counts as absent. */
export const variable = (name: string): string | undefined => {
  const given = process.env[name]?.trim()
  return given === "" ? undefined : given
}
