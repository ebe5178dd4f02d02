import { AsyncLocalStorage } from 'node:async_hooks';

/** Why a request must be answered 503 although the library reported no failure. */
type Outage =
  | 'MAIL_UNAVAILABLE'
  | 'RATE_LIMIT_UNAVAILABLE'
  | 'IDENTITY_KEYS_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE';

export type RequestNotes = ReturnType<typeof createRequestNotes>;

/** Records failures inside a request that better-auth swallows. Notes of concurrent requests never mix. */
export function createRequestNotes() {
  const storage = new AsyncLocalStorage<{ outage: Outage | null }>();
  return {
    /**
     * Runs the work; `outage` is the one recorded during it. Rejects as the work does, unless an outage was the
     * cause.
     */
    async run<T>(work: () => Promise<T>): Promise<{ outage: Outage } | { outage: null; value: T }> {
      const notes: { outage: Outage | null } = { outage: null };
      try {
        const value = await storage.run(notes, work);
        return notes.outage ? { outage: notes.outage } : { outage: null, value };
      } catch (error) {
        if (notes.outage) return { outage: notes.outage };
        throw error;
      }
    },
    /**
     * Runs a part of the request. Its failure is recorded as the given outage, except errors that `expected`
     * matches.
     */
    async during<T>(
      outage: Outage,
      part: () => Promise<T>,
      expected = (_error: unknown): boolean => false,
    ): Promise<T> {
      try {
        return await part();
      } catch (error) {
        const notes = storage.getStore();
        if (notes && !expected(error)) notes.outage = outage;
        throw error;
      }
    },
  };
}
