import { AsyncLocalStorage } from 'node:async_hooks';

/** Why a request must be answered 503 although the library reported no failure. */
type Outage =
  | 'MAIL_UNAVAILABLE'
  | 'RATE_LIMIT_UNAVAILABLE'
  | 'IDENTITY_KEYS_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE';

export type RequestNotes = ReturnType<typeof createRequestNotes>;

/** Failures inside a request that better-auth swallows. Notes of parallel requests never mix. */
export function createRequestNotes() {
  const storage = new AsyncLocalStorage<{ outage: Outage | null }>();
  return {
    /** Runs the work; `outage` is what was noted during it. Rejects as the work does, unless an outage explains it. */
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
    /** Runs a part of the request; its failure is the given outage, save for errors that `expected` recognises. */
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
