import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A door in front of one neighbour of the platform that a test can shut, as if the neighbour had gone away. */
export interface Gate {
  /** The same address by way of the gate. */
  through(url: string): string;
  shut(): void;
  open(): void;
  /** From now on no byte passes, and no connection ends. */
  freeze(): void;
  close(): Promise<void>;
}

/** Hands on bytes, after `delayMs` those of a new connection; while shut it ends every connection, old and new. */
export async function openGate(neighbour: string, { delayMs = 0 } = {}): Promise<Gate> {
  const { hostname, port } = new URL(neighbour);
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

/** What an object store may answer instead of doing its work. */
const STORAGE_ERRORS = {
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  denied: { status: 403, code: 'AccessDenied' },
} as const;
export type StorageError = keyof typeof STORAGE_ERRORS;

/** What a hook decides about a request: hand it on, end the connection, or the answer that is given instead. */
export type Ruling = 'pass' | 'cut' | { status: number; headers?: Record<string, string>; body?: string };
export interface HttpHooks {
  /** Before the neighbour hears of the request. */
  before?(method: string, path: string, headers: IncomingHttpHeaders): Ruling | Promise<Ruling>;
  /** When the neighbour has done its work, before the asker hears of it. */
  after?(method: string, path: string): Ruling | Promise<Ruling>;
}
export interface HttpGate {
  /** The neighbour's address by way of the gate. */
  readonly url: string;
  close(): Promise<void>;
}

/** A door that reads requests. They are handed on unchanged: their signature covers the Host header, which names the gate. */
export async function openHttpGate(neighbour: string, { before, after }: HttpHooks): Promise<HttpGate> {
  const { hostname, port } = new URL(neighbour);
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
    // A client that died while the hook decided is gone, and so is its `close` event.
    if (answer.destroyed) return;
    const onward = request({ hostname, port, method, path: url, headers }, async (response) => {
      if (!(await rule(after?.(method, url) ?? 'pass', incoming, answer))) return void response.destroy();
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    // A client that died reads no more: the rest of the answer is dropped.
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: moved(neighbour, server.address() as AddressInfo),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An S3 address whose store can be told to refuse. */
export interface StorageGate {
  readonly endpoint: string;
  /** `METHOD /path` of what was refused. */
  readonly refused: string[];
  /** From now on, requests that fit are refused. */
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

/** The store's own words for an error. */
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
