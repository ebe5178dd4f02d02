/** A bound on how much runs at once in this process (`AI_STAGING_CONCURRENCY`); waiters are served in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  get free(): number {
    return this.#free;
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** As `take`, ahead of all waiters. */
  async takeNext(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.#waiting.unshift(resolve));
  }

  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
