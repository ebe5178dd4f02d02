/**
 * The time used by the tasks of each client that has tasks now. Always true: no figure is below that of the client
 * served last, so a new client starts level with it. A client without time beyond that is dropped.
 */
export interface Shares {
  /** In ms; the lowest is served next. */
  used(name: string): number;
  /** Serves the name, at an expected cost at first; call the result with the true one. */
  charge(name: string): (tookMs: number) => void;
  knows(name: string): boolean;
}

export function createShares(expectedMs: number): Shares {
  const figures = new Map<string, number>();
  let level = 0;
  const used = (name: string): number => Math.max(figures.get(name) ?? 0, level);
  const add = (name: string, ms: number): void => void figures.set(name, used(name) + ms);
  return {
    used,
    charge(name) {
      level = used(name);
      add(name, expectedMs);
      return (tookMs) => {
        add(name, tookMs - expectedMs);
        for (const [one, figure] of figures) if (figure <= level) figures.delete(one);
      };
    },
    knows: (name) => figures.has(name),
  };
}
