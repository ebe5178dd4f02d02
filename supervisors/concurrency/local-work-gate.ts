/**
 * The gate for local work in this process: ordinary jobs share it, a suspected job works alone, so that a crash is
 * certainly its own. Served in order: a job waits only for the running work and for earlier jobs. Waiting for the
 * provider is not local work and passes no gate.
 */
export class LocalWorkGate {
  readonly #waiting: { alone: boolean; admit(): void }[] = [];
  #sharing = 0;
  #taken = false;

  /** Resolves with a function to call at the end of the work, or with null when the signal aborts first. */
  enter({ alone, signal }: { alone: boolean; signal: AbortSignal }): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    if (this.#waiting.length === 0 && this.#hasRoom(alone)) return Promise.resolve(this.#take(alone));
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(null);
        this.#next();
      };
      const waiter = {
        alone,
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(this.#take(alone));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #hasRoom(alone: boolean): boolean {
    return !this.#taken && (!alone || this.#sharing === 0);
  }

  #take(alone: boolean): () => void {
    if (alone) this.#taken = true;
    else this.#sharing += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      if (alone) this.#taken = false;
      else this.#sharing -= 1;
      this.#next();
    };
  }

  #next(): void {
    for (let first = this.#waiting[0]; first && this.#hasRoom(first.alone); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.admit();
    }
  }
}
