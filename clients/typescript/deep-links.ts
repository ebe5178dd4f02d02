/** Where a link into the app leads (docs/contract.md#clients). */
export type DeepLink =
  | { readonly screen: 'property'; readonly listingId: string }
  | { readonly screen: 'tours' };

/** Scheme and host in any case (RFC 3986, 6.2.2.1); query and fragment are ignored. */
const LINK = /^app-user:\/\/([a-z]+)((?:\/[^?#]*)?)(?:[?#].*)?$/i;
const ID = /^[^/\\\p{Cc}\p{Z}]+$/u;

/**
 * The screen that `app-user://properties/{listingId}` or `app-user://tours` opens, with or without one trailing slash;
 * null for every other text. The id is percent-decoded and is otherwise the server's to judge.
 */
export function parseDeepLink(link: string): DeepLink | null {
  const [, host, path] = LINK.exec(link) ?? [];
  if (host === undefined || path === undefined) return null;
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  switch (host.toLowerCase()) {
    case 'properties': {
      const listingId = segments.length === 1 ? decoded(segments[0]!) : null;
      return listingId === null ? null : { screen: 'property', listingId };
    }
    case 'tours':
      return segments.length === 0 ? { screen: 'tours' } : null;
    default:
      return null;
  }
}

/** Null for what is no id: nothing, broken percent-encoding, a path, white space or control characters. */
function decoded(segment: string): string | null {
  try {
    const id = decodeURIComponent(segment);
    return ID.test(id) && id !== '.' && id !== '..' ? id : null;
  } catch {
    return null;
  }
}
