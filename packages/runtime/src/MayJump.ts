import { Context } from "effect"

/** Whether the clock may be wrong. Somebody who moves it on purpose, as the emulator does, sets this to false. */
export const MayJump = Context.Reference<boolean>("@inlethq/runtime/MayJump", { defaultValue: () => true })
