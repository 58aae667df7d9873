// Time limits of tests. A limit only ends a test that hangs. A test waits for a state, and a busy machine may take 50
// times longer than an idle machine to reach the state. No test may rely on a short limit.

/** The longest wait for one state, in milliseconds. */
export const waitMsMax = 5 * 60_000

/**
 * The longest run of one test or hook, in milliseconds. The time is longer than `waitMsMax`, so that a wait fails first
 * and names the state.
 */
export const testMsMax = 20 * 60_000
