import { answerMessages } from "./answerMessages.ts"
import { answersWith } from "./answerRequest.ts"
import type { Requests } from "./Request.ts"

/*
 * The thread that reads the log for the lake, and writes and reads its files, so that none of this holds up the thread that
 * serves requests.
 */

const answers = answersWith()

answerMessages<Requests>((request) => {
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
    case "readTable":
      return answers.readTable(request.asked)
    case "checkTable":
      return answers.checkTable(request.asked)
    case "writeTable":
      return answers.writeTable(request.asked)
  }
})
