import type { RefusalCode } from '../errors/errors.ts';

/**
 * Which refusals a procedure may answer: what any may, what its guard answers, and what it declares beside its
 * definition. docs/api.md is written from this; the adapter reports an answer that is none of them, so that tests
 * find what was forgotten.
 */
export interface ProcedureMeta {
  /** Who may call; read by `npm run generate`. Set together with the guard that keeps it, never beside a procedure. */
  readonly who?: Guard;
  /** Beside the common ones and those of the guard. A later `.meta` replaces the whole list. */
  readonly refusals?: readonly OwnRefusal[];
}

export type Guard = 'public' | 'session' | 'agent';
/** Without what `who` says already. */
export type OwnRefusal = Exclude<
  RefusalCode,
  (typeof COMMON_REFUSALS)[number] | (typeof REPEAT_REFUSALS)[number] | (typeof GUARD_REFUSALS)[Guard][number]
>;

/** What any procedure may answer, whether the call reached it or not. */
export const COMMON_REFUSALS = [
  'BAD_REQUEST',
  'CLIENT_CLOSED_REQUEST',
  'INTERNAL_ERROR',
  'INVALID_INPUT',
  'INVALID_ORIGIN',
  'LENGTH_REQUIRED',
  'METHOD_NOT_ALLOWED',
  'MISSING_OR_NULL_ORIGIN',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'REQUEST_HEAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly RefusalCode[];

/** What a mutation with an `Idempotency-Key` may answer beside the others. */
const REPEAT_REFUSALS = [
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENT_ANSWER_NOT_KEPT',
] as const satisfies readonly RefusalCode[];

const GUARD_REFUSALS = {
  public: [],
  session: ['UNAUTHORIZED'],
  agent: ['UNAUTHORIZED', 'AGENT_REQUIRED'],
} as const satisfies Record<Guard, readonly RefusalCode[]>;

/** The log line about a refusal that a procedure answers without declaring it. */
export const UNDECLARED_REFUSAL = 'a refusal that is not declared';

/** Whether docs/api.md says of a procedure that it may answer so. */
export function isDeclared(code: RefusalCode, { who = 'public', refusals = [] }: ProcedureMeta): boolean {
  const declared: readonly RefusalCode[] = [
    ...COMMON_REFUSALS,
    ...REPEAT_REFUSALS,
    ...GUARD_REFUSALS[who],
    ...refusals,
  ];
  return declared.includes(code);
}
