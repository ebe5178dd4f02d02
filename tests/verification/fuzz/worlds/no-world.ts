/** For pure functions, which need nothing. */
export async function openNoWorld(): Promise<{ close(): Promise<void> }> {
  return { close: async () => {} };
}
