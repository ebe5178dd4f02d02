/** One cookie of a Cookie header. */
export interface CookiePair {
  readonly name: string;
  /** As it came, between `=` and `;`. */
  readonly raw: string;
  /** The whole pair as it came. */
  readonly text: string;
}

/** The cookies of a header in their order, with those of the same name. Pieces without a name are left out. */
export function cookiePairs(header: string | null | undefined): CookiePair[] {
  const pairs: CookiePair[] = [];
  for (const piece of (header ?? '').split(';')) {
    const text = piece.trim();
    const equals = text.indexOf('=');
    if (equals > 0)
      pairs.push({ name: text.slice(0, equals).trim(), raw: text.slice(equals + 1).trim(), text });
  }
  return pairs;
}

/** The value without quotes and percent signs; null when it cannot be decoded. */
export function plainValue({ raw }: CookiePair): string | null {
  const bare = raw.startsWith('"') ? raw.slice(1, -1) : raw;
  try {
    return decodeURIComponent(bare);
  } catch {
    return null;
  }
}
