/** Whether the calendar has the day with which a text begins. The text has digits where a day has them. */
const isCalendarDay = (text: string): boolean => {
  const [year, month, day] = [numberIn(text, 0, 4), numberIn(text, 5, 7), numberIn(text, 8, 10)]
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0))
}

const zero = "0".charCodeAt(0)

/** Reads the digits between two places. Every call with a time comes by, so no text is made for each. */
const numberIn = (text: string, from: number, to: number): number => {
  let read = 0
  for (let place = from; place < to; place++) read = read * 10 + text.charCodeAt(place) - zero
  return read
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const day = /^\d{4}-\d{2}-\d{2}$/
const time =
  /^\d{4}-\d{2}-\d{2}[tT ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const address = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,255}$/
const uri = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const isDay = (text: string): boolean => day.test(text) && isCalendarDay(text)

/** The formats that a plan can ask of a text. Each test takes a time that grows with the length of the text. */
const tests = {
  date: isDay,
  "date-time": (text: string) => time.test(text) && isCalendarDay(text),
  email: (text: string) => address.test(text),
  uri: (text: string) => uri.test(text),
  uuid: (text: string) => uuid.test(text),
} as const

export type PlanFormat = keyof typeof tests

export const planFormats: ReadonlyArray<string> = Object.keys(tests)

export const isPlanFormat = (name: string): name is PlanFormat => Object.hasOwn(tests, name)

export const hasFormat = (format: PlanFormat, text: string): boolean => tests[format](text)
