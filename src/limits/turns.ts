/**
 * Work under one name goes on one piece after the other, in the order it came; other names do not wait. For work that
 * would wait for a row's lock anyway: here it waits without a connection to the database. It owns only who waits, and a
 * crash loses them like any request under way.
 */
export interface Turns {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const done = (lastOf.get(name) ?? Promise.resolve()).then(work);
      const over = done
        .catch(() => {})
        .then(() => {
          if (lastOf.get(name) === over) lastOf.delete(name);
        });
      lastOf.set(name, over);
      return done;
    },
  };
}
