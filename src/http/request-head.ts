import { cleanForwardingHeaders, clientAddress, socketAddress } from './client-address.ts';
import { RequestHeaders } from './request-headers.ts';
import type { UwsRequest, UwsResponse } from './uws.ts';

/** Request line and headers, copied: uWebSockets.js reuses its own after the handler returns. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
}

/** Copies everything that is needed of a request. Must be called inside the uWebSockets.js handler. */
export function readHead(res: UwsResponse, req: UwsRequest, trustedProxyHops: number): RequestHead {
  // Read before anything lower-cases it in place: methods are case-sensitive.
  const method = req.getCaseSensitiveMethod();
  const path = req.getUrl();
  // Declared as a string, but undefined when the URL has no question mark.
  const query: string | undefined = req.getQuery();
  const headers = new RequestHeaders();
  req.forEach((name, value) => {
    headers.add(name, value);
  });
  const remoteAddress = clientAddress({
    socket: socketAddress(Buffer.from(res.getRemoteAddressAsText()).toString('latin1')),
    forwardedFor: headers.get('x-forwarded-for'),
    trustedProxyHops,
  });
  cleanForwardingHeaders(headers, { address: remoteAddress, trustedProxyHops });
  return {
    method,
    path,
    query: query ?? '',
    url: query === undefined || query === '' ? path : `${path}?${query}`,
    headers,
    remoteAddress,
  };
}

/** The announced length of the body in bytes, 0 for none. One in chunks is refused before anybody asks. */
export function announcedLength(headers: RequestHeaders): number {
  return Number(headers.get('content-length') ?? '0');
}
