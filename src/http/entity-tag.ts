/**
 * True when an If-None-Match header names this entity tag, or any (RFC 9110 section 13.1.2). `W/` marks are
 * left out of the comparison, as the section has it for this header.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === tag);
}
