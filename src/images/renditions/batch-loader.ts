/**
 * A batch loader: reads that arrive while others run are sent as one query. Always true: a query starts after its
 * reads arrived, so it is as fresh as a single read. At most `mostAtOnce` queries run, so a hanging query delays
 * few reads. Nothing is cached.
 * @param read reads many keys at once; a missing key gives null.
 */
export function createBatchLoader<T>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
  { mostAtOnce }: { mostAtOnce: number },
) {
  let batch = new Map<string, PromiseWithResolvers<T | null>>();
  let underWay = 0;

  const ask = async (): Promise<void> => {
    const questions = batch;
    batch = new Map();
    underWay += 1;
    try {
      const answers = await read([...questions.keys()]);
      for (const [key, { resolve }] of questions) resolve(answers.get(key) ?? null);
    } catch (error) {
      for (const { reject } of questions.values()) reject(error);
    } finally {
      underWay -= 1;
      if (batch.size > 0) void ask();
    }
  };

  return (key: string): Promise<T | null> => {
    const question = batch.get(key) ?? Promise.withResolvers<T | null>();
    batch.set(key, question);
    if (underWay < mostAtOnce) void ask();
    return question.promise;
  };
}
