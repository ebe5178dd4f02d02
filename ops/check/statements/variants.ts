import type ts from 'typescript';

/** The source does not say what the value of an expression is. */
export class Unknown extends Error {
  constructor(node: ts.Node, reason: string) {
    super(`${node.getText().replace(/\s+/g, ' ').slice(0, 60)}: ${reason}`);
  }
}

/** One way through the questions of an evaluation that have several answers. */
export class Choices {
  readonly #path: number[];
  readonly #sizes: number[] = [];
  readonly #made = new Map<unknown, number>();

  constructor(path: readonly number[]) {
    this.#path = [...path];
  }

  /** The answer's number, below `size`. The same question has the same answer within one way. */
  of(question: unknown, size: number): number {
    const known = this.#made.get(question);
    if (known !== undefined) return known;
    const at = this.#sizes.push(size) - 1;
    const chosen = this.#path[at] ?? 0;
    this.#path[at] = chosen;
    this.#made.set(question, chosen);
    return chosen;
  }

  /** The next way, in the order of a counter; undefined after the last one. */
  next(): number[] | undefined {
    for (let at = this.#sizes.length - 1; at >= 0; at -= 1) {
      const chosen = (this.#path[at] ?? 0) + 1;
      if (chosen < (this.#sizes[at] ?? 0)) return [...this.#path.slice(0, at), chosen];
    }
    return undefined;
  }
}
