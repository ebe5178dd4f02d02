/**
 * Measures any number of candidates interleaved. One turn of each warms up and is not counted. Then each has one turn
 * per round, and each round begins with another one, so that a change of the machine's speed affects all alike.
 * @returns the turns of each, in the order of the rounds
 */
export async function interleave<Name extends string, T>(
  turns: Readonly<Record<Name, (round: number) => Promise<T>>>,
  rounds: number,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(turns) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (const name of names) await turns[name](-1);
  for (let round = 0; round < rounds; round++) {
    const shift = round % names.length;
    for (const name of [...names.slice(shift), ...names.slice(0, shift)])
      taken[name].push(await turns[name](round));
  }
  return taken;
}
