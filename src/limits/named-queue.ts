/**
 * Runs the tasks of one name in sequence, in order of arrival; tasks of other names do not wait. For tasks that
 * would wait for a row's lock anyway: here they wait without a database connection. It owns only the waiting tasks;
 * a crash loses them like any other request in flight.
 */
export function createNamedQueue() {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    run<T>(name: string, work: () => Promise<T>): Promise<T> {
      const done = (lastOf.get(name) ?? Promise.resolve()).then(work);
      // The caller of `run` gets the error. The next work of the name only waits for the end.
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
