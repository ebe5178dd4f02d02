import { z } from 'zod';
import { type AppliedFault, numberOption } from './faults/fault-catalogue.ts';
import { HttpProblem, problem, unauthenticated } from './http-answers.ts';
import type { ModelHandler } from './models/model-handler.ts';
import { findModel } from './models/model-table.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from './prediction.ts';

export interface CreateRequest {
  model: string;
  handler: ModelHandler;
  input: Record<string, unknown>;
  webhook: string | null;
  webhookEvents: WebhookEvent[] | null;
  cancelAfterMs: number | null;
}

const envelopeSchema = z.strictObject({
  input: z.record(z.string(), z.unknown()),
  webhook: z.string().optional(),
  webhook_events_filter: z.array(z.enum(WEBHOOK_EVENTS)).optional(),
  stream: z.boolean().optional(),
});

const CANCEL_AFTER_MIN_MS = 5_000;
const CANCEL_AFTER_MAX_MS = 24 * 3_600_000;

/**
 * Checks a create body and its headers as the provider does (docs/provider.md#the-picture-model).
 * @throws HttpProblem 404 for an unknown model, 422 with `invalid_fields` for the rest.
 */
export function checkCreate(
  body: Record<string, unknown>,
  options: { model: string; cancelAfter: string | undefined },
): CreateRequest {
  const handler = findModel(options.model);
  if (!handler) throw problem(404, 'Model not found', 'The requested resource could not be found.');
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) throw invalid(envelope.error.issues.map(envelopeField));
  const { input, webhook = null, webhook_events_filter: webhookEvents = null } = envelope.data;
  const wrong = handler.findInvalid(input);
  if (webhook !== null && !isAllowedWebhook(webhook)) {
    wrong.push({ type: 'format', field: 'webhook', description: 'webhook must be a valid HTTPS URL' });
  }
  if (wrong.length > 0) throw invalid(wrong);
  const cancelAfterMs = options.cancelAfter === undefined ? null : parseCancelAfter(options.cancelAfter);
  return { model: options.model, handler, input, webhook, webhookEvents, cancelAfterMs };
}

/** The provider's 422 for input that violates its schema. */
function invalid(fields: { type: string; field: string; description: string }[]): HttpProblem {
  return new HttpProblem(422, {
    title: 'Input validation failed',
    detail: fields.map((field) => `- ${field.field}: ${field.description}\n`).join(''),
    status: 422,
    invalid_fields: fields,
  });
}

function envelopeField(issue: z.core.$ZodIssue) {
  if (issue.code === 'unrecognized_keys') {
    const description = `Additional property ${issue.keys.join(', ')} is not allowed`;
    return { type: 'additional_property_not_allowed', field: '(root)', description };
  }
  const field = issue.path.join('.');
  return { type: issue.code, field: field || '(root)', description: `${field}: ${issue.message}` };
}

/** HTTPS only; plain http is allowed to loopback, for a local stack. */
function isAllowedWebhook(webhook: string): boolean {
  if (!URL.canParse(webhook)) return false;
  const url = new URL(webhook);
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}

/**
 * `30`, `30s`, `5m`, `1h30m45s` in milliseconds; at least 5 s (docs/provider.md#replicates-predictions-api). @throws
 * HttpProblem 422
 */
export function parseCancelAfter(text: string): number {
  const match = /^(?:(\d+)|(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/.exec(text.trim());
  const [, bare, hours, minutes, seconds] = match ?? [];
  const total = bare !== undefined ? Number(bare) : clockSeconds(hours, minutes, seconds);
  const ms = total * 1000;
  if (!match || ms < CANCEL_AFTER_MIN_MS || ms > CANCEL_AFTER_MAX_MS) {
    throw problem(422, 'Invalid Cancel-After header', 'Cancel-After must be a duration from 5s to 24h.');
  }
  return ms;
}

function clockSeconds(hours = '0', minutes = '0', seconds = '0'): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

const DEFAULT_WAIT_S = 5;

/**
 * The answer of a fault that rejects without a purchase; undefined for other faults. Bodies:
 * docs/provider.md#errors.
 */
export function problemOf(fault: AppliedFault): HttpProblem | undefined {
  const seconds = numberOption(fault, 'seconds', DEFAULT_WAIT_S);
  switch (fault.name) {
    case 'refuse-503': {
      const retryAfter = numberOption(fault, 'retryAfter', 0);
      const headers: Record<string, string> = retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {};
      return new HttpProblem(503, { detail: 'Service unavailable', status: 503 }, headers);
    }
    case 'throttle-header':
      return new HttpProblem(429, { detail: 'Request was throttled.' }, { 'retry-after': String(seconds) });
    case 'throttle-body':
      return new HttpProblem(429, { detail: lowCreditText(seconds), status: 429, retry_after: seconds });
    case 'throttle-text':
      return new HttpProblem(429, {
        detail: `Request was throttled. Your rate limit resets in ~${seconds}s.`,
      });
    case 'unauthorized':
      return numberOption(fault, 'status', 401) === 403
        ? new HttpProblem(403, { title: 'Forbidden', detail: 'You do not have permission.', status: 403 })
        : unauthenticated();
    case 'billing':
      return new HttpProblem(402, { title: 'Insufficient credit', detail: creditText() });
    case 'invalid-input':
      return invalidInput(numberOption(fault, 'status', 422));
    default:
      return undefined;
  }
}

function invalidInput(status: number): HttpProblem {
  const refused = invalid([{ type: 'required', field: 'input', description: 'prompt is required' }]);
  if (status === 422) return refused;
  return new HttpProblem(status, { title: 'Bad request', detail: 'The request was refused.', status });
}

function lowCreditText(seconds: number): string {
  const limit =
    'reduced to 6 requests per minute with a burst of 1 requests while you have less than $5.0 in credit';
  return `Request was throttled. Your rate limit for creating predictions is ${limit}. Your rate limit resets in ~${seconds}s.`;
}

function creditText(): string {
  return 'You have insufficient credit to run this model. Go to https://replicate.com/account/billing#billing to purchase credit.';
}
