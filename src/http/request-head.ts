import {
  cleanForwardingHeaders,
  clientAddress,
  isUncountedProxy,
  isUnreadableHop,
  socketAddress,
} from './client-address.ts';
import type { HttpRequest } from './message.ts';
import { RequestHeaders } from './request-headers.ts';
import type { UwsRequest, UwsResponse } from './uws.ts';

/** Request line and headers, copied: uWebSockets.js reuses its own after the handler returns. */
export interface RequestHead
  extends Pick<HttpRequest, 'method' | 'path' | 'url' | 'headers' | 'remoteAddress'> {
  readonly query: string;
  readonly viaUncountedProxy: boolean;
  /** The entry of `X-Forwarded-For` that names the client cannot be read. */
  readonly hasUnreadableHop: boolean;
  /** Size as sent, including what is not kept. */
  readonly size: {
    /** Of the request line and all headers, without insignificant whitespace. */
    readonly bytes: number;
    readonly headers: number;
  };
}

const REQUEST_LINE_SIGNS = '  HTTP/1.1\r\n\r\n'.length;
const HEADER_SIGNS = ': \r\n'.length;

/** Copies everything that is needed of a request. Must be called inside the uWebSockets.js handler. */
export function readHead(res: UwsResponse, req: UwsRequest, trustedProxyHops: number): RequestHead {
  // Read before the method is lower-cased in place: methods are case-sensitive.
  const method = req.getCaseSensitiveMethod();
  const path = req.getUrl();
  // The type says string, but the value is undefined when the URL has no question mark.
  const query = (req.getQuery() as string | undefined) ?? '';
  const url = query === '' ? path : `${path}?${query}`;
  const headers = new RequestHeaders();
  const size = { bytes: method.length + url.length + REQUEST_LINE_SIGNS, headers: 0 };
  req.forEach((name, value) => {
    headers.add(name, value);
    size.bytes += name.length + value.length + HEADER_SIGNS;
    size.headers += 1;
  });
  const given = {
    socket: socketAddress(Buffer.from(res.getRemoteAddressAsText()).toString('latin1')),
    forwardedFor: headers.get('x-forwarded-for'),
    trustedProxyHops,
  };
  const remoteAddress = clientAddress(given);
  cleanForwardingHeaders(headers, { address: remoteAddress, trustedProxyHops });
  return {
    method,
    path,
    query,
    url,
    headers,
    size,
    remoteAddress,
    viaUncountedProxy: isUncountedProxy(given),
    hasUnreadableHop: isUnreadableHop(given),
  };
}

/** The announced length of the body in bytes, 0 for none and for one in chunks. */
export function announcedLength(headers: RequestHeaders): number {
  return Number(headers.get('content-length') ?? '0');
}
