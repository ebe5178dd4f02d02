/** The operator's router (docs/contract.md#travel-times). */
export interface RouterSettings {
  readonly kind: RouterKind;
  /** Without a slash at its end. */
  readonly url: string;
}

export const ROUTER_KINDS = ['osrm', 'valhalla'] as const;
export type RouterKind = (typeof ROUTER_KINDS)[number];

/** In `ROUTER_URL` of OSRM: `car`, `bike` or `foot` stands in its place. */
export const MODE_PLACE = '{mode}';

/** http only inside a private network: the address in a question says where a person works. */
const PRIVATE_HOST =
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|10\.\d+\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|192\.168\.\d+\.\d+|[\w-]+|[\w.-]+\.(?:internal|local))$/;

/** Whether `ROUTER_URL` may have this value: https anywhere, http inside a private network; no user, query or fragment. */
export function isRouterUrl(value: string): boolean {
  const filled = value.replaceAll(MODE_PLACE, 'car');
  if (!URL.canParse(filled) || value.endsWith('/')) return false;
  const { protocol, username, search, hash, hostname } = new URL(filled);
  if (username !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && PRIVATE_HOST.test(hostname));
}

/** Null unless both are set. */
export function routerSettings({
  url,
  kind,
}: {
  url: string | null;
  kind: RouterKind | null;
}): RouterSettings | null {
  return url === null || kind === null ? null : { url, kind };
}
