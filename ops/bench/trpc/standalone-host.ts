import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { RequestHeaders } from '../../../src/http/request-headers.ts';
import { sayListening } from './host.ts';
import { anonymousContext, benchRouter } from './procedures.ts';

/** The same router on tRPC's own server for node:http, with nothing around it. */
const NO_HEADERS = new RequestHeaders();
const NEVER = new AbortController().signal;

const server = createHTTPServer({
  router: benchRouter,
  basePath: '/api/trpc/',
  allowBatching: false,
  allowMethodOverride: true,
  createContext: ({ req }) =>
    anonymousContext(
      {
        id: randomUUID(),
        remoteAddress: req.socket.remoteAddress ?? '',
        headers: NO_HEADERS,
        signal: NEVER,
      },
      new Headers(),
    ),
});
server.listen(0, '127.0.0.1', () => sayListening((server.address() as AddressInfo).port));
