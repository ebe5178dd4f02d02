/**
 * Loads uWebSockets.js (the registry's repack of the upstream binaries). Its limit for the request line and headers
 * together is read from the C environment when the binary is loaded, and is 4 KiB by default. So it is set here, before the
 * import: far above our own (`request-guard.ts`), because what exceeds the library's is answered by the library, with
 * a page that cannot be changed. A client that sends its head slowly makes us hold as much, for at most ten seconds.
 */
const LIBRARY_MAX_HEAD_BYTES = 65_536;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(LIBRARY_MAX_HEAD_BYTES);

export const { App, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js');

export type {
  HttpRequest as UwsRequest,
  HttpResponse as UwsResponse,
  us_listen_socket as UwsListenSocket,
} from 'uWebSockets.js';
/** Listen option that refuses a port in use; exported by the library at run time but not by its types. */
export const EXCLUSIVE_PORT = 1;
