// Time limits of tests. They only end what hangs: a test waits for a state, and a busy machine may take 50 times longer than
// an idle one to reach it. No test may rely on a limit being short.

/** The longest wait for one state, in milliseconds. */
export const waitMsMax = 15 * 60_000

/** The longest run of one test or hook, in milliseconds. Longer than a wait, so that the wait fails first and names its state. */
export const testMsMax = 60 * 60_000
