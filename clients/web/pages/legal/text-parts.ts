/** A part of a text: a heading, a list or a paragraph. */
export type Block =
  | { readonly kind: 'title' | 'heading' | 'subheading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** Parts are divided by empty lines. `# ` begins the title, `## ` and `### ` a heading, `- ` an item of a list. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('# ')) return { kind: 'title', text: part.slice(2) };
      if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) };
      if (part.startsWith('### ')) return { kind: 'subheading', text: part.slice(4) };
      if (!part.startsWith('- ')) return { kind: 'paragraph', text: part };
      return { kind: 'list', items: part.split(/\r?\n- /).map((item) => item.replace(/^- /, '')) };
    });
}

/** A piece of a line: words, bold words, or a link. */
export interface Piece {
  readonly text: string;
  readonly isBold?: boolean;
  readonly href?: string;
}

/** Links that a text may have; the roles refuse a text with others at their start. */
const PIECE = /\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https:\/\/|mailto:|tel:|\/(?!\/))[^)\s]*)\)/g;

/** The pieces of a line, in order. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: whole, 1: bold, 2: label, 3: href, index } of line.matchAll(PIECE)) {
    if (index > at) pieces.push({ text: line.slice(at, index) });
    pieces.push(bold === undefined ? { text: label ?? '', href: href ?? '' } : { text: bold, isBold: true });
    at = index + whole.length;
  }
  return at < line.length ? [...pieces, { text: line.slice(at) }] : pieces;
}
