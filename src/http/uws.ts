/**
 * Loads uWebSockets.js (the registry's repack of the upstream binaries). Its limit for the request line and headers
 * together is read from the C environment when the binary is loaded, and is 4 KiB by default: too little for a query
 * whose input is in the URL beside a session cookie. So it is set here, before the import.
 */
const MAX_HEAD_BYTES = 16_384;

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(MAX_HEAD_BYTES);

const { App, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js');

export type {
  HttpRequest as UwsRequest,
  HttpResponse as UwsResponse,
  TemplatedApp as UwsApp,
  us_listen_socket as UwsListenSocket,
} from 'uWebSockets.js';
/** Listen option that refuses a port in use; exported by the library at run time but not by its types. */
export const EXCLUSIVE_PORT = 1;

export { App, us_listen_socket_close, us_socket_local_port };
