import { randomUUID } from 'node:crypto';
import { publishFingerprint } from '../../persistence/database/role-fingerprints.ts';
import { pendingMigrations } from '../../persistence/migrations/migrator.ts';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { trpcRoutes } from '../api/adapter.ts';
import { createContextFactory } from '../api/context.ts';
import { MAX_INPUT_BYTES } from '../api/input-envelope.ts';
import { createAppRouter } from '../api/routers/app.ts';
import { configFingerprint, type WebConfig } from '../config/config.ts';
import { HTTP_METHODS, type Route } from '../http/message.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import { imageRoutes } from '../images/renditions/routes.ts';
import { avatarRoutes } from '../images/uploads/avatar-routes.ts';
import { propertyImageRoutes } from '../images/uploads/photo-routes.ts';
import { stagingWebhookRoutes } from '../provider/webhook-route.ts';
import { createWebhookVerifier } from '../provider/webhook-signature.ts';
import { CLOSE_MS } from '../queues/consumer.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createOpsServer } from '../telemetry/ops-server.ts';
import { type Readiness, readyUntil } from '../telemetry/readiness.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { tracedRoutes } from '../telemetry/tracing/traced-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { behindGates } from './gates.ts';
import { healthRoutes, webReadiness } from './health-routes.ts';
import { openWebParts, type WebOverrides, type WebParts } from './parts.ts';

export type { WebOverrides } from './parts.ts';

/** A running API host. `failed` never settles: nothing in this role gives up by itself. */
export interface RunningWeb {
  url: string;
  opsUrl: string;
  failed: Promise<void>;
  /** Takes no more requests, lets those in flight finish until the deadline, then closes everything. Idempotent. */
  stop(deadline: AbortSignal): Promise<void>;
}

/** Replays older than this are refused (docs/contract.md#callbacks). */
const WEBHOOK_WINDOW_SECONDS = 300;

/**
 * Opens the parts, refuses to work on an older schema, then listens. Whatever fails half-way is closed again
 * before the error is thrown.
 */
export async function startWeb(
  config: WebConfig,
  context: {
    logger: Logger;
    crashReports: CrashReports;
    spans?: Spans | null;
    overrides?: WebOverrides;
  },
): Promise<RunningWeb> {
  const node = randomUUID();
  const { logger, overrides = {} } = context;
  const parts = await openWebParts(config, { ...context, node, overrides });
  const { pool, clock, storage } = parts.services;
  const fingerprint = configFingerprint(config);
  const stopping = new AbortController();
  const readiness = readyUntil(
    stopping.signal,
    webReadiness({ pool, redis: parts.redis, storage, logger, fingerprint }),
  );
  const ops = createOpsServer({ ...config.ops, metrics: parts.metrics.registry, readiness, logger });
  const origins = new Set([config.publicBaseUrl, ...config.webOrigins]);
  const gates = { origins, limits: parts.requestLimits };
  const routes = behindGates(routesOf(config, parts, readiness), gates);
  const server = createServer(config, parts, tracedRoutes(routes, parts.services.tracer));
  let stopped: Promise<void> | null = null;
  const stop = async (deadline: AbortSignal): Promise<void> => {
    stopping.abort();
    await server.close(deadline);
    await ops.stop();
    // What was answered is committed; a connection that does not close ends with the process.
    await endedBy(parts.close(), AbortSignal.timeout(CLOSE_MS));
  };
  try {
    await refuseOldSchema(parts);
    await publishFingerprint(pool, { role: 'web', nodeId: node, hash: fingerprint, at: clock.now() });
    const opsPort = await ops.start();
    const { port } = await server.listen(config.host, config.port);
    const url = `http://${hostInUrl(config.host)}:${port}`;
    const opsUrl = `http://${hostInUrl(config.ops.host)}:${opsPort}`;
    logger.info({ url, opsUrl, node, stagingEnabled: config.stagingEnabled }, 'listening');
    return {
      url,
      opsUrl,
      failed: new Promise(() => {}),
      stop(deadline) {
        stopped ??= stop(deadline);
        return stopped;
      },
    };
  } catch (error) {
    await stop(AbortSignal.timeout(0));
    throw error;
  }
}

async function refuseOldSchema({ database }: WebParts): Promise<void> {
  const pending = await pendingMigrations(database.pool);
  if (pending.length === 0) return;
  throw new Error(
    `the database lacks ${pending.join(', ')}; run the release command (npm run migrate) first`,
  );
}

/** Every route of the API host, in the order in which they are tried. */
export function routesOf(config: WebConfig, parts: WebParts, readiness: Readiness): Route[] {
  const { services, auth, metrics, receiptsIn } = parts;
  const { mailroom, tracer, clock, logger } = services;
  const verifier = createWebhookVerifier({
    secrets: config.webhookSigningSecrets,
    toleranceSeconds: WEBHOOK_WINDOW_SECONDS,
    clock,
  });
  return [
    ...trpcRoutes({
      router: createAppRouter(services),
      createContext: createContextFactory(auth, services),
      maxBodySize: MAX_INPUT_BYTES,
      prefix: '/api/trpc',
      logger,
    }),
    ...authRoutes(auth, config.publicBaseUrl),
    ...propertyImageRoutes(services, auth),
    ...imageRoutes(services, auth),
    ...avatarRoutes(services, auth),
    ...stagingWebhookRoutes({
      verifier,
      mailroom,
      tracer,
      receiptsIn,
      clock,
      logger,
      refusals: metrics.webhookRefusals,
    }),
    ...healthRoutes(readiness),
  ];
}

function createServer(
  config: WebConfig,
  { services: { logger }, metrics }: WebParts,
  routes: readonly Route[],
): HttpServer {
  return createHttpServer({
    routes,
    logger,
    trustedProxyHops: config.trustedProxyHops,
    webOrigins: config.webOrigins,
    onRequest({ method, route, status, seconds }) {
      const labels = { method: methodLabel(method), route };
      metrics.httpRequests.inc({ ...labels, status });
      metrics.httpRequestDuration.observe(labels, seconds);
    },
  });
}

/** Clients may invent methods, and each label value is kept for as long as the process lives. */
function methodLabel(method: string): string {
  return (HTTP_METHODS as readonly string[]).includes(method) ? method : 'other';
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
