/**
 * Loads uWebSockets.js (the registry's repack of the upstream binaries). The binary reads its limit for the request
 * line and headers from the C environment when it is loaded; the default is 4 KiB. The limit is set here, before
 * the import, far above our own (`request-guard.ts`), because the library answers a larger head with a page that
 * cannot be changed. A client that sends its head slowly makes us hold this much, for at most ten seconds.
 */
const LIBRARY_MAX_HEAD_BYTES = 65_536;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(LIBRARY_MAX_HEAD_BYTES);

export const { App, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js');

export type {
  HttpRequest as UwsRequest,
  HttpResponse as UwsResponse,
  us_listen_socket as UwsListenSocket,
} from 'uWebSockets.js';
/** Listen option that rejects a port in use; exported by the library at run time but not by its types. */
export const EXCLUSIVE_PORT = 1;
