/**
 * The lowest number from `start` on for which `passed` does not hold, given that it holds below
 * that number and nowhere above. Asks about 2 · log2(distance) times: in steps that double until
 * one is too far, then by halves.
 */
export async function firstNotPassed(
  start: number,
  passed: (number: number) => Promise<boolean>,
): Promise<number> {
  let low = start;
  let high = start;
  for (let step = 1; await passed(high); step *= 2) {
    low = high + 1;
    high += step;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await passed(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
