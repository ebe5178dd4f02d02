/** The values of a statement that is built from parts. A value enters the text only as a typed placeholder. */
export class SqlValues {
  readonly list: unknown[] = [];

  add(value: unknown, type: string): string {
    return `$${this.list.push(value)}::${type}`;
  }
}

/** `('A', 'B')`, for constant names: written out, so that the planner can match an index's predicate. */
export const oneOf = (names: readonly string[]): string => `(${names.map((name) => `'${name}'`).join(', ')})`;

/** `p."one", p."two"`, for constant column names. */
export const columnList = (names: readonly string[], alias = ''): string =>
  names.map((name) => `${alias}"${name}"`).join(', ');

/** The statement with a value for each `:name` in it; `::` is a cast. Undefined values are written as null. */
export function named(
  text: string,
  values: Readonly<Record<string, unknown>>,
): { text: string; values: unknown[] } {
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-zA-Z]\w*)/g, (_, name: string) => {
    if (!(name in values)) throw new Error(`the statement has no value for :${name}`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, values: names.map((name) => values[name]) };
}
