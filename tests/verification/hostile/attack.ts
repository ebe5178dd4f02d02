/** What an attacker aims at, as JSON. */
export interface Target {
  readonly origin: string;
  /** Of an account that the attacker has. */
  readonly cookie: string;
  /** A listing of that account. */
  readonly propertyId: string;
  /** Originals of that listing. */
  readonly imageIds: readonly string[];
  /** Public pictures of another agent. */
  readonly pictureIds: readonly string[];
  /** A person whom the attacker wants to lock out. */
  readonly victim: string;
}

export interface Attack {
  /** What takes time and is done before, on the attacker's own machine; its result is given to `run`. */
  prepare?(): Promise<Buffer[]>;
  /** Attacks until the signal aborts. `note` counts an answer: a status, or what went wrong. */
  run(
    given: Target & { prepared: Buffer[]; signal: AbortSignal; note: (answer: string) => void },
  ): Promise<void>;
}

/** How often each answer was given. */
export type Answers = Readonly<Record<string, number>>;
