import fc from 'fast-check';

/** One parser of untrusted input. `W` is what it needs to run. */
export interface FuzzTarget<W> {
  /** As `fuzz.ts --target` takes it. */
  readonly name: string;
  /** Completes "this target feeds …". */
  readonly about: string;
  /** Runs of one round. */
  readonly runs: number;
  /** Outcomes without which a round has tested nothing, such as an input that was accepted. */
  readonly mustSee?: readonly string[];
  property(world: W, saw: (outcome: string) => void): fc.IAsyncProperty<[unknown]>;
}

export interface TargetDefinition<W, T> extends Omit<FuzzTarget<W>, 'property'> {
  input(world: W): fc.Arbitrary<T>;
  /** Feeds one input; throws on a failure; otherwise returns the outcome in one word. */
  feed(input: T, world: W): Promise<string> | string;
}

export function defineTarget<W, T>({ input, feed, ...target }: TargetDefinition<W, T>): FuzzTarget<W> {
  return {
    ...target,
    property: (world, saw) =>
      fc.asyncProperty(input(world), async (given) => {
        saw(await feed(given, world));
      }) as fc.IAsyncProperty<[unknown]>,
  };
}
