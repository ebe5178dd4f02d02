import { createHash } from 'node:crypto';

/** A short name of a text: links are long, and a cursor is stored with every page. */
export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * Finds links that lead in a circle in constant space (Brent): the link of the last power of two is compared with each
 * that follows.
 * @returns the next mark, or null when the link was here before
 */
export function markLink(
  link: string,
  { mark, pages }: { mark: string | null; pages: number },
): string | null {
  const hash = hashOf(link);
  if (hash === mark) return null;
  return mark === null || (pages & (pages - 1)) === 0 ? hash : mark;
}
