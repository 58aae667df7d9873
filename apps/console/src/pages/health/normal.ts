/** The longest time, in milliseconds, that an operation may wait in the queue of a server that is ready. */
export const waitMsMax = 30_000

/** The longest normal duration of a commit, in milliseconds. A longer commit is slow on any disk. */
export const commitMsMax = 250

/**
 * The longest normal time to answer, in milliseconds. A call that takes longer usually waited in the commit queue, or
 * its client sent the body slowly.
 */
export const answerMsMax = 1_000
