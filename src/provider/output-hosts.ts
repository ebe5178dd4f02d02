/**
 * Which addresses an output may be fetched from (docs/contract.md#output-checks): https, http only on loopback, and a
 * host that `PROVIDER_OUTPUT_HOSTS` names; `*.example.org` stands for every name below it.
 */
export function isAllowedOutputUrl(url: URL, allowedHosts: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) return false;
  return allowedHosts.some((allowed) => hostMatches(url, allowed.toLowerCase()));
}

/** The API token may accompany a download only to the provider's own delivery hosts, over https. */
export function mayCarryToken(url: URL): boolean {
  const host = url.hostname;
  return url.protocol === 'https:' && (host === 'replicate.delivery' || host.endsWith('.replicate.delivery'));
}

function hostMatches(url: URL, allowed: string): boolean {
  if (allowed.startsWith('*.')) return url.hostname.endsWith(allowed.slice(1));
  return allowed === url.hostname || allowed === url.host;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
