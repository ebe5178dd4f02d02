/**
 * True when an If-None-Match header names this entity tag, or any. `W/` marks are ignored, as RFC 9110 section
 * 13.1.2 requires for this header.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === tag);
}
