/** The operator's services that the web role asks: a router (docs/contract.md#travel-times) and a geocoder (#addresses). */
interface ServiceSettings<Kind> {
  readonly kind: Kind;
  /** Without a slash at its end. */
  readonly url: string;
}

export const ROUTER_KINDS = ['osrm', 'valhalla'] as const;
export type RouterKind = (typeof ROUTER_KINDS)[number];
export type RouterSettings = ServiceSettings<RouterKind>;

export const GEOCODER_KINDS = ['photon', 'nominatim'] as const;
export type GeocoderKind = (typeof GEOCODER_KINDS)[number];
export type GeocoderSettings = ServiceSettings<GeocoderKind>;

/** In `ROUTER_URL` of OSRM: `car`, `bike` or `foot` stands in its place. */
export const MODE_PLACE = '{mode}';

/** http only inside a private network: a question says where a person works, or which home is for sale soon. */
const PRIVATE_HOST =
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|10\.\d+\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|192\.168\.\d+\.\d+|[\w-]+|[\w.-]+\.(?:internal|local))$/;
/** Its rules forbid what this platform would ask: suggestions while one types, for many people. */
const PUBLIC_NOMINATIM = /(?:^|\.)openstreetmap\.org\.?$/;

/** Whether a service may have this address: https anywhere, http inside a private network; no user, query or fragment. */
function isServiceUrl(value: string): boolean {
  if (!URL.canParse(value) || value.endsWith('/')) return false;
  const { protocol, username, search, hash, hostname } = new URL(value);
  if (username !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && PRIVATE_HOST.test(hostname));
}

export const isRouterUrl = (value: string): boolean => isServiceUrl(value.replaceAll(MODE_PLACE, 'car'));

/** Nominatim's public host is refused. */
export const isGeocoderUrl = (value: string): boolean =>
  isServiceUrl(value) && !PUBLIC_NOMINATIM.test(new URL(value).hostname);

/** Null unless both are set. */
export function serviceSettings<Kind>({
  url,
  kind,
}: {
  url: string | null;
  kind: Kind | null;
}): ServiceSettings<Kind> | null {
  return url === null || kind === null ? null : { url, kind };
}
