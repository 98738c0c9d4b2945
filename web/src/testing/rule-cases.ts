/** An input, and the message for each field that is wrong with it. */
export interface RuleCase {
  name: string
  input: Record<string, unknown>
  fields: Record<string, string>
}

/**
 * The cases of `src/tests/rule_cases/*.json`, which the server's tests run too. A long text stands
 * there as `{"text": "https://", "repeat": "a", "times": 1981}`, and is written out here.
 */
export function ruleCases(cases: readonly unknown[]): RuleCase[] {
  return cases.map((one) => writtenOut(one) as RuleCase)
}

function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut)
  if (typeof value !== 'object' || value === null) return value
  if ('repeat' in value && 'times' in value) {
    const { text = '', repeat, times } = value as { text?: string; repeat: string; times: number }
    return text + repeat.repeat(times)
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, writtenOut(inner)]))
}

/** What a form holds for a key of a case: what is missing or null there is an empty field here. */
export function typed(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
