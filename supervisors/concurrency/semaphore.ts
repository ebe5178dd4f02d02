/**
 * A bound on how much runs at once in this process; without a size only a count of it. Waiters are served in order: one
 * waits only for the running work and for earlier waiters.
 */
export class Semaphore {
  readonly #size: number;
  readonly #waiting: { places: number; admit(): void }[] = [];
  #watching: { limit: number; resolve(): void }[] = [];
  #taken = 0;

  constructor(size = Number.MAX_SAFE_INTEGER) {
    this.#size = size;
  }

  get load(): { working: number; waiting: number } {
    return { working: this.#taken, waiting: this.#waiting.length };
  }

  /**
   * Waits for its turn.
   * @param options.alone takes every place, so that nothing runs at the same time.
   * @param options.first goes ahead of all waiters.
   * @throws the signal's reason when it aborts before the turn has come.
   */
  async take(options: { alone?: boolean; first?: boolean; signal?: AbortSignal } = {}): Promise<GiveBack> {
    const { alone = false, first = false, signal } = options;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<GiveBack>();
    const places = alone ? this.#size : 1;
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      reject(signal?.reason);
      this.#admit();
    };
    const waiter = {
      places,
      admit: () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#enter(places));
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (first) this.#waiting.unshift(waiter);
    else this.#waiting.push(waiter);
    this.#admit();
    return promise;
  }

  /** Takes a place without waiting; null when none is free. */
  tryTake(): GiveBack | null {
    return this.#taken < this.#size ? this.#enter(1) : null;
  }

  /** Counts one more, whether there is a place or not. */
  enter(): GiveBack {
    return this.#enter(1);
  }

  /** Resolves when fewer than `limit` places are taken; at once if so now. */
  async below(limit: number): Promise<void> {
    if (this.#taken < limit) return;
    await new Promise<void>((resolve) => this.#watching.push({ limit, resolve }));
  }

  #enter(places: number): GiveBack {
    this.#taken += places;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#taken -= places;
      this.#admit();
      const due = this.#watching.filter(({ limit }) => this.#taken < limit);
      this.#watching = this.#watching.filter((watcher) => !due.includes(watcher));
      for (const { resolve } of due) resolve();
    };
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (!next || this.#taken + next.places > this.#size) return;
      this.#waiting.shift();
      next.admit();
    }
  }
}

/** Gives back what was taken, once however often it is called. */
type GiveBack = () => void;
