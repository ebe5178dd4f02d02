import type { Timers } from './ports.ts';

/** A wait that somebody can cut short. A ring while nobody waits is kept for the next wait. */
export class Doorbell {
  readonly #timers: Timers;
  #rung = false;
  #wake: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      const cut = new AbortController();
      this.#wake = () => cut.abort();
      await this.#timers.sleep(ms, cut.signal);
      this.#wake = null;
    }
    this.#rung = false;
  }
}
