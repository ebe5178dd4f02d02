/**
 * Loaded into a role before its own code (`NODE_OPTIONS=--import`): the machine's clock, TEST_CLOCK_AHEAD_MS ahead from
 * the start or, with TEST_CLOCK_JUMPS, from the first SIGUSR2 on.
 */
const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS);
let shiftMs = process.env.TEST_CLOCK_JUMPS === undefined ? aheadMs : 0;
process.on('SIGUSR2', () => {
  shiftMs = aheadMs;
});

const Right = globalThis.Date;
globalThis.Date = new Proxy(Right, {
  construct: (target, args) =>
    args.length === 0 ? new target(Right.now() + shiftMs) : Reflect.construct(target, args),
  get: (target, name) => (name === 'now' ? () => target.now() + shiftMs : Reflect.get(target, name)),
});
