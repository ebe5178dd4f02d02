import { collectDefaultMetrics, Registry } from 'prom-client';
import { VERSION } from '../version.ts';
import { seriesIn } from './series.ts';

/** From a cached answer to the longest time that clients wait. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Gauges of the client library with names that are reserved for counters; they only sum up other series. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Why a provider's callback is rejected: each value of the label `reason`. */
const WEBHOOK_REJECTIONS = [
  'missing-header',
  'bad-timestamp',
  'outside-window',
  'bad-signature',
  'bad-body',
  'unknown-attempt',
] as const;
export type WebhookRejection = (typeof WEBHOOK_REJECTIONS)[number];
/** The decoder lanes of each role. */
const DECODER_LANES: Record<string, readonly string[]> = {
  web: ['uploads', 'heic', 'renditions'],
  worker: ['staging', 'drift'],
};
/** Why a decoder was lost during a picture: its memory limit, its time limit, or a crash. */
const LOSS_REASONS = ['memory', 'time', 'died'] as const;
export type LossReason = (typeof LOSS_REASONS)[number];
/**
 * What became of a copy that was to be signed. `no_room`: its picture has as many manifests as are kept;
 * `no_checksum`: that of its original is not known yet.
 */
const SIGNATURE_OUTCOMES = ['signed', 'failed', 'no_room', 'no_checksum'] as const;
export type SignatureOutcome = (typeof SIGNATURE_OUTCOMES)[number];
const MAIL_OUTCOMES = ['accepted', 'not_accepted'] as const;
const WEBHOOK_OUTCOMES = ['delivered', 'later', 'failed', 'off'] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
/** Statuses with which the provider denies us every request. */
const PROVIDER_DENIALS = ['401', '402', '403'];
const PROVIDER_OPERATIONS = ['create', 'get', 'cancel', 'list'];

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of a process of any role. `role` becomes a label of every series. */
export function createMetrics({ role }: { role: string }) {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const { counter, gauge, histogram } = seriesIn(registry);
  const metrics = {
    registry,
    httpRequests: counter('http_requests', 'Requests answered', ['method', 'route', 'status']),
    httpRequestDuration: histogram('http_request_duration', 'Time from request head to end of answer', {
      labelNames: ['method', 'route'],
      buckets: DURATION_BUCKETS_SECONDS,
    }),
    unconfirmed: gauge(
      'standby_unconfirmed_seconds',
      'For how long no standby has confirmed what was committed; 0 while one does, and with CLAIM_DURABILITY=local',
    ),
    clockSkew: gauge(
      'clock_skew_seconds',
      "How far this machine's clock is ahead of the database's; negative when it is behind",
    ),
    stagingJobs: gauge('staging_jobs', 'Staging jobs by status', ['status']),
    descriptionJobs: gauge('description_jobs', 'Description jobs by status', ['status']),
    stagingTransitions: counter('staging_transitions', 'State transitions committed', ['actor', 'event']),
    providerRequests: counter('provider_requests', 'Calls to the image provider', ['operation', 'outcome']),
    queueNudges: counter('queue_nudges', 'Hints given to a queue after a commit', ['queue', 'outcome']),
    dispatcherRepairs: counter('dispatcher_repairs', 'Due rows that were missing in their queue', ['queue']),
    decodersLost: counter('decoders_lost', 'Processes that ended in the middle of a picture', [
      'lane',
      'reason',
    ]),
    unreadableHops: counter(
      'unreadable_forwarded_for',
      'Requests whose X-Forwarded-For entry of our own proxy could not be read',
      [],
    ),
    webhookRejections: counter('webhook_refusals', 'Provider callbacks refused', ['reason']),
    pictureSignatures: counter('picture_signatures', 'Copies of staged pictures to be signed', ['outcome']),
    signingCertificateExpires: gauge(
      'signing_certificate_expires_timestamp_seconds',
      'When the first certificate of the chain that signs pictures expires',
      ['fingerprint'],
    ),
    placeholderTexts: gauge('placeholder_texts', 'Legal texts that are not the operator’s', []),
    textsRequiredSince: gauge(
      'texts_required_since_timestamp_seconds',
      'When this installation got the rule that legal texts are the operator’s; 0 when they are',
      [],
    ),
    publicReads: counter('public_reads', 'Which server was read for what the public may see', ['to']),
    standbyLag: gauge('standby_lag_seconds', 'How old what a standby shows may be', ['standby']),
    checkFailing: gauge(
      'check_failing',
      '1 while this process does not reach what the check of /readyz asks',
      ['check'],
    ),
    kvUnusable: gauge('kv_unusable', '1 while the key-value store takes no writes of this process'),
    mails: counter('mails', 'Mails given to the mail server', ['outcome']),
    webhookDeliveries: counter('webhook_deliveries', 'Calls of webhooks out, by what followed', ['outcome']),
    settingsDiffer: gauge('settings_differ', '1 while the setting is not equal in all running processes', [
      'setting',
    ]),
    /** Alerts of docs/contract.md#alerts. */
    alertActive: gauge('alert_active', '1 while the alert holds', ['alert']),
  };
  gauge('build_info', 'The version of the running software', ['version']).set({ version: VERSION }, 1);
  // Series that rules watch exist from the start: Prometheus does not see a first increment that creates its
  // series.
  const { webhookRejections, providerRequests, dispatcherRepairs, decodersLost, pictureSignatures } = metrics;
  for (const lane of DECODER_LANES[role] ?? [])
    for (const reason of LOSS_REASONS) decodersLost.inc({ lane, reason }, 0);
  if (role === 'web') {
    metrics.unreadableHops.inc(0);
    for (const reason of WEBHOOK_REJECTIONS) webhookRejections.inc({ reason }, 0);
    for (const outcome of SIGNATURE_OUTCOMES) pictureSignatures.inc({ outcome }, 0);
    for (const outcome of MAIL_OUTCOMES) metrics.mails.inc({ outcome }, 0);
    for (const outcome of WEBHOOK_OUTCOMES) metrics.webhookDeliveries.inc({ outcome }, 0);
  }
  if (role === 'worker') {
    for (const operation of PROVIDER_OPERATIONS)
      for (const outcome of PROVIDER_DENIALS) providerRequests.inc({ operation, outcome }, 0);
    for (const queue of ['staging', 'descriptions']) dispatcherRepairs.inc({ queue }, 0);
  }
  return metrics;
}
