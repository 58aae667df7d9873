const isCalendarDay = (text: string): boolean => {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number)
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0))
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const address = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,255}$/
const uri = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const isDay = (text: string): boolean => day.test(text) && isCalendarDay(text)

/** The formats that a plan can ask of a text. Each test takes a time that grows with the length of the text. */
const tests = {
  date: isDay,
  "date-time": (text: string) =>
    isDay(text.slice(0, 10)) && /^[tT ]$/.test(text.charAt(10)) && time.test(text.slice(11)),
  email: (text: string) => address.test(text),
  uri: (text: string) => uri.test(text),
  uuid: (text: string) => uuid.test(text),
} as const

export type PlanFormat = keyof typeof tests

export const planFormats: ReadonlyArray<string> = Object.keys(tests)

export const isPlanFormat = (name: string): name is PlanFormat => Object.hasOwn(tests, name)

export const hasFormat = (format: PlanFormat, text: string): boolean => tests[format](text)
