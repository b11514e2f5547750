// Exports nothing: inversify finds it on the global Reflect.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { Container, ContainerModule, type BindToFluentSyntax } from 'inversify';

export { Container as AppContainer, ContainerModule as AppModule };

/**
 * A container of these modules; everything in it is made once. Some bindings are made
 * asynchronously, so all are asked for by `getAsync`. `unbindAllAsync` closes what was opened.
 */
export function createContainer(...modules: readonly ContainerModule[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const module of modules) container.load(module);
  return container;
}

/** A class that a service is identified by. */
type Identifier<T = unknown> = abstract new (...args: never[]) => T;
/** All services of an identifier, in the order of their bindings; none where nothing binds it. */
interface Every<T = unknown> {
  readonly all: Identifier<T>;
}
export const every = <T>(all: Identifier<T>): Every<T> => ({ all });

type Needs = Readonly<Record<string, Identifier | Every>>;
type Collaborators<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Every<infer T>
    ? readonly T[]
    : N[Name] extends Identifier<infer T>
      ? T
      : never;
};

/** Binds a service by its collaborators' names: there is no order that could be wrong. */
export function assemble<T, const N extends Needs>(
  binding: BindToFluentSyntax<T>,
  needs: N,
  make: (collaborators: Collaborators<N>) => T | Promise<T>,
): ReturnType<BindToFluentSyntax<T>['toResolvedValue']> {
  const names = Object.keys(needs);
  const identifiers = Object.values(needs).map((need) =>
    'all' in need
      ? { serviceIdentifier: need.all, isMultiple: true as const, optional: true as const }
      : need,
  );
  const collect = (...services: unknown[]): T | Promise<T> =>
    // CAST: the container resolves the identifiers in the order of their names.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    make(Object.fromEntries(names.map((name, i) => [name, services[i]])) as Collaborators<N>);
  // CAST: what the list holds in which place is known by `Collaborators` only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return binding.toResolvedValue(collect, identifiers as never);
}
