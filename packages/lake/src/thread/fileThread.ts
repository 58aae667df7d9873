import { parentPort } from "node:worker_threads"
import { answersWith } from "./answerRequest.ts"
import type { Message } from "./LakeThread.ts"

/*
 * The thread that reads the log for the lake, and writes and reads its files, so that none of this holds up the thread that
 * serves requests. It answers one request after the other.
 */

const answers = answersWith()

const answer = async (message: Message): Promise<void> => {
  try {
    parentPort?.postMessage({ id: message.id, answer: await answerTo(message) })
  } catch (cause) {
    parentPort?.postMessage({ id: message.id, failure: String(cause) })
  }
}

const answerTo = ({ request }: Message): unknown => {
  switch (request.name) {
    case "append":
      return answers.append(request.asked)
    case "copy":
      return answers.copy(request.asked)
    case "close":
      return answers.close(request.asked)
    case "finish":
      return answers.finish(request.asked)
    case "abort":
      return answers.abort(request.asked)
    case "scan":
      return answers.scan(request.asked)
    case "affected":
      return answers.affected(request.asked)
    case "data":
      return answers.data(request.asked)
    case "rewrite":
      return answers.rewrite(request.asked)
    case "owners":
      return answers.owners(request.asked)
    case "check":
      return answers.check(request.asked)
  }
}

let last: Promise<void> = Promise.resolve()

parentPort?.on("message", (message: Message) => {
  last = last.then(() => answer(message))
})
