/**
 * Request headers as the routes see them: one value per lower-case name. Repeated headers are joined with `, `
 * (cookies with `; `). Of a header that may occur only once, the first counts, so that no two layers read different
 * values. A request that repeats a header about its framing or its host is rejected (`request-guard.ts`).
 */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'proxy-authorization',
  'referer',
  'transfer-encoding',
  'user-agent',
]);

export class RequestHeaders {
  readonly #values = new Map<string, string>();
  readonly #repeated = new Set<string>();

  /** Adds one header in the order of arrival. */
  add(name: string, value: string): void {
    const key = name.toLowerCase();
    const earlier = this.#values.get(key);
    if (earlier === undefined) {
      this.#values.set(key, value);
      return;
    }
    this.#repeated.add(key);
    if (!SINGLE.has(key)) this.#values.set(key, `${earlier}${key === 'cookie' ? '; ' : ', '}${value}`);
  }

  /** Replaces the client's value with one of ours. */
  replace(name: string, value: string): void {
    this.#values.set(name, value);
  }

  remove(name: string): void {
    this.#values.delete(name);
  }

  /** The value, or undefined when the header was not sent. The name is given in lower case. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** True when the header came more than once. */
  isRepeated(name: string): boolean {
    return this.#repeated.has(name);
  }

  [Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    return this.#values.entries();
  }
}
