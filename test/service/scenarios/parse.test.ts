import { describe, expect, it } from 'vitest'
import { parseScenarioText } from '../../../src/service/scenarios/load.ts'

/** A JSON text whose one rule starts on line 4, column 5. */
const file = (rule: string) => `{\n  "description": "For a test",\n  "rules": [\n    ${rule}\n  ]\n}\n`
const effect = (text: string) => file(`{ "effect": ${text} }`)

const faultOf = async (name: string, text: string): Promise<string> => {
  const fault = await parseScenarioText(name, text).catch((one: unknown) => one)
  return fault instanceof Error ? fault.message : expect.fail(`${name} is a scenario`)
}

describe('a scenario file', () => {
  it('may use every member, in JSON and in YAML alike', async () => {
    const json = await parseScenarioText(
      'a.json',
      `{
        "$schema": "../scenario.schema.json",
        "description": "Everything at once",
        "rules": [
          {
            "match": {
              "operation": ["updateResource", "deleteResource"], "method": "POST", "project": "acme*",
              "path": "/acme/resource/*", "query": { "version": "*" }, "headers": { "X-Tenant": "a*" },
              "body": { "version": 9223372036854775807 }
            },
            "during": { "from": 0.5, "to": 60 }, "flapping": { "up": 5, "down": 0.5 },
            "after": 1, "every": 2, "probability": 0.5, "times": 3,
            "effect": { "advanceVersion": 1 }
          },
          { "effect": { "dropScopes": ["manage_test", "*"] } },
          { "effect": { "expireToken": true } },
          { "effect": { "hideResources": true } },
          { "effect": { "generate": 10 } },
          { "effect": { "delay": { "fixedDelayMilliseconds": 1 } } },
          { "effect": { "delay": { "delayDistribution": { "type": "uniform", "lower": 1, "upper": 1 } } } },
          { "effect": { "delay": { "delayDistribution": { "type": "lognormal", "median": 1, "sigma": 0.1 } } } },
          { "effect": { "chunkedDribbleDelay": { "numberOfChunks": 2, "totalDuration": 10 } } },
          { "effect": { "answer": { "status": 503, "stage": "gateway", "headers": { "Retry-After": "1" }, "error": { "code": "C", "message": "M", "field": "f" } } } },
          { "effect": { "answer": { "status": 200, "body": null } } },
          { "effect": { "answer": { "status": 200, "bodyFile": "body.xml" } } },
          { "effect": { "answer": { "status": 203, "example": "custom1" } } },
          { "effect": { "rateLimit": { "requests": 1, "perSeconds": 0.5 } } },
          { "effect": { "fault": "TIMEOUT" } }
        ]
      }`,
    )
    const yaml = await parseScenarioText(
      'a.yaml',
      `
$schema: ../scenario.schema.json
description: Everything at once
rules:
  - match:
      operation: [updateResource, deleteResource]
      method: POST
      project: acme*
      path: /acme/resource/*
      query: { version: '*' }
      headers: { X-Tenant: a* }
      body: { version: 9223372036854775807 }
    during: { from: 0.5, to: 60 }
    flapping: { up: 5, down: 0.5 }
    after: 1
    every: 2
    probability: 0.5
    times: 3
    effect: { advanceVersion: 1 }
  - effect: { dropScopes: [manage_test, '*'] }
  - effect: { expireToken: true }
  - effect: { hideResources: true }
  - effect: { generate: 10 }
  - effect: { delay: { fixedDelayMilliseconds: 1 } }
  - effect: { delay: { delayDistribution: { type: uniform, lower: 1, upper: 1 } } }
  - effect: { delay: { delayDistribution: { type: lognormal, median: 1, sigma: 0.1 } } }
  - effect: { chunkedDribbleDelay: { numberOfChunks: 2, totalDuration: 10 } }
  - effect: { answer: { status: 503, stage: gateway, headers: { Retry-After: '1' }, error: { code: C, message: M, field: f } } }
  - effect: { answer: { status: 200, body: null } }
  - effect: { answer: { status: 200, bodyFile: body.xml } }
  - effect: { answer: { status: 203, example: custom1 } }
  - effect: { rateLimit: { requests: 1, perSeconds: 0.5 } }
  - effect: { fault: TIMEOUT }
`,
    )
    expect(yaml).toEqual(json)
    expect(json.rules).toHaveLength(15)
    expect(json.rules[0]?.match?.body).toEqual({ version: 9223372036854775807n })
  })

  it('may repeat a part with a merge key in YAML', async () => {
    const text = `
description: d
rules:
  - &first
    match: { method: POST }
    effect: { answer: { status: 418 } }
  - <<: *first
    match: { method: GET }
  - <<: [{ times: 2 }, *first]
`
    const { rules } = await parseScenarioText('a.yaml', text)
    expect(rules).toEqual([
      { match: { method: 'POST' }, effect: { answer: { status: 418 } } },
      { match: { method: 'GET' }, effect: { answer: { status: 418 } } },
      { match: { method: 'POST' }, times: 2, effect: { answer: { status: 418 } } },
    ])
  })
})

describe('an error', () => {
  it.each<readonly [string, string, string]>([
    [
      'a member of the file',
      '{\n  "descripton": "d",\n  "rules": []\n}',
      'a.json:2:3 descripton: unknown member "descripton". Did you mean "description"? Known members: $schema, title, description, rules.',
    ],
    [
      'a member of a rule',
      file('{ "efect": { "fault": "TIMEOUT" } }'),
      'a.json:4:7 rules[0].efect: unknown member "efect". Did you mean "effect"? Known members: match, during, flapping, after, every, probability, times, effect.',
    ],
    [
      'a member of a rule in the wrong place',
      file('{ "operation": "updateResource", "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:7 rules[0].operation: unknown member "operation". It belongs in match.',
    ],
    [
      'an effect directly in the rule',
      file('{ "advanceVersion": 1 }'),
      'a.json:4:7 rules[0].advanceVersion: unknown member "advanceVersion". It belongs in effect.',
    ],
    [
      'a member of match',
      file('{ "match": { "methd": "GET" }, "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:18 rules[0].match.methd: unknown member "methd". Did you mean "method"?',
    ],
    [
      'a member of an outage',
      file('{ "during": { "until": 5 }, "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:19 rules[0].during.until: unknown member "until". Known members: from, to.',
    ],
    [
      'an effect',
      effect('{ "advanceVersoin": 1 }'),
      'a.json:4:19 rules[0].effect.advanceVersoin: unknown member "advanceVersoin". Did you mean "advanceVersion"?',
    ],
    [
      'a member of an answer',
      effect('{ "answer": { "stauts": 500 } }'),
      'a.json:4:31 rules[0].effect.answer.stauts: unknown member "stauts". Did you mean "status"?',
    ],
    [
      'a member of a delay',
      effect('{ "delay": { "fixedDelayMillis": 5 } }'),
      'a.json:4:30 rules[0].effect.delay.fixedDelayMillis: unknown member "fixedDelayMillis". Did you mean "fixedDelayMilliseconds"?',
    ],
    [
      'a member of a distribution',
      effect('{ "delay": { "delayDistribution": { "type": "uniform", "low": 1, "upper": 2 } } }'),
      'unknown member "low". Did you mean "lower"?',
    ],
    [
      'an operation',
      file('{ "match": { "operation": "updateResorce" }, "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:31 rules[0].match.operation: "updateResorce" is not one of queryResources, ',
    ],
    [
      'one of many operations',
      file('{ "match": { "operation": ["updateResource", "delteResource"] }, "effect": { "fault": "TIMEOUT" } }'),
      'Did you mean "deleteResource"?',
    ],
    [
      'a method',
      file('{ "match": { "method": "post" }, "effect": { "fault": "TIMEOUT" } }'),
      'rules[0].match.method: "post" is not one of GET, HEAD, POST, PUT, PATCH, DELETE. Did you mean "POST"?',
    ],
    ['a fault', effect('{ "fault": "TIMEOT" }'), 'a.json:4:28 rules[0].effect.fault: "TIMEOT" is not one of '],
    ['a scope', effect('{ "dropScopes": ["manage_tests"] }'), 'Did you mean "manage_test"?'],
    [
      'a distribution',
      effect('{ "delay": { "delayDistribution": { "type": "unifrom" } } }'),
      'delayDistribution.type: "unifrom" is not one of uniform, lognormal. Did you mean "uniform"?',
    ],
    [
      'an example',
      effect('{ "answer": { "status": 203, "example": "custom3" } }'),
      'effect.answer.example: "custom3" is not one of custom1, custom2. Did you mean "custom1"?',
    ],
    [
      'a stage',
      effect('{ "answer": { "status": 503, "stage": "gatway" } }'),
      'rules[0].effect.answer.stage: gateway expected. Found "gatway".',
    ],
  ])('is refused with the position of a misspelt %s', async (_what, text, sentence) => {
    expect(await faultOf('a.json', text)).toContain(sentence)
  })

  it.each<readonly [string, string, string]>([
    ['no description', '{ "rules": [] }', 'a.json:1:1 description: required, but missing.'],
    ['no rules', '{ "description": "d", "rules": [] }', 'a.json:1:32 rules: at least 1 entry expected. Found [].'],
    ['no effect', file('{}'), 'a.json:4:5 rules[0].effect: required, but missing.'],
    [
      'an empty effect',
      effect('{}'),
      'a.json:4:17 rules[0].effect: exactly one effect expected. Use a separate rule for each effect. Found {}.',
    ],
    [
      'two effects',
      effect('{ "expireToken": true, "fault": "TIMEOUT" }'),
      'exactly one effect expected. Use a separate rule for each effect. Found {"expireToken":true,"fault":"TIMEOUT"}.',
    ],
    [
      'two delays',
      effect(
        '{ "delay": { "fixedDelayMilliseconds": 1, "delayDistribution": { "type": "uniform", "lower": 1, "upper": 2 } } }',
      ),
      'exactly one of fixedDelayMilliseconds and delayDistribution expected.',
    ],
    [
      'an incomplete distribution',
      effect('{ "delay": { "delayDistribution": { "type": "uniform", "lower": 1 } } }'),
      'delayDistribution.upper: required, but missing.',
    ],
    [
      'a distribution with reversed bounds',
      effect('{ "delay": { "delayDistribution": { "type": "uniform", "lower": 2, "upper": 1 } } }'),
      'lower must not exceed upper.',
    ],
    [
      'an outage that ends before it starts',
      file('{ "during": { "from": 5, "to": 5 }, "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:36 rules[0].during.to: a value greater than from expected. Found 5.',
    ],
    [
      'flapping without an up time',
      file('{ "flapping": { "up": 0, "down": 5 }, "effect": { "fault": "TIMEOUT" } }'),
      'a.json:4:27 rules[0].flapping.up: at least 0.001 expected. Found 0.',
    ],
    [
      'a delay that is too long',
      effect('{ "delay": { "fixedDelayMilliseconds": 60001 } }'),
      'a.json:4:56 rules[0].effect.delay.fixedDelayMilliseconds: at most 60000 expected. Found 60001.',
    ],
    [
      'a flag set to false',
      effect('{ "expireToken": false }'),
      'rules[0].effect.expireToken: true expected. Found false.',
    ],
    [
      'an invalid status',
      effect('{ "answer": { "status": 99 } }'),
      'a.json:4:41 rules[0].effect.answer.status: at least 200 expected. Found 99.',
    ],
    [
      'a status as a string',
      effect('{ "answer": { "status": "503" } }'),
      'rules[0].effect.answer.status: number expected. Found "503".',
    ],
    [
      'two bodies',
      effect('{ "answer": { "status": 200, "body": 1, "example": "custom1" } }'),
      'at most one of error, body, text, bodyFile and example expected.',
    ],
    [
      'a body that the status does not allow',
      effect('{ "answer": { "status": 204, "body": {} } }'),
      'no body expected with status 204, 205, 304.',
    ],
    [
      'an error without a message',
      effect('{ "answer": { "status": 500, "error": { "code": "C" } } }'),
      'answer.error.message: required, but missing.',
    ],
    [
      'an invalid header',
      effect('{ "answer": { "status": 200, "headers": { "a b": "c" } } }'),
      'answer.headers.a b: a header name expected. Found "a b".',
    ],
    [
      'a header value with a line break',
      effect(String.raw`{ "answer": { "status": 200, "headers": { "X-A": "b\nc" } } }`),
      'answer.headers.X-A: a header value in ISO 8859-1 without control characters expected.',
    ],
    [
      'a header value outside ISO 8859-1',
      effect('{ "answer": { "status": 200, "headers": { "X-A": "€" } } }'),
      'a header value in ISO 8859-1',
    ],
    [
      'a framing header',
      effect('{ "answer": { "status": 200, "headers": { "content-length": "1" } } }'),
      'a header that is not reserved for the server expected. Found "content-length".',
    ],
    [
      'a body file outside the folder',
      effect('{ "answer": { "status": 200, "bodyFile": "../x" } }'),
      `answer.bodyFile: the name of a file in the scenario file's folder expected. Found "../x".`,
    ],
    ['a body file in a folder', effect('{ "answer": { "status": 200, "bodyFile": "a/b" } }'), 'Found "a/b".'],
    ['the folder as a body file', effect('{ "answer": { "status": 200, "bodyFile": ".." } }'), 'Found "..".'],
    [
      'a glob that is too long',
      file(`{ "match": { "path": "${'x'.repeat(501)}" }, "effect": { "fault": "TIMEOUT" } }`),
      'match.path: at most 500 characters expected.',
    ],
    [
      'a probability above 1',
      file('{ "probability": 2, "effect": { "fault": "TIMEOUT" } }'),
      'rules[0].probability: at most 1 expected. Found 2.',
    ],
    [
      'an invalid count',
      file('{ "times": 0, "effect": { "fault": "TIMEOUT" } }'),
      'rules[0].times: at least 1 expected. Found 0.',
    ],
    [
      'a fractional count',
      file('{ "every": 1.5, "effect": { "fault": "TIMEOUT" } }'),
      'rules[0].every: whole number expected. Found 1.5.',
    ],
    ['a list', '[]', 'a.json:1:1 object expected. Found [].'],
    ['nothing', ' \n', 'a.json:1:1 the file is empty; expected a scenario. Write one, or delete the file.'],
    ['malformed JSON', '{\n  "description": "d",\n  "rules": [ ] oops\n}', 'a.json:3:16 unexpected "o".'],
    [
      'a duplicate member',
      '{\n  "description": "d",\n  "description": "d"\n}',
      'a.json:3:3 description: member name appears twice.',
    ],
    [
      'tabs',
      '{\n\t"description": "d",\n\t"rules": [\n\t\t{ "efect": 1 }\n\t]\n}',
      'a.json:4:5 rules[0].efect: unknown member',
    ],
  ])('is refused with the position of %s', async (_what, text, sentence) => {
    expect(await faultOf('a.json', text)).toContain(sentence)
    expect(await faultOf('a.json', text)).toMatch(/^a\.json:\d+:\d+ /)
  })

  it('refuses YAML that would take its parser long', async () => {
    const text = Array.from({ length: 60_000 }, (_, at) => `k${at}: 1`).join('\n')
    expect(await faultOf('a.yaml', text)).toBe(
      `a.yaml:1:1 the file has ${text.length} characters. The limit of YAML is 65536. Use JSON.`,
    )
  })

  it('refuses more rules than it can check at once', async () => {
    const text = `{"description":"d","rules":[${'{},'.repeat(79_999)}{}]}`
    expect(await faultOf('a.json', text)).toBe(
      'a.json:1:28 rules: a scenario can have at most 5000 rules, not 80000. Split it into several scenarios.',
    )
  })

  it('is reported with all others of the file', async () => {
    const text = '{\n  "descripton": "d",\n  "rules": [\n    { "times": 0, "effect": { "fault": "TIMEOT" } }\n  ]\n}'
    expect((await faultOf('a.json', text)).split('\n')).toEqual([
      expect.stringMatching(/^a\.json:4:16 rules\[0\]\.times: at least 1 expected/),
      expect.stringMatching(/^a\.json:4:40 rules\[0\]\.effect\.fault: "TIMEOT" is not one of/),
      expect.stringMatching(/^a\.json:2:3 descripton: unknown member "descripton"\. Did you mean "description"/),
    ])
    expect((await faultOf('a.yaml', 'a: 1\na: 2\nrules: *none\nb: [')).split('\n')).toEqual([
      'a.yaml:2:1 Map keys must be unique.',
      expect.stringMatching(/^a\.yaml:4:5 Flow sequence/),
    ])
  })

  it.each<readonly [string, string, string]>([
    [
      'a misspelled member',
      'description: d\nrules:\n  - efect:\n      fault: TIMEOUT\n',
      'a.yaml:3:5 rules[0].efect: unknown member "efect". Did you mean "effect"?',
    ],
    [
      'a misspelled value',
      'description: d\nrules:\n  - effect:\n      fault: TIMEOT\n',
      'a.yaml:4:14 rules[0].effect.fault: "TIMEOT" is not one of',
    ],
    [
      'a malformed list',
      'description: d\nrules: [\n',
      'a.yaml:3:1 Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
    ['a duplicate member', 'description: d\ndescription: e\n', 'a.yaml:2:1 Map keys must be unique.'],
    [
      'two documents',
      'description: d\n---\ndescription: e\n',
      'a.yaml:2:1 a single YAML document expected. Found more than one.',
    ],
    ['an undefined alias', 'description: d\nrules: *none\n', 'a.yaml:2:8 the alias *none has no anchor before it.'],
    [
      'an alias inside of its anchor',
      'description: d\nrules: &a\n  - *a\n',
      'a.yaml:3:5 the alias *a is inside of its own anchor.',
    ],
    ['a number that JSON does not have', 'description: d\nrules: [.nan]\n', 'a.yaml:2:9 .nan is not a number in JSON.'],
    ['an infinite number', 'description: d\nrules:\n- times: -.inf\n', 'a.yaml:3:10 -.inf is not a number in JSON.'],
    [
      'a binary value',
      'description: d\nrules: !!binary aGk=\n',
      'a.yaml:2:8 the tag !!binary has no value in JSON. Remove it.',
    ],
    ['a set', 'description: d\nrules: !!set { a }\n', 'a.yaml:2:8 the tag !!set has no value in JSON. Remove it.'],
    ['an unknown tag', 'description: !mine d\n', 'a.yaml:1:14 the tag !mine has no value in JSON. Remove it.'],
    ['a list as a name', '? [a, b]\n: c\n', 'a.yaml:1:3 the name of a member must be a string.'],
    [
      'a merged value that is not a map',
      'a: &a [1]\nb:\n  <<: *a\n',
      'a.yaml:3:7 the merge key << needs a map, or a list of maps.',
    ],
    [
      'a member of a merged map',
      'description: d\nrules:\n  - effect: &e { fault: TIMEOT }\n  - effect: { <<: *e }\n',
      'a.yaml:3:25 rules[1].effect.fault: "TIMEOT" is not one of',
    ],
    ['a syntax error', 'description: d\nrules:\n\t- a\n', 'a.yaml:3:1 Tabs are not allowed as indentation.'],
    [
      'too many aliases',
      `a: &a [x,x]\nb: &b [${'*a,'.repeat(10)}]\nc: &c [${'*b,'.repeat(10)}]\nd: [${'*c,'.repeat(9)}]`,
      'Excessive alias count',
    ],
    ['nothing', '', 'a.yaml:1:1 object expected. Found null.'],
  ])('is refused with the position of %s in YAML', async (_what, text, sentence) => {
    expect(await faultOf('a.yaml', text)).toContain(sentence)
    expect(await faultOf('a.yml', text)).toMatch(/^a\.yml:\d+:\d+ /)
  })
})
