import { Toast } from "@base-ui/react/toast"

/** The operation that an act of the operator became. */
export interface NoticeLink {
  readonly w: string
  readonly operationId: string
}

/** The notices that the frame shows over every page. */
export const notices = Toast.createToastManager<{ readonly link?: NoticeLink | undefined }>()

/** Tells the operator what became of an act. `link` names the operation that the act became. */
export const notify = (title: string, link?: NoticeLink): void => {
  notices.add({ title, data: { link } })
}

/** Tells the operator that an act failed, in a notice that stays until it is closed. */
export const notifyFailure = (title: string, problem: Error): void => {
  notices.add({ title, description: problem.message, type: "failure", priority: "high", timeout: 0 })
}
