export interface TableOptions {
  /** Indexes of the columns that are set flush right. */
  right?: number[];
}

/** Columns two blanks apart, a line under the headings. */
export function formatTable(
  headings: string[],
  rows: string[][],
  { right = [] }: TableOptions = {},
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(headings), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}
