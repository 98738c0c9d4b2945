/** A case of `src/tests/rule_cases`, whose tables the server's tests run too. */
export interface RuleCase<Input> {
  name: string
  input: Input
  /** What is wrong with which field; empty where the input is right. */
  fields: Record<string, string>
}

/** Puts the long texts, written as `{"text": "begins so", "repeat": "x", "times": 200}`, in place. */
function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut)
  if (typeof value !== 'object' || value === null) return value
  if ('repeat' in value && 'times' in value) {
    const { text = '', repeat, times } = value as { text?: string; repeat: string; times: number }
    return text + repeat.repeat(times)
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, writtenOut(part)]))
}

/** The cases of a table with all their texts written out. */
export function ruleCases<Input>(table: readonly object[]): RuleCase<Input>[] {
  return table.map((row) => writtenOut(row) as RuleCase<Input>)
}
