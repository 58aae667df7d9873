import { fork, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"
import { writeKey } from "../credentials.ts"
import { peakMegabytesOf } from "../proc.ts"
import type { Server } from "../Server.ts"
import type { SdkJob, SdkResult } from "./SdkJob.ts"

const bundle = fileURLToPath(new URL("../../dist/program.js", import.meta.url))

/** The longest time that a program that sends calls with the SDK may run. */
const runMsMax = 300_000

export interface SdkMeasurement extends SdkResult {
  /** The peak memory (RSS) of the program since its start, in MB. */
  readonly peakMegabytes: number
}

/** Sends calls to a server with the SDK, in a process of its own with the default options of Node and of the SDK. */
export const runSdkProgram = async (
  server: Pick<Server, "port">,
  job: Pick<SdkJob, "calls" | "identifies">,
): Promise<SdkMeasurement> => {
  const child = fork(bundle, { execArgv: [] })
  const timer = setTimeout(() => child.kill("SIGKILL"), runMsMax)
  try {
    child.send({ ...job, url: `http://127.0.0.1:${server.port}`, writeKey } satisfies SdkJob)
    return await measured(child)
  } finally {
    clearTimeout(timer)
    child.kill("SIGKILL")
  }
}

const measured = (child: ChildProcess): Promise<SdkMeasurement> =>
  new Promise((resolve, reject) => {
    child.once("message", (result: SdkResult) =>
      resolve({ ...result, peakMegabytes: peakMegabytesOf(child.pid ?? 0) }),
    )
    child.once("exit", () => reject(new Error("the program that uses the SDK exited without a result")))
  })
