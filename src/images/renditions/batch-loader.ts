/**
 * A batch loader: reads that arrive while others run are sent as one query. Always true: a query starts after its reads
 * arrived, so it is as fresh as a single read. At most `mostAtOnce` queries run, so a query that hangs delays few.
 * Nothing is cached.
 */
export type BatchLoader<T> = (key: string) => Promise<T | null>;

interface Waiting<T> {
  resolve(value: T | null): void;
  reject(reason: unknown): void;
}

/** @param read reads many keys at once; a missing key gives null. */
export function createBatchLoader<T>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
  { mostAtOnce }: { mostAtOnce: number },
): BatchLoader<T> {
  let batch = new Map<string, Waiting<T>[]>();
  let underWay = 0;

  const ask = async (): Promise<void> => {
    const questions = batch;
    batch = new Map();
    underWay += 1;
    try {
      const answers = await read([...questions.keys()]);
      for (const [key, waiting] of questions)
        for (const { resolve } of waiting) resolve(answers.get(key) ?? null);
    } catch (error) {
      for (const { reject } of [...questions.values()].flat()) reject(error);
    } finally {
      underWay -= 1;
      if (batch.size > 0) void ask();
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      const waiting = batch.get(key);
      if (waiting === undefined) batch.set(key, [{ resolve, reject }]);
      else waiting.push({ resolve, reject });
      if (underWay < mostAtOnce) void ask();
    });
}
