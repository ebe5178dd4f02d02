import { AsyncLocalStorage } from 'node:async_hooks';

/** Why a request has another answer than the library's. */
type Outage =
  | 'MAIL_UNAVAILABLE'
  | 'RATE_LIMIT_UNAVAILABLE'
  | 'IDENTITY_KEYS_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE'
  // No outage, but the library would answer another code.
  | 'INVITATION_REQUIRED';

interface Notes {
  outage: Outage | null;
  /** What the library logged first as a fault of ours; its own error says less. */
  fault: { readonly error: unknown } | null;
  /** Whether the request has made a person: this is their first sign-in. */
  hasMadePerson: boolean;
}

export type RequestNotes = ReturnType<typeof createRequestNotes>;

/** Records failures inside a request that better-auth swallows. Notes of concurrent requests never mix. */
export function createRequestNotes() {
  const storage = new AsyncLocalStorage<Notes>();
  return {
    /**
     * Runs the work; `outage` and `fault` are those recorded during it. Rejects with the fault, or as the work does, unless
     * an outage was the cause.
     */
    async run<T>(
      work: () => Promise<T>,
    ): Promise<{ outage: Outage } | { outage: null; value: T; fault: Notes['fault'] }> {
      const notes: Notes = { outage: null, fault: null, hasMadePerson: false };
      try {
        const value = await storage.run(notes, work);
        const { outage, fault } = notes;
        return outage ? { outage } : { outage, value, fault };
      } catch (error) {
        if (notes.outage) return { outage: notes.outage };
        throw notes.fault ? notes.fault.error : error;
      }
    },
    /** Records a fault of ours. @returns false outside a request */
    failed(error: unknown): boolean {
      const notes = storage.getStore();
      if (notes) notes.fault ??= { error };
      return notes !== undefined;
    },
    madePerson(): void {
      const notes = storage.getStore();
      if (notes) notes.hasMadePerson = true;
    },
    hasMadePerson: (): boolean => storage.getStore()?.hasMadePerson === true,
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
