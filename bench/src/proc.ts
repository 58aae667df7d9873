import { readdirSync, readFileSync, writeFileSync } from "node:fs"

/** The clock ticks per second in `/proc/<pid>/stat`. All Linux systems that Node supports have the same value. */
const ticksPerSecond = 100

/**
 * Returns the CPU seconds that all threads of a process have used together. Returns NaN if `/proc` is not available.
 */
export const cpuSecondsOf = (pid: number): number => {
  const stat = read(`/proc/${pid}/stat`)
  // The name of the process is in parentheses and may contain spaces. User and system time are the 12th and 13th fields
  // after the name.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) / ticksPerSecond
}

/**
 * Returns the CPU seconds that the main thread of a process has used. Returns NaN if `/proc` is not available or the
 * kernel keeps no statistics of its scheduler.
 */
export const mainThreadCpuSecondsOf = (pid: number): number =>
  Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ", 1)[0] || Number.NaN) / 1e9

/**
 * Returns the CPU seconds that a process and its running children have used together. Returns 0 if `/proc` is not
 * available.
 */
export const cpuSecondsWithChildren = (pid: number): number => {
  const own = processes().filter((other) => other === pid || parentOf(other) === pid)
  return own.reduce((sum, other) => sum + (cpuSecondsOf(other) || 0), 0)
}

const processes = (): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

const parentOf = (pid: number): number => {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? Number.NaN)
}

/**
 * Returns the CPU seconds that this machine has used, including the steal time of a virtual machine. Returns NaN if
 * unknown.
 */
export const machineCpuSeconds = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = (read("/proc/stat").split("\n")[0] ?? "").split(
    /\s+/,
  )
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksPerSecond
}

/**
 * Returns the peak memory of a process in MB since its start or the last call of `forgetPeak`. Returns NaN if unknown.
 */
export const peakMegabytesOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024

/** Resets the peak memory of a process, if the system supports this. */
export const forgetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5")
  } catch {
    // The system cannot reset the peak memory of a process. Later measurements then include the time since the start of
    // the process.
  }
}

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
