import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { type TrpcRoutesOptions, trpcRoutes } from '../../../src/api/adapter.ts';
import {
  agentProcedure,
  publicProcedure,
  type RequestContext,
  router,
  type SessionUser,
  sessionProcedure,
} from '../../../src/api/base.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import type { HttpRequest } from '../../../src/http/message.ts';
import { keepNothing } from '../../../src/repeats/repeats.ts';
import { gate, memoryLogger, startServer, type TestServer } from './test-server.ts';

export const agent: SessionUser = {
  id: 'u1',
  sessionId: 's1',
  role: 'agent',
  email: 'a@x.test',
  locale: 'en',
  verifiedAt: null,
  isSuspended: false,
};

/** Points at which a test holds a running procedure. */
export function doors() {
  return { entered: gate<AbortSignal>(), leave: gate(), aborted: gate() };
}
type Endpoints = ReturnType<typeof doors>;

const failures = {
  plain: () => new Error('db password hunter2'),
  string: () => 'hunter2',
  object: () => ({ secret: 'hunter2' }),
  conflict: () => new TRPCError({ code: 'CONFLICT', message: 'Another call was first.' }),
  unprocessable: () => new PublicError('PHOTO_BROKEN'),
  undeclared: () => new PublicError('TOUR_SLOT_TAKEN'),
  limited: () => new PublicError('RATE_LIMITED', { retryAfterSeconds: 7 }),
  wrapped: () => new TRPCError({ code: 'BAD_REQUEST', cause: new PublicError('STAGING_UNAVAILABLE') }),
  terminated: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  poolTimeout: () => new Error('timeout exceeded when trying to connect'),
  refusedEverywhere: () =>
    new Error('query failed', {
      cause: new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
    }),
} as const;

export function testRouter(door: Endpoints = doors()) {
  return router({
    hello: publicProcedure
      .input(z.object({ who: z.string() }).optional())
      .query(({ input }) => ({ text: `hello ${input?.who ?? 'world'}` })),
    header: publicProcedure
      .input(z.string())
      .query(({ ctx, input }) => ctx.request.headers.get(input) ?? null),
    whoami: publicProcedure.query(({ ctx }) => ({ id: ctx.request.id, ip: ctx.request.remoteAddress })),
    echo: publicProcedure.input(z.unknown()).mutation(({ input }) => input),
    length: publicProcedure.input(z.string()).mutation(({ input }) => input.length),
    values: publicProcedure.query(() => ({
      at: new Date('2026-11-20T10:00:00.000Z'),
      big: 9_007_199_254_740_993n,
      set: new Set(['a']),
      maybe: undefined,
    })),
    within: publicProcedure
      .input(
        z.strictObject({
          polygon: z.array(z.strictObject({ latitude: z.number(), longitude: z.number() })).max(200),
          limit: z.int().optional(),
        }),
      )
      .query(({ input }) => input.polygon.length),
    nothing: publicProcedure.mutation(() => undefined),
    mutate: publicProcedure.mutation(() => 'done'),
    cookies: publicProcedure.mutation(({ ctx }) => {
      ctx.responseHeaders.append('set-cookie', 'a=1; Path=/');
      ctx.responseHeaders.append('set-cookie', 'b=2');
      ctx.responseHeaders.set('x-own', 'yes');
      return null;
    }),
    fail: publicProcedure
      .meta({ errors: ['CONFLICT', 'PHOTO_BROKEN', 'STAGING_UNAVAILABLE'] })
      .input(z.enum(Object.keys(failures) as [keyof typeof failures]))
      .query(({ input }) => {
        throw failures[input]();
      }),
    validated: publicProcedure
      .input(z.object({ name: z.string().min(3), rooms: z.array(z.object({ size: z.number() })) }))
      .mutation(({ input }) => input.name),
    badOutput: publicProcedure.output(z.string()).query(() => 42 as never),
    wait: publicProcedure.query(async ({ signal }) => {
      if (signal === undefined) throw new Error('no signal');
      signal.addEventListener('abort', () => door.aborted.open());
      door.entered.open(signal);
      await Promise.race([door.leave.opened, door.aborted.opened]);
      return 'waited';
    }),
    /** Waits for a service of others. */
    waits: publicProcedure.meta({ waitsForOthers: true }).query(() => 'waited'),
    me: sessionProcedure.query(({ ctx }) => ctx.user.id),
    agentsOnly: agentProcedure.query(({ ctx }) => ctx.user.id),
    nested: router({ deep: publicProcedure.query(() => 'deep') }),
  });
}
export type TestRouter = ReturnType<typeof testRouter>;

export interface AdapterOptions {
  readonly maxBodySize?: number;
  readonly doors?: Endpoints;
  readonly user?: SessionUser | null;
  readonly createContext?: TrpcRoutesOptions<TestRouter>['createContext'];
  readonly trustedProxyHops?: number;
}

export interface AdapterServer extends TestServer {
  readonly url: string;
  /** Requests for which a context was made. */
  readonly contexts: HttpRequest[];
  /** Turns of the public's work that were taken. */
  turns(): number;
}

export async function startAdapter(options: AdapterOptions = {}): Promise<AdapterServer> {
  const contexts: HttpRequest[] = [];
  let turns = 0;
  const context: TrpcRoutesOptions<TestRouter>['createContext'] = async ({ request, responseHeaders }) => {
    contexts.push(request);
    const made: RequestContext = {
      request,
      user: options.user ?? null,
      responseHeaders,
      repeats: { once: (_call, _form, work) => work(keepNothing) },
    };
    return made;
  };
  const logs: TestServer['logs'] = [];
  const routes = trpcRoutes({
    router: testRouter(options.doors),
    createContext: options.createContext ?? context,
    maxBodySize: options.maxBodySize ?? 1024 * 1024,
    prefix: '/api/trpc',
    publicQuery: async (_ctx, load, write) => {
      turns += 1;
      return write(await load());
    },
    logger: memoryLogger(logs),
  });
  const server = await startServer(routes, { trustedProxyHops: options.trustedProxyHops ?? 0 }, logs);
  return { ...server, contexts, turns: () => turns, url: `${server.origin}/api/trpc` };
}

export const JSON_TYPE = { 'content-type': 'application/json' };

export function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
}

/** `input` of a query, as in the URL. */
export const inputOf = (json: unknown): string => `input=${encodeURIComponent(JSON.stringify({ json }))}`;
