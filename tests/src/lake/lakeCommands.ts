import type { Command } from "@inlethq/core/Command"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  deleteObject,
  event,
  identify,
  identifyObject,
  merge,
  objectOf,
  reject,
  remove,
} from "@inlethq/store-conformance/script/commands"

/** Texts that break readers: SQL, formulas of spreadsheets, controls, NUL, half a surrogate pair, and other scripts. */
const hostile = [
  "",
  "'; DROP TABLE activity; --",
  '=HYPERLINK("http://a.example","b")',
  '"\\ \u0000',
  "\ud83d",
  "😀 שלום ‮",
  "\u2028",
  "x".repeat(3000),
]

/** Numbers that readers round or refuse. */
const numbers = [2 ** 53, -(2 ** 53) - 1, 1e308, 5e-324, -0, 0.1]

/** A few people who are identified, merged, deleted and never called the same again. */
export class LakePeople {
  /** The ids and emails of people who were deleted. */
  readonly deleted: Array<string> = []
  private readonly draw: (below: number) => number
  private readonly lives = new Map<number, number>()

  constructor(draw: (below: number) => number) {
    this.draw = draw
  }

  private some(): string {
    const person = this.draw(6)
    return `person${person}life${this.lives.get(person) ?? 0}.`
  }

  /** Returns a command of any kind. */
  command(workspace: Workspace, receivedAt: number): Command {
    const { draw } = this
    const here = { in: workspace, receivedAt }
    const text = hostile[draw(hostile.length)] ?? ""
    const name = this.some()
    const person = byId(name)
    switch (draw(10)) {
      case 0:
        return identify(person, [["note", text]], { ...here, email: `${name}@example.com` })
      case 1:
        return identify(person, [["size", numbers[draw(numbers.length)] ?? 0]], {
          ...here,
          anonymousId: `a${draw(4)}`,
        })
      case 2:
        return event(byAnonymousId(`a${draw(4)}`), "page seen", here)
      case 3:
        return merge(person, byId(this.some()), here)
      case 4:
        return identifyObject(objectOf("1", "acme"), [["plan", text]], [[person]], here)
      case 5:
        return addDevice(byEmail(`${name}@example.com`), `token${draw(3)}`, [["os", text]], here)
      case 6:
        return reject(here)
      case 7:
        return draw(3) === 0 ? this.remove(here) : deleteObject(objectOf("1", "acme"), here)
      default:
        return event(person, text === "" ? "bought" : text, {
          ...here,
          data: { [text]: text, n: numbers[draw(numbers.length)] ?? 0, by: name },
        })
    }
  }

  private remove(here: { readonly in: Workspace; readonly receivedAt: number }): Command {
    const person = this.draw(6)
    const life = this.lives.get(person) ?? 0
    this.lives.set(person, life + 1)
    this.deleted.push(`person${person}life${life}.`)
    return remove(byId(`person${person}life${life}.`), here)
  }
}
