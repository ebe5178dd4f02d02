/** Pseudo-random numbers from a seed: the same seed gives the same run, on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number in [min, max]. */
  between(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** An independent stream, so that drawing more from one leaves the others as they were. */
  stream(name: string): Random;
}

/** SFC32 (Practically Random, C. Doty-Humphrey): small, fast, passes PractRand. */
export function createRandom(seed: number, name = ''): Random {
  let [a, b, c, counter] = [hash(`${seed}`), hash(name), hash(`${seed} ${name}`), 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round += 1) next();
  return {
    next,
    chance: (probability) => next() < probability,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] as (typeof choices)[number],
    stream: (other) => createRandom(seed, `${name}/${other}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}

/** Ids in the form of uuids, in the order they are asked for. */
export function createIds(random: Random): () => string {
  const hex = (digits: number) =>
    random
      .between(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(4)}${hex(8)}`;
}
