import { parentPort } from "node:worker_threads"
import type { Message, Requests } from "./WorkerThread.ts"

/** Answers the messages of a `WorkerThread` in this thread, one after the other. */
export const answerMessages = <All extends Requests<All>>(
  answer: (request: Message<All>["request"]) => unknown,
): void => {
  const reply = async ({ id, request }: Message<All>): Promise<void> => {
    try {
      parentPort?.postMessage({ id, answer: await answer(request) })
    } catch (cause) {
      parentPort?.postMessage({ id, failure: String(cause) })
    }
  }
  let last: Promise<void> = Promise.resolve()
  parentPort?.on("message", (message: Message<All>) => {
    last = last.then(() => reply(message))
  })
}
