import type { BindToFluentSyntax, MapToResolvedValueInjectOptions } from 'inversify';

/**
 * Binds a class by its constructor; the compiler holds the identifiers against its parameters, in
 * their order.
 */
export function construct<T, A extends unknown[]>(
  binding: BindToFluentSyntax<T>,
  type: new (...args: A) => T,
  needs: MapToResolvedValueInjectOptions<NoInfer<A>>,
): ReturnType<BindToFluentSyntax<T>['toResolvedValue']> {
  return binding.toResolvedValue((...args: A) => new type(...args), needs);
}
