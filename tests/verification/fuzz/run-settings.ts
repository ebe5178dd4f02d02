/** Settings of `npm run fuzz` for the test run, passed by environment because it starts a process. */
export interface RunSettings {
  readonly seed: number;
  /** fast-check's path to one input of the seed. */
  readonly path: string | null;
  /** Null: one round of each target. */
  readonly secondsPerTarget: number | null;
  /** The one target to run; null for all. */
  readonly only: string | null;
}

/** Fixed, so that the same change meets the same inputs on every machine. */
const DEFAULT_SEED = 20_260_115;

export function settingsFromEnvironment(env: Record<string, string | undefined>): RunSettings {
  return {
    seed: Number(env.FUZZ_SEED ?? DEFAULT_SEED),
    path: env.FUZZ_PATH ?? null,
    secondsPerTarget: env.FUZZ_SECONDS === undefined ? null : Number(env.FUZZ_SECONDS),
    only: env.FUZZ_TARGET ?? null,
  };
}

export function runEnvironment(settings: Partial<RunSettings>): Record<string, string> {
  const { seed, path, secondsPerTarget, only } = settings;
  return {
    ...(seed === undefined ? {} : { FUZZ_SEED: String(seed) }),
    ...(path == null ? {} : { FUZZ_PATH: path }),
    ...(secondsPerTarget == null ? {} : { FUZZ_SECONDS: String(secondsPerTarget) }),
    ...(only == null ? {} : { FUZZ_TARGET: only }),
  };
}
