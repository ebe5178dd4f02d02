/**
 * The interface of everything that the launcher starts: a start function resolves when it is usable; `stop` ends
 * it.
 */
export interface Service {
  /** Its name in the terminal. */
  readonly name: string;
  /** Ends it and waits for its end. Idempotent: every call returns the same promise. */
  stop(): Promise<void>;
}

/** A failure a person can act on; its message is written for the terminal. `code` is for programs and tests. */
export class StackError extends Error {
  readonly code: StackErrorCode;

  constructor(code: StackErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StackError';
    this.code = code;
  }
}

export type StackErrorCode =
  | 'ALREADY_RUNNING'
  | 'BINARY_MISSING'
  | 'START_FAILED'
  | 'PORT_TAKEN'
  | 'NO_UNPRIVILEGED_USER'
  | 'DATA_UNUSABLE'
  | 'MAIL_NOT_SEEN'
  | 'SETTING_UNKNOWN';

/** Makes a stop function idempotent: the work happens once, every caller waits for it. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

/** The condition of a bounded wait, and its timeout (milliseconds). */
export interface Patience {
  timeoutMs: number;
  intervalMs?: number;
}

/**
 * Checks `condition` repeatedly until it is true.
 * @returns false when `timeoutMs` passed first
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, intervalMs = 25 }: Patience,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
