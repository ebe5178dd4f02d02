/**
 * What the pipeline does next about each way an attempt can fail: the table of docs/contract.md#failures.
 * `notBought` means the same attempt may be sent again; `retryable` allows attempt 2; `permanent` ends the job.
 */
const FAILURE_CATEGORIES = ['notBought', 'retryable', 'permanent'] as const;
export type FailureCategory = (typeof FAILURE_CATEGORIES)[number];

export const ATTEMPT_FAILURES = {
  PROVIDER_UNREACHABLE: { category: 'notBought', alert: false },
  PROVIDER_THROTTLED: { category: 'notBought', alert: false },
  PROVIDER_UNAUTHORIZED: { category: 'permanent', alert: true },
  PROVIDER_BILLING: { category: 'permanent', alert: true },
  PROVIDER_INVALID_INPUT: { category: 'permanent', alert: false },
  PROVIDER_MODERATION: { category: 'permanent', alert: false },
  PROVIDER_FAILED: { category: 'retryable', alert: false },
  PROVIDER_CANCELED: { category: 'retryable', alert: false },
  PREDICTION_UNCONFIRMED: { category: 'retryable', alert: false },
  OUTPUT_UNAVAILABLE: { category: 'retryable', alert: false },
  OUTPUT_TOO_LARGE: { category: 'permanent', alert: false },
  OUTPUT_INVALID: { category: 'retryable', alert: false },
  /** Its address has a host that PROVIDER_OUTPUT_HOSTS does not name. */
  OUTPUT_HOST_REFUSED: { category: 'permanent', alert: true },
  /** Older attempts only: storage that refuses ends none any more. */
  STORAGE_UNAVAILABLE: { category: 'retryable', alert: true },
  RUNNER_CRASHED: { category: 'permanent', alert: true },
  VARIANT_EXISTS: { category: 'permanent', alert: false },
  /** No text came. */
  DESCRIPTION_EMPTY: { category: 'permanent', alert: false },
  /** The text breaks a rule. */
  DESCRIPTION_REJECTED: { category: 'permanent', alert: false },
} as const satisfies Record<string, { category: FailureCategory; alert: boolean }>;

export type AttemptErrorCode = keyof typeof ATTEMPT_FAILURES;

export function failureCategory(code: AttemptErrorCode): FailureCategory {
  return ATTEMPT_FAILURES[code].category;
}

/**
 * Whether attempt 2 may follow. A failure that certainly bought nothing is retryable once its sends are used up. An
 * unconfirmed purchase is retryable only when a transport failure was seen: a restart alone never buys attempt 2
 * (docs/contract.md#jobs).
 */
export function allowsSecondAttempt(code: AttemptErrorCode, cause: 'transport' | 'restart' | null): boolean {
  if (code === 'PREDICTION_UNCONFIRMED') return cause === 'transport';
  return failureCategory(code) !== 'permanent';
}
