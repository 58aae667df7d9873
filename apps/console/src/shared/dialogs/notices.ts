/** The operation that an act of the operator became. */
export interface NoticeLink {
  readonly w: string
  readonly operationId: string
}

export interface Notice {
  readonly title: string
  readonly link?: NoticeLink | undefined
  /** Why an act failed. Undefined if it did not. */
  readonly failure?: string
}

/** The most notices that wait for the script that shows them. */
const waitingMax = 10

let waiting: ReadonlyArray<Notice> = []
let shows: ((notice: Notice) => void) | undefined

const tell = (notice: Notice): void => {
  if (shows === undefined) waiting = [...waiting, notice].slice(-waitingMax)
  else shows(notice)
}

/** Says what shows notices, which then gets those that wait. Call what it returns when they are shown no longer. */
export const showNotices = (show: (notice: Notice) => void): (() => void) => {
  shows = show
  for (const notice of waiting) show(notice)
  waiting = []
  return () => {
    shows = undefined
  }
}

/** Tells the operator what became of an act. `link` names the operation that the act became. */
export const notify = (title: string, link?: NoticeLink): void => tell({ title, link })

/** Tells the operator that an act failed, in a notice that stays until it is closed. */
export const notifyFailure = (title: string, problem: Error): void =>
  tell({ title, failure: problem.message })
