/**
 * Measures each subject once in every round, one after the other, so that whatever else the machine
 * does strikes all of them, and figures of the same round can be compared.
 */
export async function inTurns<Name, Result>(
  rounds: number,
  subjects: ReadonlyMap<Name, () => Promise<Result>>,
): Promise<ReadonlyMap<Name, readonly Result[]>> {
  const found = new Map<Name, Result[]>([...subjects.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, measure] of subjects) found.get(name)?.push(await measure());
  return found;
}
