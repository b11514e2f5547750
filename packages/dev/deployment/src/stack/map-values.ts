/** The record with every value mapped and the keys kept. */
export function mapValues<Key extends string, Value, Made>(
  record: Readonly<Record<Key, Value>>,
  make: (value: Value, key: Key) => Made,
): Readonly<Record<Key, Made>> {
  // CAST: Object.entries forgets that the keys are the record's own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const entries = Object.entries(record) as [Key, Value][];
  // CAST: as above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<
    Key,
    Made
  >;
}
