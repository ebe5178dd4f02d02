import type { HttpHeader } from './message.ts';

/** Headers that a call adds to its answer, most of them none. Names are given in lower case, as with `Headers`. */
export class AnswerHeaders implements Pick<Headers, 'append' | 'set'> {
  #headers: HttpHeader[] = [];

  append(name: string, value: string): void {
    this.#headers.push([name, value]);
  }

  /** Replaces all that were added under this name. */
  set(name: string, value: string): void {
    this.#headers = this.#headers.filter((header) => header[0] !== name);
    this.#headers.push([name, value]);
  }

  [Symbol.iterator](): IterableIterator<HttpHeader> {
    return this.#headers.values();
  }
}
