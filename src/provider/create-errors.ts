import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import { throttleWithinBounds } from '../../machines/limits.ts';
import type { CreateAnswer } from '../../supervisors/ports.ts';
import type { ProviderAnswer } from './http.ts';

/**
 * The meaning of an HTTP answer to a create (docs/contract.md#failures). A definite rejection bought nothing. After
 * a server error once the request was written, the outcome is unknown: it may have bought something.
 */
export function classifyCreateError(answer: ProviderAnswer): CreateAnswer {
  const { status } = answer;
  const refused = (errorCode: AttemptErrorCode): CreateAnswer => ({
    kind: 'refused',
    errorCode,
    retryAfterMs: null,
  });
  if (status === 429 || status === 503)
    return { kind: 'refused', errorCode: 'PROVIDER_THROTTLED', retryAfterMs: throttleWait(answer) };
  if (status === 401 || status === 403) return refused('PROVIDER_UNAUTHORIZED');
  if (status === 402) return refused('PROVIDER_BILLING');
  if (status >= 400 && status < 500) return refused('PROVIDER_INVALID_INPUT');
  return { kind: 'unknown', cause: 'transport' };
}

/**
 * The wait in any of its three forms: header, `retry_after` in the body, `~Ns` in the text. In milliseconds. Never
 * longer than our maximum, because all starts pause for it. Never too short to be a pause: after "retry after 0"
 * the provider would be called again at once.
 */
export function throttleWait({ retryAfter, body }: ProviderAnswer): number | null {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const inText =
    typeof fields.detail === 'string' ? /~(\d+(?:\.\d+)?)\s*s/.exec(fields.detail)?.[1] : undefined;
  for (const seconds of [retryAfter, fields.retry_after, inText]) {
    const value = typeof seconds === 'string' || typeof seconds === 'number' ? Number(seconds) : Number.NaN;
    if (Number.isFinite(value) && value >= 0) return throttleWithinBounds(value * 1000);
  }
  return null;
}
