/**
 * Measures each subject once per round, one subject after the other. So other load on the machine
 * affects all subjects equally, and figures of the same round can be compared.
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
