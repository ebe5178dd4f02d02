/** The values of a statement that is put together from parts; a value enters the text as a typed placeholder only. */
export interface SqlValues {
  readonly list: readonly unknown[];
  add(value: unknown, type: string): string;
}

export function createSqlValues(): SqlValues {
  const list: unknown[] = [];
  return {
    list,
    add: (value, type) => `$${list.push(value)}::${type}`,
  };
}

/** `('A', 'B')`, for names of our own: written out, so that the planner compares it with an index's predicate. */
export const oneOf = (names: readonly string[]): string => `(${names.map((name) => `'${name}'`).join(', ')})`;
