import { trpcRoutes } from '../../../src/api/adapter.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { behindGates } from '../../../src/web/gates.ts';
import { sayListening, silentLogger } from './host.ts';
import { anonymousContext, benchRouter } from './procedures.ts';

/** The product's HTTP server and tRPC adapter, composed as in `src/web/compose.ts`: gates and metrics are on. */
const metrics = createMetrics({ role: 'web' });
const routes = trpcRoutes({
  router: benchRouter,
  createContext: async ({ request, responseHeaders }) => anonymousContext(request, responseHeaders),
  maxBodySize: 1024 * 1024,
  prefix: '/api/trpc',
  publicQuery: async (_ctx, load, write) => write(await load()),
  logger: silentLogger,
});
const server = createHttpServer({
  routes: behindGates(routes, {
    origins: new Set(['http://127.0.0.1']),
    limits: null,
    logger: silentLogger,
  }),
  logger: silentLogger,
  onFault: () => {},
  trustedProxyHops: 0,
  onRequest({ method, route, status, seconds }) {
    metrics.httpRequests.inc({ method, route, status });
    metrics.httpRequestDuration.observe({ method, route }, seconds);
  },
});
const { port } = await server.listen('127.0.0.1', 0);
sayListening(port);
