import type { PublicErrorCode } from '../errors/public-errors.ts';

/**
 * The errors that a procedure may answer: those of any procedure, those of its guard, and those that it declares in
 * its definition. docs/api.md is generated from this. The adapter logs any other error code, so that tests find a
 * missing declaration.
 */
export interface ProcedureMeta {
  /** Who may call; read by `npm run generate`. Set together with the guard that enforces it, never in a procedure. */
  readonly who?: Guard;
  /** A mutation that a suspended person may call: to leave, and to take their data along. */
  readonly whileSuspended?: true;
  /**
   * It waits for a service of others, and holds no turn of the public's work meanwhile: what it reads itself it reads in
   * `publicQuery`.
   */
  readonly waitsForOthers?: true;
  /** The other side sees the caller's name, so they must have one; declare NAME_REQUIRED with it. */
  readonly needsName?: true;
  /** In addition to the common errors and those of the guard. A later `.meta` replaces the whole list. */
  readonly errors?: readonly OwnErrorCode[];
}

export type Guard = 'public' | 'session' | 'agent';
/** Excludes the errors that follow from `who`. */
export type OwnErrorCode = Exclude<
  PublicErrorCode,
  (typeof COMMON_ERRORS)[number] | (typeof REPEAT_ERRORS)[number] | (typeof GUARD_ERRORS)[Guard][number]
>;

/** What any procedure may answer, whether the call reached it or not. */
export const COMMON_ERRORS = [
  'BAD_REQUEST',
  'CLIENT_CLOSED_REQUEST',
  'INTERNAL_ERROR',
  'INVALID_INPUT',
  'INVALID_ORIGIN',
  'LENGTH_REQUIRED',
  'MAINTENANCE',
  'METHOD_NOT_ALLOWED',
  'MISSING_OR_NULL_ORIGIN',
  'PAYLOAD_TOO_LARGE',
  'PERSON_CHANGED',
  'RATE_LIMITED',
  'REQUEST_HEAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly PublicErrorCode[];

/** Additional errors of a mutation with an `Idempotency-Key`. */
const REPEAT_ERRORS = [
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENT_ANSWER_NOT_KEPT',
] as const satisfies readonly PublicErrorCode[];

const GUARD_ERRORS = {
  public: [],
  session: ['UNAUTHORIZED', 'ACCOUNT_SUSPENDED'],
  agent: ['UNAUTHORIZED', 'AGENT_REQUIRED', 'ACCOUNT_SUSPENDED'],
} as const satisfies Record<Guard, readonly PublicErrorCode[]>;

/** The log message for an error code that a procedure answers without declaring it. */
export const UNDECLARED_ERROR = 'an error code that is not declared';

/** Whether docs/api.md lists this error for the procedure. */
export function isDeclared(code: PublicErrorCode, { who = 'public', errors = [] }: ProcedureMeta): boolean {
  const declared: readonly PublicErrorCode[] = [
    ...COMMON_ERRORS,
    ...REPEAT_ERRORS,
    ...GUARD_ERRORS[who],
    ...errors,
  ];
  return declared.includes(code);
}
