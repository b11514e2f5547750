// This import has no exports: it extends the global Reflect, which inversify uses.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import {
  Container,
  ContainerModule,
  type BindToFluentSyntax,
  type ServiceIdentifier,
} from 'inversify';

export { Container as AppContainer, type ServiceIdentifier };

type Load = ConstructorParameters<typeof ContainerModule>[0];
/** Functions with which a module binds its services. */
export type Binder = Parameters<Load>[0] & { readonly provide: Provide };

/** Container module: bindings of one part of the program. */
export class AppModule extends ContainerModule {
  constructor(load: (binder: Binder) => ReturnType<Load>) {
    super((options) => load({ ...options, provide: providing(options.bind) }));
  }
}

/**
 * Creates a container of these modules; all bindings are singletons. Some bindings are
 * asynchronous, so every service is resolved with `getAsync`. `unbindAllAsync` closes opened
 * resources.
 */
export function createContainer(...modules: readonly AppModule[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const module of modules) container.load(module);
  return container;
}

/** Class that identifies a service. */
export type Identifier<T = unknown> = abstract new (...args: never[]) => T;
/**
 * Need for all services of an identifier, in the order of their bindings. The list is empty if no
 * module binds the identifier.
 */
interface Every<T = unknown> {
  readonly all: Identifier<T>;
}
export const every = <T>(all: Identifier<T>): Every<T> => ({ all });

type Need = Identifier | Every;
/** Type of the service that a need requests. */
export type Service<N> =
  N extends Every<infer T> ? readonly T[] : N extends Identifier<infer T> ? T : never;
type Bound<T> = ReturnType<BindToFluentSyntax<T>['toResolvedValue']>;

type Needs = Readonly<Record<string, Need>>;
type Collaborators<N extends Needs> = { readonly [Name in keyof N]: Service<N[Name]> };

/**
 * Type of a constructor's remaining parameters if the needs do not match its first parameters. No
 * argument list satisfies this type.
 */
type Unfit = [needs: never];
/**
 * Parameters of a constructor after its needs. The needs are a list in the sequence of the
 * parameters, or one record.
 */
type AfterNeeds<Taken extends readonly unknown[], N> = N extends readonly []
  ? Taken
  : Taken extends readonly []
    ? Unfit
    : Taken extends readonly [(infer First)?, ...infer Others]
      ? N extends readonly [infer Head, ...infer Tail]
        ? Service<Head> extends First
          ? AfterNeeds<Others, Tail>
          : Unfit
        : N extends Needs
          ? Collaborators<N> extends First
            ? keyof N extends keyof First
              ? Others
              : Unfit
            : Unfit
          : Unfit
      : Unfit;

type Constructor<Taken extends readonly unknown[], T> = new (...taken: Taken) => T;
type NeedsOf = readonly Need[] | Needs;

/**
 * Binds a class to its needs and to its remaining parameters, such as its policy. Needs are a list
 * in the sequence of the parameters, or a record with the names of the first parameter. Wrong,
 * missing and superfluous needs do not compile.
 */
interface Provide {
  <const N extends NeedsOf, P extends readonly unknown[], T>(
    service: Constructor<P, T>,
    needs: N,
    ...rest: AfterNeeds<P, N>
  ): Bound<T>;
  /** Binds a class as the call signature above does, but under the identifier of a port. */
  as<const N extends NeedsOf, P extends readonly unknown[], T extends Port, Port>(
    port: Identifier<Port>,
    service: Constructor<P, T>,
    needs: N,
    ...rest: AfterNeeds<P, N>
  ): Bound<Port>;
}

function providing(bind: Binder['bind']): Provide {
  const as = (
    port: Identifier,
    Service: Constructor<never[], unknown>,
    needs: NeedsOf,
    ...rest: readonly unknown[]
  ): Bound<unknown> => {
    // CAST: `AfterNeeds` has seen that these are the constructor's parameters.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const made = (...parameters: unknown[]) => new Service(...(parameters as never[]));
    return isList(needs)
      ? resolved(bind(port), (...services) => made(...services, ...rest), needs)
      : assemble(bind(port), needs, (collaborators) => made(collaborators, ...rest));
  };
  const provide = (
    service: Constructor<never[], unknown>,
    needs: NeedsOf,
    ...rest: readonly unknown[]
  ): Bound<unknown> => as(service, service, needs, ...rest);
  // CAST: what the rest of the parameters is, is known by `AfterNeeds` only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.assign(provide, { as }) as Provide;
}

const isList = (needs: NeedsOf): needs is readonly Need[] => Array.isArray(needs);

/**
 * Binds a service to its collaborators by their names, so that collaborators can't be exchanged by
 * mistake.
 */
export function assemble<T, const N extends Needs>(
  binding: BindToFluentSyntax<T>,
  needs: N,
  make: (collaborators: Collaborators<N>) => T | Promise<T>,
): Bound<T> {
  const names = Object.keys(needs);
  const collect = (...services: unknown[]): T | Promise<T> =>
    // CAST: the container resolves the identifiers in the order of their names.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    make(Object.fromEntries(names.map((name, i) => [name, services[i]])) as Collaborators<N>);
  return resolved(binding, collect, Object.values(needs));
}

function resolved<T>(
  binding: BindToFluentSyntax<T>,
  resolve: (...services: unknown[]) => T | Promise<T>,
  needs: readonly Need[],
): Bound<T> {
  const identifiers = needs.map((need) =>
    'all' in need
      ? { serviceIdentifier: need.all, isMultiple: true as const, optional: true as const }
      : need,
  );
  // CAST: what the list holds in which place is known by the callers' types only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return binding.toResolvedValue(resolve, identifiers as never);
}
