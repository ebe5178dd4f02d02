import {
  createServer as createHttpServer,
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
  close(): Promise<void>;
}

/** Hands on bytes; while shut it ends every connection, old and new. */
export async function openGate(neighbour: string): Promise<Gate> {
  const { hostname, port } = new URL(neighbour);
  const sockets = new Set<Socket>();
  let isShut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isShut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
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
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What an object store may answer instead of doing its work. */
const REFUSALS = {
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  denied: { status: 403, code: 'AccessDenied' },
} as const;
export type StorageRefusal = keyof typeof REFUSALS;

/** An S3 address whose store can be told to refuse. */
export interface StorageGate {
  readonly endpoint: string;
  /** `METHOD /path` of what was refused. */
  readonly refused: string[];
  /** From now on, requests that fit are refused. */
  refuse(refusal: StorageRefusal, fits?: (method: string, path: string) => boolean): void;
  heal(): void;
  close(): Promise<void>;
}

/** Hands on requests unchanged: their signature covers the Host header, which names the gate. */
export async function openStorageGate(store: string): Promise<StorageGate> {
  const { hostname, port } = new URL(store);
  const refused: string[] = [];
  let rule: { refusal: StorageRefusal; fits(method: string, path: string): boolean } | null = null;
  const server = createHttpServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    if (rule?.fits(method, url)) {
      refused.push(`${method} ${url.split('?')[0]}`);
      return sayNo(rule.refusal, incoming, answer);
    }
    const onward = request({ hostname, port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: moved(store, server.address() as AddressInfo),
    refused,
    refuse(refusal, fits = () => true) {
      rule = { refusal, fits };
    },
    heal() {
      rule = null;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sayNo(refusal: StorageRefusal, incoming: IncomingMessage, answer: ServerResponse): void {
  const { status, code } = REFUSALS[refusal];
  incoming.resume();
  answer.writeHead(status, { 'content-type': 'application/xml' });
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
  answer.end(incoming.method === 'HEAD' ? undefined : body);
}

function moved(url: string, { port }: AddressInfo): string {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(port);
  return url.endsWith('/') ? address.href : address.href.replace(/\/$/, '');
}
