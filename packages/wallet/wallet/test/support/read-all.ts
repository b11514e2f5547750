/** Collects all items until the iterable ends. */
export async function readAll<T>(things: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const thing of things) all.push(thing);
  return all;
}
