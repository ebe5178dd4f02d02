/**
 * Runs the tasks of one name one after the other, in order of arrival; other names do not wait. For tasks that would
 * wait for a row's lock anyway: here they wait without a connection to the database. It owns only the waiting tasks; a
 * crash loses them like any request under way.
 */
export function createNamedQueue() {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    run<T>(name: string, work: () => Promise<T>): Promise<T> {
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

export type NamedQueue = ReturnType<typeof createNamedQueue>;
