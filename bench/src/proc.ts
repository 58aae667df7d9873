import { readFileSync, writeFileSync } from "node:fs"

/** Ticks of `/proc/<pid>/stat` in a second, on every Linux that Node runs on. */
const ticksPerSecond = 100

/** CPU seconds that a process has used with all its threads; NaN where the system does not tell. */
export const cpuSecondsOf = (pid: number): number => {
  const stat = read(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) / ticksPerSecond
}

/** CPU seconds that this machine has spent on everything, what a host above it took away included; NaN where unknown. */
export const machineCpuSeconds = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = (read("/proc/stat").split("\n")[0] ?? "").split(
    /\s+/,
  )
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksPerSecond
}

/** The most memory that a process has held since its start or the last `forgetPeak`, in MB; NaN where unknown. */
export const peakMegabytesOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024

/** Lets the peak of a process begin anew, where the system can do that. */
export const forgetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5")
  } catch {
    // Then the peak is that of the whole life of the process.
  }
}

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
