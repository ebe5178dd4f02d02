import * as http from 'node:http';
import * as https from 'node:https';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** Shorter than what servers and balancers usually grant, so that fewer requests meet a connection just closed. */
const IDLE_MS = 8_000;

/**
 * A transport over `node:http` and `node:https` that keeps connections alive. Not `fetch`: Node's sends
 * `Sec-Fetch-Mode`, by which the API host takes it for a browser and asks for an Origin.
 */
export function nodeTransport(): Transport {
  const plain = new http.Agent({ keepAlive: true, timeout: IDLE_MS });
  const secure = new https.Agent({ keepAlive: true, timeout: IDLE_MS });
  return {
    async send(request) {
      request.signal.throwIfAborted();
      const isSecure = new URL(request.url).protocol === 'https:';
      const open = isSecure ? https.request : http.request;
      return exchange(request, (options) =>
        open(request.url, { ...options, agent: isSecure ? secure : plain }),
      );
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

type Open = (options: http.RequestOptions) => http.ClientRequest;

function exchange(request: TransportRequest, open: Open): Promise<TransportResponse> {
  const { method, headers, body, signal } = request;
  const framing = body === null ? {} : { 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(signal.aborted ? signal.reason : new TransportError(error.message, { cause: error }));
    // Headers that cannot be sent throw here, and are the caller's mistake rather than the network's.
    const sent = open({ method, headers: { ...headers, ...framing }, signal });
    sent.on('error', fail);
    // An idle connection that the agent gave up on; active ones are bounded by the signal.
    sent.on('timeout', () => {});
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        if (!response.complete) return fail(new Error('the answer broke off'));
        const body = new Uint8Array(Buffer.concat(chunks));
        resolve({ status: response.statusCode ?? 0, headers: pairs(response.rawHeaders), body });
      });
    });
    sent.end(body);
  });
}

function pairs(raw: readonly string[]): Array<readonly [string, string]> {
  const found: Array<readonly [string, string]> = [];
  for (let at = 0; at + 1 < raw.length; at += 2) found.push([raw[at]!.toLowerCase(), raw[at + 1]!]);
  return found;
}
