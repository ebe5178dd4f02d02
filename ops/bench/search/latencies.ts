/** A turn ends after this many calls or this time, whichever is first, but makes at least a few calls. */
const TURN = { full: { calls: 40, ms: 1_500 }, quick: { calls: 5, ms: 200 }, leastCalls: 3 };

/** The milliseconds of each call of a turn, one after the other. */
export async function latencies(isQuick: boolean, ask: () => Promise<unknown>): Promise<number[]> {
  const { calls, ms } = isQuick ? TURN.quick : TURN.full;
  const taken: number[] = [];
  const began = performance.now();
  while (taken.length < calls) {
    const askedAt = performance.now();
    await ask();
    taken.push(performance.now() - askedAt);
    if (taken.length >= TURN.leastCalls && performance.now() - began > ms) break;
  }
  return taken;
}

/** @throws Error for any other answer than 200 */
export async function expectOk(answer: Promise<number>): Promise<void> {
  const status = await answer;
  if (status !== 200) throw new Error(`search answered ${status}`);
}
