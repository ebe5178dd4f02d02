import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** What a receiver has got, with its signature verified by the libraries that receivers use. */
export interface TakenWebhook {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isAnswered: boolean;
}

/** An answer; `cut`: the connection is closed without one. */
export type ReceiverAnswer =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | 'cut'
  | 'silence';

interface ReceiverOptions {
  /** With this key and certificate it speaks https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A receiver on loopback, over a real socket. */
export async function openWebhookReceiver({ tls }: ReceiverOptions = {}) {
  const calls: Omit<TakenWebhook, 'isAnswered'>[] = [];
  const taken: TakenWebhook[] = [];
  const state = {
    /** How it answers; by what has arrived. */
    answer: (_call: Omit<TakenWebhook, 'isAnswered'>): ReceiverAnswer | Promise<ReceiverAnswer> => ({
      status: 204,
    }),
    /** Requests under way, and the most that ever were. */
    open: 0,
    most: 0,
  };
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const { type, timestamp, data } = JSON.parse(body);
    const headers = request.headers as Record<string, string>;
    const call = { id: headers['webhook-id'] ?? '', type, timestamp, data, headers, body };
    calls.push(call);
    const answer = await state.answer(call);
    state.open -= 1;
    if (answer === 'silence') return;
    if (answer === 'cut') return void request.socket.destroy();
    if (answer.status < 300) taken.push({ ...call, isAnswered: true });
    response.writeHead(answer.status, answer.headers).end();
  };
  const server =
    tls === undefined
      ? createPlainServer(
          (request, response) => void onRequest(request, response).catch(() => response.destroy()),
        )
      : createTlsServer(
          tls,
          (request, response) => void onRequest(request, response).catch(() => response.destroy()),
        );
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    state,
    /** Every request that has arrived, in order, and those that were answered with success. */
    calls,
    taken,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    /** Kills it: connections are cut, new ones refused. */
    kill: stop,
    revive: () => listen(port),
    close: async (): Promise<void> => {
      if (server.listening) await stop();
    },
  };
}
export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** What is wrong with the signature, by both libraries; empty when both accept it. */
export function signatureFaults(call: Pick<TakenWebhook, 'body' | 'headers'>, secret: string): string[] {
  return [new Webhook(secret), new SvixWebhook(secret)].flatMap((library) => {
    try {
      library.verify(call.body, { ...call.headers });
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
