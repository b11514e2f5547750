/**
 * Maximum number of cached results: more than the number of transactions that wait in a mempool.
 */
const KEPT_ANSWERS = 1_000;

/**
 * Returns a function that caches the most recent results of a pure function. Errors are not cached.
 * @param keyOf returns the key of an argument; arguments with equal keys must have equal results
 */
export function remembered<Argument, Answer>(
  answer: (argument: Argument) => Answer,
  keyOf: (argument: Argument) => string,
): (argument: Argument) => Answer {
  const answers = new Map<string, { readonly value: Answer }>();
  return (argument) => {
    const key = keyOf(argument);
    const known = answers.get(key);
    if (known !== undefined) return known.value;
    const value = answer(argument);
    const oldest = answers.keys().next();
    if (answers.size >= KEPT_ANSWERS && oldest.done !== true) answers.delete(oldest.value);
    answers.set(key, { value });
    return value;
  };
}
