import { connect, type Socket } from 'node:net';
import { Agent, type FormData, request } from 'undici';

/** The attacker's only client address. */
const ATTACKER_ADDRESS = '203.0.113.66';
const PATIENCE_MS = 60_000;
const TICK_MS = 20;

export interface Message {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
}

/** Sends requests over keep-alive connections; resolves with the status or the error's name. */
export function sender(origin: string): (path: string, message?: Message) => Promise<string> {
  const dispatcher = new Agent({ connections: 256, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    request(`${origin}${path}`, {
      dispatcher,
      method,
      headers: { 'x-forwarded-for': ATTACKER_ADDRESS, ...headers },
      body: body ?? null,
    }).then(
      async (answer) => {
        const type = String(answer.headers['content-type'] ?? '');
        await answer.body.dump({ limit: 64 * 1024 * 1024 });
        return type.startsWith('text/html') ? `${answer.statusCode} HTML` : String(answer.statusCode);
      },
      (error: Error & { code?: string }) => error.code ?? error.name,
    );
}

/** Makes so many calls a second without waiting for answers, at most `most` at once. */
export async function atRate(
  perSecond: number,
  { signal, note, most = 128 }: { signal: AbortSignal; note(answer: string): void; most?: number },
  make: (number: number) => Promise<string>,
): Promise<void> {
  let [owed, underWay, made] = [1, 0, 0];
  while (!signal.aborted) {
    for (; owed >= 1 && underWay < most; owed -= 1) {
      underWay += 1;
      void make(made++).then((answer) => {
        underWay -= 1;
        note(answer);
      });
    }
    await tick();
    owed = Math.min(owed + (perSecond * TICK_MS) / 1_000, most);
  }
}

/** The attackers' pace; no test waits for a condition with it. */
export function tick(ms = TICK_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A separate connection. Its answers are counted: its statuses, joined by `+`, or how it ended. */
export function rawConnection(origin: string, note: (answer: string) => void): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  let failure = 'closed without an answer';
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', (error: Error & { code?: string }) => {
    failure = error.code ?? error.message;
  });
  socket.on('close', () => {
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    note(statuses.length === 0 ? failure : statuses.join('+'));
  });
  return socket;
}

/** A head with the attacker's address. */
export function head(line: string, headers: Record<string, string | number> = {}): string {
  const all = { host: 'localhost', 'x-forwarded-for': ATTACKER_ADDRESS, ...headers };
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

/** The attacker's bandwidth: a gigabit a second. Loopback has no limit of its own. */
const LINE_BYTES_A_MS = 125_000;
const PIECE_BYTES = 64 * 1024;

/** Sends the same bytes to all sockets, one piece to each in rotation, at the given bandwidth. */
export async function sendToAll(
  sockets: readonly Socket[],
  bytes: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  let sent = 0;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    for (const socket of sockets) {
      if (signal.aborted) return;
      if (!socket.writable) continue;
      socket.write(bytes.subarray(from, from + PIECE_BYTES));
      sent += PIECE_BYTES;
      while (sent > (performance.now() - startedAt) * LINE_BYTES_A_MS) await tick(1);
    }
}
