import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of one service, which a test can shut as if the service were down. */
export interface Gate {
  /** The service's address through the gate. */
  through(url: string): string;
  shut(): void;
  open(): void;
  /** Ends every connection; the next ones reach the service at this address. */
  leadTo(url: string): void;
  /** From now on no byte passes, and no connection ends. */
  freeze(): void;
  close(): Promise<void>;
}

/** Forwards bytes, with a delay of `delayMs` for a new connection; while shut it ends every connection. */
export async function openGate(neighbor: string, { delayMs = 0 } = {}): Promise<Gate> {
  let { hostname, port } = new URL(neighbor);
  const sockets = new Set<Socket>();
  let isShut = false;
  let isFrozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isShut) return void client.destroy();
    if (isFrozen) return;
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    const flow = setTimeout(() => client.pipe(upstream).pipe(client), delayMs);
    client.on('close', () => clearTimeout(flow));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    through: (url) => moved(url, server.address() as AddressInfo),
    shut() {
      isShut = true;
      cut();
    },
    open() {
      isShut = false;
    },
    leadTo(url) {
      ({ hostname, port } = new URL(url));
      cut();
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Error answers of an object store. */
const STORAGE_ERRORS = {
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  denied: { status: 403, code: 'AccessDenied' },
} as const;
export type StorageError = keyof typeof STORAGE_ERRORS;

/** A hook's decision about a request: forward it, end the connection, or give this answer instead. */
export type Ruling = 'pass' | 'cut' | { status: number; headers?: Record<string, string>; body?: string };
export interface HttpHooks {
  /** Called before the request is forwarded. */
  before?(method: string, path: string, headers: IncomingHttpHeaders): Ruling | Promise<Ruling>;
  /** Called when the service has answered, before the client gets the answer. */
  after?(method: string, path: string): Ruling | Promise<Ruling>;
}
export interface HttpGate {
  /** The service's address through the gate. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A gate that reads requests. It forwards them unchanged: their signature covers the Host header, which names
 * the gate.
 */
export async function openHttpGate(neighbor: string, { before, after }: HttpHooks): Promise<HttpGate> {
  const { hostname, port } = new URL(neighbor);
  const rule = async (
    ruling: Ruling | Promise<Ruling>,
    incoming: IncomingMessage,
    answer: ServerResponse,
  ) => {
    const decided = await ruling;
    if (decided === 'pass') return true;
    if (decided === 'cut') answer.destroy();
    else respond(decided, incoming, answer);
    return false;
  };
  const server = createHttpServer(async (incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    if (!(await rule(before?.(method, url, headers) ?? 'pass', incoming, answer))) return;
    // A client that died while the hook decided has already emitted its `close` event.
    if (answer.destroyed) return;
    const onward = request({ hostname, port, method, path: url, headers }, async (response) => {
      if (!(await rule(after?.(method, url) ?? 'pass', incoming, answer))) return void response.destroy();
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    // A dead client reads no more: the rest of the answer is dropped.
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: moved(neighbor, server.address() as AddressInfo),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An S3 gate that can reject requests. */
export interface StorageGate {
  readonly endpoint: string;
  /** `METHOD /path` of the rejected requests. */
  readonly refused: string[];
  /** From now on, matching requests are rejected. */
  refuse(error: StorageError, fits?: (method: string, path: string) => boolean): void;
  heal(): void;
  close(): Promise<void>;
}

export async function openStorageGate(store: string): Promise<StorageGate> {
  const refused: string[] = [];
  let rule: { error: StorageError; fits(method: string, path: string): boolean } | null = null;
  const gate = await openHttpGate(store, {
    before(method, path) {
      if (!rule?.fits(method, path)) return 'pass';
      refused.push(`${method} ${path.split('?')[0]}`);
      return storageErrorOf(rule.error);
    },
  });
  return {
    endpoint: gate.url,
    refused,
    refuse(error, fits = () => true) {
      rule = { error, fits };
    },
    heal() {
      rule = null;
    },
    close: gate.close,
  };
}

/** The store's error format. */
export function storageErrorOf(error: StorageError): Exclude<Ruling, string> {
  const { status, code } = STORAGE_ERRORS[error];
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

function respond(
  { status, headers = {}, body = '' }: Exclude<Ruling, string>,
  incoming: IncomingMessage,
  answer: ServerResponse,
): void {
  incoming.resume();
  answer.writeHead(status, headers);
  answer.end(incoming.method === 'HEAD' ? undefined : body);
}

function moved(url: string, { port }: AddressInfo): string {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(port);
  return url.endsWith('/') ? address.href : address.href.replace(/\/$/, '');
}
