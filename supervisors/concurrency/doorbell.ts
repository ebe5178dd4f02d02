import type { Timers } from '../ports.ts';

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

  wait(ms: number): Promise<void> {
    if (this.#rung) {
      this.#rung = false;
      return Promise.resolve();
    }
    const cut = new AbortController();
    this.#wake = () => cut.abort('rung');
    return this.#timers.sleep(ms, cut.signal).then(() => {
      this.#wake = null;
      this.#rung = false;
    });
  }
}
