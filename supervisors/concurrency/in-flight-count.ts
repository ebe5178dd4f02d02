/** A count of running tasks; a caller can wait until it falls below a limit. */
export class InFlightCount {
  #count = 0;
  #waiting: { below: number; resolve: () => void }[] = [];

  add(): void {
    this.#count += 1;
  }

  drop(): void {
    this.#count -= 1;
    if (this.#waiting.length === 0) return;
    const due = this.#waiting.filter(({ below }) => this.#count < below);
    this.#waiting = this.#waiting.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve();
  }

  /** Adds one; the result subtracts it, once however often it is called. */
  enter(): () => void {
    this.add();
    let inside = true;
    return () => {
      if (inside) this.drop();
      inside = false;
    };
  }

  /** Resolves when fewer than `limit` are under way; at once if so now. */
  below(limit: number): Promise<void> {
    if (this.#count < limit) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ below: limit, resolve }));
  }
}
