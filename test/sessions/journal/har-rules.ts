import * as z from 'zod'

// The requirements of HAR 1.2 for each object (W3C web performance group, "HTTP Archive format", 2012). As in the format,
// unknown members are refused unless they start with an underscore.

const size = z.int().min(-1)
const time = z.number().min(-1)

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z
    .looseObject(shape)
    .refine(
      (value) => Object.keys(value).every((name) => name.startsWith('_') || Object.hasOwn(shape, name)),
      'has a member that HAR 1.2 does not know',
    )

const nameAndValue = object({ name: z.string(), value: z.string(), comment: z.string().optional() })
const cookie = object({ name: z.string(), value: z.string(), path: z.string().optional() })

const request = object({
  method: z.string().min(1),
  url: z.url(),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(nameAndValue),
  queryString: z.array(nameAndValue),
  postData: object({
    mimeType: z.string(),
    text: z.string(),
    comment: z.string().optional(),
    // Beyond the format: how Playwright reads bytes.
    encoding: z.literal('base64').optional(),
  }).optional(),
  headersSize: size,
  bodySize: size,
})

const response = object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(nameAndValue),
  content: object({
    size: z.int(),
    mimeType: z.string(),
    text: z.string().optional(),
    encoding: z.literal('base64').optional(),
    comment: z.string().optional(),
  }),
  redirectURL: z.string(),
  headersSize: size,
  bodySize: size,
})

const timings = object({
  blocked: time,
  dns: time,
  connect: time,
  ssl: time,
  send: time.min(0),
  wait: time.min(0),
  receive: time.min(0),
})

const page = object({
  startedDateTime: z.iso.datetime(),
  id: z.string(),
  title: z.string(),
  pageTimings: z.strictObject({}),
})

const entry = object({
  pageref: z.string(),
  startedDateTime: z.iso.datetime(),
  time: z.number().min(0),
  request,
  response,
  cache: z.strictObject({}),
  timings,
}).refine(
  (one) => one.time === Object.values(one.timings).reduce((sum: number, span) => sum + Math.max(0, Number(span)), 0),
  'time is not the sum of the timings',
)

/** The whole archive. */
export const har = z.strictObject({
  log: object({
    version: z.literal('1.2'),
    creator: object({ name: z.string(), version: z.string() }),
    pages: z.array(page),
    entries: z.array(entry),
  }).refine(
    ({ pages, entries }) => entries.every(({ pageref }) => pages.filter(({ id }) => id === pageref).length === 1),
    'each entry belongs to one page',
  ),
})
