/** Error of every call that a killed process makes, instead of a result. */
export class Killed extends Error {}

/**
 * Returns the ports of a process that is killed right after its `calls`-th call of any method. The
 * last call has its effect, but the process receives no result and makes no further call.
 */
export function killedAfter<Ports extends object>(ports: Ports, calls: number): Ports {
  let made = 0;
  const dying = (port: object): object =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || name === 'nowMs' || name === 'monotonicMs')
          return typeof method === 'function' ? method.bind(target) : method;
        return async (...args: readonly unknown[]): Promise<unknown> => {
          made += 1;
          if (made > calls) throw new Killed();
          const answer: unknown = await Reflect.apply(method, target, args);
          if (made === calls) throw new Killed();
          return answer;
        };
      },
    });
  // CAST: each port answers as before, or is dead.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, dying(port)]),
  ) as Ports;
}
