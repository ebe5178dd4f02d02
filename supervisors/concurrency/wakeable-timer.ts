import type { Timers } from '../ports.ts';

/** A sleep that can be ended early. A wake-up without a sleeper is kept for the next sleep. */
export class WakeableTimer {
  readonly #timers: Timers;
  #woken = false;
  #wake: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  wait(ms: number): Promise<void> {
    if (this.#woken) {
      this.#woken = false;
      return Promise.resolve();
    }
    const cut = new AbortController();
    this.#wake = () => cut.abort('rung');
    return this.#timers.sleep(ms, cut.signal).then(() => {
      this.#wake = null;
      this.#woken = false;
    });
  }
}
