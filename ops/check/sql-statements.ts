/**
 * SQL in the form that the checks read: one statement at a time, in lower case with single spaces, without
 * comments. Every quoted text is replaced by `'?'`, so that a word in it is not taken for SQL.
 */

const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|"(?:[^"]|"")*"|\s+|[^\s'"$/-]+|[\s\S]/g;

export function statementsOf(sql: string): string[] {
  const text = sql.replace(PIECE, (piece, dollars?: string) => {
    if (piece.startsWith('--') || piece.startsWith('/*') || /^\s/.test(piece)) return ' ';
    if (piece.startsWith("'") || dollars !== undefined) return "'?'";
    return piece.startsWith('"') ? piece : piece.toLowerCase();
  });
  return text
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** The parts between the commas that are outside of brackets. */
export function listItems(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const character of text) {
    if ('(['.includes(character)) depth++;
    else if (')]'.includes(character)) depth--;
    if (character === ',' && depth === 0) items.push('');
    else items[items.length - 1] += character;
  }
  return items.map((item) => item.trim());
}
