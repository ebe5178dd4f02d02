/**
 * The time used by the tasks of each client that has tasks now. Always true: no client's time is below that of the
 * client served last, so a new client starts level with it. A client without more time than that is dropped.
 */
export function createShares(expectedMs: number) {
  const figures = new Map<string, number>();
  let level = 0;
  const used = (name: string): number => Math.max(figures.get(name) ?? 0, level);
  const add = (name: string, ms: number): void => void figures.set(name, used(name) + ms);
  return {
    /** In ms; the client with the lowest time is served next. */
    used,
    /** Serves the client at the expected cost; call the result with the actual cost. */
    charge(name: string): (tookMs: number) => void {
      level = used(name);
      add(name, expectedMs);
      return (tookMs) => {
        add(name, tookMs - expectedMs);
        for (const [one, figure] of figures) if (figure <= level) figures.delete(one);
      };
    },
    knows: (name: string): boolean => figures.has(name),
  };
}
export type Shares = ReturnType<typeof createShares>;
