/**
 * The one lifecycle contract of long-lived things. `start` resolves when it works; `done` settles when it has
 * ended and rejects when it crashed; `stop` is idempotent and waits for what is under way, within `graceMs`.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  done(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}
