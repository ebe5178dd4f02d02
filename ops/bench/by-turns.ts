/**
 * Measures any number of contestants by turns: one turn each before that warms up and is thrown away, then a turn of
 * each a round, beginning with another one every round, so that a machine that changes meanwhile treats all alike.
 * @returns the turns of each, in the order of the rounds
 */
export async function byTurns<Name extends string, T>(
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
