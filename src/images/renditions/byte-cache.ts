/**
 * The most requested small copies, in this process's memory. Always true: it holds at most `maxBytes`; the least
 * recently used entry is evicted first. It only saves time; the caller has checked the visibility of the picture
 * before.
 * @param limits.maxEntryBytes larger entries are not cached, so that one cannot evict all others.
 */
export function createByteCache(limits: { maxBytes: number; maxEntryBytes: number }) {
  // A Map keeps the order of insertion; a used entry is inserted again.
  const entries = new Map<string, Buffer>();
  let size = 0;
  const drop = (key: string): Buffer | undefined => {
    const bytes = entries.get(key);
    if (bytes === undefined) return undefined;
    entries.delete(key);
    size -= bytes.length;
    return bytes;
  };
  const put = (key: string, bytes: Buffer): void => {
    drop(key);
    if (bytes.length > Math.min(limits.maxEntryBytes, limits.maxBytes)) return;
    entries.set(key, bytes);
    size += bytes.length;
    for (const oldest of entries.keys()) {
      if (size <= limits.maxBytes) break;
      drop(oldest);
    }
  };
  return {
    get(key: string): Buffer | undefined {
      const bytes = drop(key);
      if (bytes !== undefined) put(key, bytes);
      return bytes;
    },
    put,
    /** Bytes held now. */
    get size() {
      return size;
    },
  };
}
