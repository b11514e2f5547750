/** Returns a record with the same keys, whose values are mapped. */
export function mapValues<Key extends string, Value, Made>(
  record: Readonly<Record<Key, Value>>,
  make: (value: Value, key: Key) => Made,
): Readonly<Record<Key, Made>> {
  // CAST: Object.entries loses the type of the keys.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const entries = Object.entries(record) as [Key, Value][];
  // CAST: as above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<
    Key,
    Made
  >;
}
