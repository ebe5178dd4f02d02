/** The target of an attack, as JSON. */
export interface Target {
  readonly origin: string;
  /** The cookie of the attacker's account. */
  readonly cookie: string;
  /** A listing of that account. */
  readonly propertyId: string;
  /** Originals of that listing. */
  readonly imageIds: readonly string[];
  /** Public pictures of another agent. */
  readonly pictureIds: readonly string[];
  /** Listings of one other agent. */
  readonly marketIds: readonly string[];
  /** The address of a person whom the attacker wants to lock out. */
  readonly victim: string;
}

export interface Attack {
  /** Slow preparation on the attacker's own machine, before the attack; `run` gets its result. */
  prepare?(): Promise<Buffer[]>;
  /** Attacks until the signal aborts. `note` counts an answer: a status or an error. */
  run(
    given: Target & { prepared: Buffer[]; signal: AbortSignal; note: (answer: string) => void },
  ): Promise<void>;
}

/** How often each answer was given. */
export type Answers = Readonly<Record<string, number>>;
