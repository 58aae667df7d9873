/** An instruction of a Dockerfile, such as `COPY . .`, with its continuation lines joined. */
export interface Instruction {
  readonly name: string
  readonly argument: string
}

/** A build stage of a Dockerfile, which begins with `FROM`. */
export interface Stage {
  readonly from: string
  readonly name: string | undefined
  readonly instructions: ReadonlyArray<Instruction>
}

/** Returns the instructions of a Dockerfile without comments and blank lines. */
const instructionsOf = (text: string): ReadonlyArray<Instruction> =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => {
      const [name = "", ...rest] = line.split(" ")
      return { name, argument: rest.join(" ").replaceAll(/\s+/g, " ").trim() }
    })

/** Returns the stages of a Dockerfile. Throws if an instruction comes before the first `FROM`. */
export const stagesOf = (text: string): ReadonlyArray<Stage> => {
  const stages: Array<Stage & { instructions: Array<Instruction> }> = []
  for (const instruction of instructionsOf(text)) {
    if (instruction.name === "FROM") {
      const [from = "", , name] = instruction.argument.split(" ")
      stages.push({ from, name, instructions: [] })
      continue
    }
    const stage = stages.at(-1)
    if (stage === undefined) throw new Error(`${instruction.name} comes before FROM`)
    stage.instructions.push(instruction)
  }
  return stages
}

const isRoot = (user: string): boolean => /^(root|0)(:|$)/.test(user)

/** Returns the arguments of the last instruction with this name in a stage, or undefined. */
export const lastOf = (stage: Stage, name: string): string | undefined =>
  stage.instructions.findLast((instruction) => instruction.name === name)?.argument

/** Returns a description of each fault of a Dockerfile, such as a base image without a fixed version. */
export const faultsOf = (text: string): ReadonlyArray<string> => {
  const stages = stagesOf(text)
  const last = stages.at(-1)
  if (last === undefined) return ["the file has no FROM"]
  const faults: Array<string> = []
  if (stages.length < 2) faults.push("the image contains the tools that built it: use a build stage")
  for (const { from, instructions } of stages) {
    if (!/:[^:/]*\d/.test(from) || from.endsWith(":latest")) faults.push(`${from} has no fixed version`)
    for (const { argument, name } of instructions) {
      if (name === "ADD") faults.push(`ADD ${argument}: use COPY`)
      if (name === "MAINTAINER") faults.push("MAINTAINER is deprecated: use LABEL")
      if (name === "WORKDIR" && !argument.startsWith("/")) faults.push(`WORKDIR ${argument} is not absolute`)
      if (name === "RUN" && /\b(sudo|chmod 777)\b/.test(argument))
        faults.push(`RUN ${argument}: too many rights`)
      if (name === "RUN" && /\bcd /.test(argument)) faults.push(`RUN ${argument}: use WORKDIR`)
      if (name === "RUN" && /apt-get install/.test(argument) && !/rm -rf \/var\/lib\/apt/.test(argument)) {
        faults.push(`RUN ${argument}: remove the package lists in the same step`)
      }
      if (["ENV", "ARG"].includes(name) && /(SECRET|PASSWORD|TOKEN|API_KEY|WRITE_KEY)/.test(argument)) {
        faults.push(`${name} ${argument}: a secret would stay in the image`)
      }
      if (["CMD", "ENTRYPOINT"].includes(name) && !argument.startsWith("[")) {
        faults.push(`${name} ${argument}: use the form with brackets, so that signals reach the program`)
      }
    }
  }
  const copied = last.instructions.filter(({ name }) => name === "COPY")
  for (const { argument } of copied) {
    if (!argument.startsWith("--from=")) faults.push(`COPY ${argument}: the last stage copies sources`)
  }
  const user = lastOf(last, "USER")
  if (user === undefined || isRoot(user)) faults.push("the image runs as root")
  else if (!/^\d+(:\d+)?$/.test(user))
    faults.push(`USER ${user}: use a number, so that its rights can be checked`)
  if (lastOf(last, "HEALTHCHECK") === undefined) faults.push("HEALTHCHECK is missing")
  if (lastOf(last, "ENTRYPOINT") === undefined) faults.push("ENTRYPOINT is missing")
  return faults
}
