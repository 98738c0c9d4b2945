/** An input and the expected error messages by field. */
export interface RuleCase {
  name: string
  input: Record<string, unknown>
  fields: Record<string, string>
}

/**
 * The cases of `src/tests/rule_cases/*.json`, which the server's tests run too. Long texts such as
 * `{"text": "https://", "repeat": "a", "times": 1981}` are expanded.
 */
export function ruleCases(cases: readonly unknown[]): RuleCase[] {
  return cases.map((value) => expand(value) as RuleCase)
}

function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand)
  if (typeof value !== 'object' || value === null) return value
  if ('repeat' in value && 'times' in value) {
    const { text = '', repeat, times } = value as { text?: string; repeat: string; times: number }
    return text + repeat.repeat(times)
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]))
}

/** The form value for a value of a case: empty if it is missing or null. */
export function fieldValue(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
