/**
 * The child's side of a candidate: answers the commands that its parent sends over the IPC channel, one at a time,
 * and ends when the parent closes the channel or dies. Imports nothing but Node, for it runs beside the peers, too.
 */
export type Commands = Record<string, (input: never) => Promise<unknown>>;

/** Says that this candidate is ready and serves `commands` until the parent leaves; then `close`. */
export function serveTurns(commands: Commands, close: () => Promise<void>): void {
  process.on('message', ({ id, command, input }: { id: number; command: string; input: never }) => {
    const work = commands[command];
    Promise.resolve()
      .then(() => {
        if (!work) throw new Error(`this candidate knows no ${command}`);
        return work(input);
      })
      .then(
        (value) => process.send?.({ id, value }),
        (error: Error) => process.send?.({ id, error: error.stack ?? String(error) }),
      );
  });
  process.once('disconnect', () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.send?.({ ready: true });
}

/** Runs `task` for each index below `count`, `lanes` at a time, and answers how long it took in seconds. */
export async function secondsFor(
  { count, lanes }: { count: number; lanes: number },
  task: (index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  return (performance.now() - began) / 1_000;
}
