import { parse } from 'csv-parse/sync';

/** A row of a table as written in the file. */
export interface TableRow {
  /** The first line of the file is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}
export interface BrokenRow {
  readonly line: number;
  /** Why it cannot be split into cells. */
  readonly reason: string;
}

/** Large enough for a fast parser, small enough that parsing a broken chunk again is cheap. */
const CHUNK_LINES = 500;

/**
 * Splits the lines of a CSV file into cells. Every line is a separate row (none of the supported files has line
 * breaks inside a cell), so a missing quotation mark costs one row and not the rest of the file. Blank lines are
 * counted but are not rows.
 */
export function* tableRows(lines: readonly string[], firstLine: number): Generator<TableRow | BrokenRow> {
  for (let from = 0; from < lines.length; from += CHUNK_LINES) {
    const chunk = lines
      .slice(from, from + CHUNK_LINES)
      .map((text, index) => ({ text, line: firstLine + from + index }))
      .filter(({ text }) => text.trim() !== '');
    const together = cellsOf(chunk.map(({ text }) => text).join('\n'));
    if (Array.isArray(together) && together.length === chunk.length) {
      yield* chunk.map(({ line }, index) => ({ line, cells: together[index] ?? [] }));
    } else {
      yield* chunk.map(({ text, line }) => oneRow(text, line));
    }
  }
}

/** The cells of a header line, or null when it is not one. */
export function headerCells(line: string): string[] | null {
  const parsed = cellsOf(line);
  const [cells] = Array.isArray(parsed) ? parsed : [];
  return cells?.map((cell) => cell.trim().toLowerCase()) ?? null;
}

function oneRow(text: string, line: number): TableRow | BrokenRow {
  const parsed = cellsOf(text);
  if (!Array.isArray(parsed)) return { line, reason: parsed.reason };
  return { line, cells: parsed[0] ?? [] };
}

function cellsOf(text: string): string[][] | { reason: string } {
  try {
    return parse(text, { bom: true, relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'a quotation mark is never closed'
        : 'a quotation mark stands in the middle of a cell';
    return { reason };
  }
}
