import { answerMessages } from "@inlethq/lake/thread/answerMessages"
import { CatalogOfThread } from "@inlethq/lake/thread/CatalogOfThread"
import { Effect } from "effect"
import { LogSummarizer } from "./LogSummarizer.ts"
import type { SummaryRequests } from "./SummaryThread.ts"

/* The thread that summarizes logs, so that this takes no time of the thread that serves requests. */

const summarizer = new LogSummarizer()
const catalogs = new CatalogOfThread()

answerMessages<SummaryRequests>(async (request) => {
  switch (request.name) {
    case "load":
      return summarizer.load(request.asked)
    case "summarize": {
      const { source, ...asked } = request.asked
      return Effect.runPromise(summarizer.summarize(await catalogs.of(source), asked))
    }
    case "takeChanges":
      return summarizer.takeChanges(request.asked)
    case "close":
      return summarizer.close(request.asked)
  }
})
