import { requireApprovalOfNewAgents } from '../../persistence/accounts/agent-approvals.ts';
import { readDatabaseTime } from '../../persistence/database/database-clock.ts';
import { currentServer } from '../../persistence/standbys/confirmation.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { type ChildSpec, Supervisor } from '../../supervisors/supervision/supervisor.ts';
import { createSweeper } from '../../supervisors/sweepers/sweeper.ts';
import { trpcRoutes } from '../api/adapter.ts';
import { createContextFactory } from '../api/context.ts';
import { MAX_INPUT_BYTES } from '../api/input-envelope.ts';
import { createAppRouter } from '../api/routers/app.ts';
import type { WebConfig } from '../config/config.ts';
import { hostInUrl } from '../config/host-rules.ts';
import { disclosureRoutes } from '../disclosure/export-route.ts';
import { HTTP_METHODS, type Route } from '../http/message.ts';
import { createHttpServer } from '../http/server.ts';
import { logRecords } from '../images/provenance/log.ts';
import { provenanceRoutes } from '../images/provenance/routes.ts';
import { imageRoutes } from '../images/renditions/routes.ts';
import { avatarRoutes } from '../images/uploads/avatar-routes.ts';
import { propertyImageRoutes } from '../images/uploads/photo-routes.ts';
import { createAlertMailSender } from '../mail/alerts/alert-mail-sender.ts';
import { alertSwitchRoutes } from '../mail/alerts/alert-switch-routes.ts';
import { createDigestMailSender } from '../mail/digest-mail-sender.ts';
import { createInvitationMailSender } from '../mail/invitation-mail-sender.ts';
import { mailSwitchRoutes } from '../mail/mail-switch-routes.ts';
import { createMailSwitches } from '../mail/mail-switches.ts';
import { createMessageMailSender } from '../mail/message-mail-sender.ts';
import { createOfferMailSender } from '../mail/offer-mail-sender.ts';
import { createPictureMailSender } from '../mail/picture-mail-sender.ts';
import { createSignInMailSender } from '../mail/sign-in-mail-sender.ts';
import { createTourMailSender } from '../mail/tour-mail-sender.ts';
import { createWebhookMailSender } from '../mail/webhook-mail-sender.ts';
import { createWitnessMailSender } from '../mail/witness-mail-sender.ts';
import { stagingWebhookRoutes } from '../provider/webhook-route.ts';
import { createWebhookVerifier } from '../provider/webhook-signature.ts';
import { createPushSender } from '../push/push-sender.ts';
import { createFeedAccess } from '../reso/access.ts';
import { feedRoutes } from '../reso/routes.ts';
import { tokenRoutes } from '../reso/token-route.ts';
import { type ComposedRole, composeRole } from '../role/compose.ts';
import type { RoleContext } from '../role/parts.ts';
import { createSettingsWatch } from '../role/settings-watch.ts';
import { createFaultReport } from '../telemetry/fault-report.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { tracedRoutes } from '../telemetry/tracing/traced-routes.ts';
import { createWebhookSender } from '../webhooks/webhook-sender.ts';
import { loadSite, type SiteBundle } from '../website/bundle.ts';
import { requireOwnTexts } from '../website/placeholder-texts.ts';
import { websiteRoutes } from '../website/website.ts';
import { authRoutes } from './auth-routes.ts';
import { createCachePurger } from './cache-purger.ts';
import { withDurableAnswers } from './durable-answers.ts';
import { behindGates } from './gates.ts';
import { healthRoutes } from './health-routes.ts';
import { createHostChecker } from './host-checker.ts';
import { notingLastWrites } from './last-writes.ts';
import { openWebParts, type WebOverrides, type WebParts } from './parts.ts';
import { securityContactRoutes } from './security-contact.ts';
import { unlisted } from './unlisted.ts';

/** How often this role asks the database for its time. */
const CLOCK_MS = 5_000;
const NEW_AGENTS_MS = 60_000;
/** A crash loses the views of homes since the last time. */
const VIEWS_MS = 10_000;
/** The log of records has an entry a day; this is how late it may come. */
const LOG_MS = 15 * 60_000;
/** Older replays are rejected (docs/contract.md#callbacks). */
const WEBHOOK_WINDOW_SECONDS = 300;

/** The API host, and the mails about tours and pictures, which this role sends because only it knows the mail server. */
export async function startWeb(
  config: WebConfig,
  context: RoleContext & { overrides?: WebOverrides },
): Promise<ComposedRole> {
  const site = config.siteEnabled ? await loadSite() : null;
  const parts = await openWebParts(config, context);
  if (site !== null)
    await requireOwnTexts(config.site.texts, {
      config,
      pool: parts.database.pool,
      metrics: parts.metrics,
    }).catch(async (error) => {
      await parts.close();
      throw error;
    });
  return composeRole(config, parts, (readiness) => {
    const { logger, metrics, tracer } = parts;
    const gates = {
      origins: new Set([config.publicBaseUrl, ...config.webOrigins]),
      limits: parts.requestLimits,
      isClosed: config.maintenance,
      logger,
    };
    const all = behindGates(withStandbys(config, parts, routesOf(config, parts, { readiness, site })), gates);
    const routes = config.robots === 'none' ? unlisted(all) : all;
    const server = createHttpServer({
      routes: tracedRoutes(routes, tracer),
      logger,
      onFault: createFaultReport(parts),
      trustedProxyHops: config.trustedProxyHops,
      webOrigins: config.webOrigins,
      onUnreadableHop: () => metrics.unreadableHops.inc(),
      onRequest({ method, route, status, seconds }) {
        const labels = { method: methodLabel(method), route };
        metrics.httpRequests.inc({ ...labels, status });
        metrics.httpRequestDuration.observe(labels, seconds);
      },
    });
    const background = backgroundOf(config, parts);
    return {
      async start() {
        await background.start();
        const { port } = await server.listen(config.host, config.port);
        return { url: `http://${hostInUrl(config.host)}:${port}`, failed: background.done() };
      },
      async stop(deadline) {
        background.stopClaiming?.();
        await server.close(deadline);
        await background.stop(deadline);
      },
    };
  });
}

/**
 * What standbys need: answers wait for them where they must not be forgotten, and where they are read, a person's last
 * write is noted. Without standbys everyone reads what was just written.
 */
function withStandbys(config: WebConfig, parts: WebParts, routes: Route[]): Route[] {
  const { services, sessionCookies, logger, confirmation } = parts;
  const { pool } = services;
  const durable =
    confirmation === null
      ? routes
      : withDurableAnswers(routes, { server: () => currentServer(pool), confirmation });
  if (config.searchDatabaseUrls.length === 0) return durable;
  return notingLastWrites(durable, { pool, sessionCookies, logger });
}

/** What this role does besides answering requests. A part that keeps crashing ends the process. */
function backgroundOf(config: WebConfig, parts: WebParts): Service {
  const {
    services,
    mailer,
    pushClient,
    webhookClient,
    mailIntervalMs,
    metrics,
    publicReading,
    reporter,
    databaseClock,
  } = parts;
  const { pool, clock, timers } = services;
  const mails = {
    pool,
    mailer,
    clock,
    timers,
    reporter,
    site: { ...config.site, origin: config.publicBaseUrl },
    perRecipientHour: config.mailsPerRecipientHour,
    perHour: config.mailsPerHour,
    onWait: (waits: boolean) => metrics.alertActive.set({ alert: 'mails_per_hour' }, waits ? 1 : 0),
    intervalMs: mailIntervalMs,
  };
  const news = { ...mails, switches: createMailSwitches(config.authSecret) };
  const push =
    pushClient === null || config.push === null
      ? null
      : { client: pushClient, serverKey: config.push.publicKey };
  const approvals: ChildSpec = {
    name: 'new-agents',
    create: () =>
      createSweeper({
        name: 'new-agents',
        intervalMs: NEW_AGENTS_MS,
        timers,
        reporter,
        sweep: () => requireApprovalOfNewAgents(pool),
      }),
  };
  return new Supervisor({
    clock,
    timers,
    reporter,
    name: 'web',
    strategy: 'one_for_one',
    intensity: { restarts: 5, withinMs: 60_000 },
    children: [
      { name: 'tour-mails', create: () => createTourMailSender(mails) },
      { name: 'sign-in-mails', create: () => createSignInMailSender(mails) },
      { name: 'offer-mails', create: () => createOfferMailSender(news) },
      { name: 'message-mails', create: () => createMessageMailSender(news) },
      { name: 'witness-mails', create: () => createWitnessMailSender(mails) },
      { name: 'picture-mails', create: () => createPictureMailSender(news) },
      {
        name: 'alert-mails',
        create: () => createAlertMailSender({ ...mails, tokens: services.alertTokens, units: config.site }),
      },
      { name: 'push-notices', create: () => createPushSender({ ...mails, push, units: config.site }) },
      { name: 'webhook-mails', create: () => createWebhookMailSender(mails) },
      {
        name: 'webhooks',
        create: () =>
          createWebhookSender({
            ...mails,
            client: webhookClient,
            secrets: services.webhookSecrets,
            origin: config.publicBaseUrl,
            count: (outcome) => metrics.webhookDeliveries.inc({ outcome }),
          }),
      },
      { name: 'digest-mails', create: () => createDigestMailSender(mails) },
      {
        name: 'invitation-mails',
        create: () => createInvitationMailSender({ ...mails, authSecret: config.authSecret }),
      },
      {
        name: 'views',
        create: () =>
          createSweeper({
            name: 'views',
            intervalMs: VIEWS_MS,
            timers,
            reporter,
            sweep: () => services.views.write(),
          }),
      },
      { name: 'host-checks', create: () => createHostChecker({ ...mails, config }) },
      {
        name: 'cache-purges',
        create: () => createCachePurger({ pool, url: config.purgeUrl, timers, reporter }),
      },
      {
        name: 'clock',
        create: () =>
          createSweeper({
            name: 'clock',
            intervalMs: CLOCK_MS,
            timers,
            reporter,
            sweep: async () => void (await databaseClock.learn(() => readDatabaseTime(pool))),
          }),
      },
      {
        name: 'provenance-log',
        create: () =>
          createSweeper({
            name: 'provenance-log',
            intervalMs: LOG_MS,
            timers,
            reporter,
            sweep: (draining) =>
              logRecords(
                { pool, clock, signing: config.signing, witnesses: config.site.witnesses },
                draining,
              ),
          }),
      },
      ...(config.agentApproval === 'manual' ? [approvals] : []),
      { name: 'settings-watch', create: () => createSettingsWatch({ ...parts, ...services, config }) },
      ...publicReading.children,
    ],
  });
}

/** Every route of the API host, in matching order. */
export function routesOf(
  config: WebConfig,
  parts: WebParts,
  { readiness, site }: { readonly readiness: Readiness; readonly site: SiteBundle | null },
): Route[] {
  const { services, auth, metrics, tracer, logger, publicWork, feedLimiter } = parts;
  const { actorSystem, clock } = services;
  const verifier = createWebhookVerifier({
    secrets: config.webhookSigningSecrets,
    toleranceSeconds: WEBHOOK_WINDOW_SECONDS,
    clock,
  });
  const router = createAppRouter(services);
  const createContext = createContextFactory(auth, services);
  return [
    ...trpcRoutes({
      router,
      createContext,
      maxBodySize: MAX_INPUT_BYTES,
      prefix: '/api/trpc',
      publicQuery: publicWork.call,
      logger,
    }),
    ...authRoutes(auth, config.publicBaseUrl),
    ...propertyImageRoutes(services, auth),
    ...imageRoutes(services, auth),
    ...avatarRoutes(services, auth),
    ...disclosureRoutes(services, auth),
    ...mailSwitchRoutes({
      pool: services.pool,
      switches: createMailSwitches(config.authSecret),
      publicBaseUrl: config.publicBaseUrl,
    }),
    ...alertSwitchRoutes({
      pool: services.pool,
      tokens: services.alertTokens,
      clock,
      publicBaseUrl: config.publicBaseUrl,
      site: services.settings.site,
    }),
    ...provenanceRoutes({ pool: services.pool, publicBaseUrl: config.publicBaseUrl }),
    ...stagingWebhookRoutes({
      verifier,
      actorSystem,
      tracer,
      clock,
      logger,
      rejections: metrics.webhookRejections,
    }),
    ...tokenRoutes({ pool: services.pool, limiter: feedLimiter }),
    ...feedRoutes({
      ...services,
      access: createFeedAccess({ pool: services.pool, limiter: feedLimiter }),
      publicBaseUrl: config.publicBaseUrl,
      siteName: config.site.name,
    }),
    ...healthRoutes(readiness),
    ...securityContactRoutes({ contact: config.securityContact, publicBaseUrl: config.publicBaseUrl, clock }),
    ...(site === null
      ? []
      : websiteRoutes({
          config,
          bundle: site,
          router,
          services,
          publicQuery: publicWork.call,
          createContext,
        })),
  ];
}

/** Clients may invent methods, and each label value is kept until the process ends. */
function methodLabel(method: string): string {
  return (HTTP_METHODS as readonly string[]).includes(method) ? method : 'other';
}
