import { describe, expect, it } from '@jest/globals';
import { AppModule, createContainer, every, type Binder } from '../../src/composition/container.js';

abstract class Hours {
  abstract hours(): number;
}
abstract class Words {
  abstract words(): string;
}
abstract class Said {
  abstract said(): string;
}

class ByOrder extends Said {
  constructor(
    private readonly hours: Hours,
    private readonly words: Words,
    private readonly policy: { readonly mark: string },
  ) {
    super();
  }

  said(): string {
    return `${this.hours.hours()} ${this.words.words()}${this.policy.mark}`;
  }
}

class ByName {
  constructor(
    readonly ports: { readonly hours: Hours; readonly words: Words },
    readonly policy: { readonly mark: string },
  ) {}
}

class OfAll {
  constructor(
    readonly all: readonly Words[],
    readonly most = 5,
  ) {}
}

const words = (text: string): Words => ({ words: () => text });
const containerOf = (load: (binder: Binder) => void) =>
  createContainer(
    new AppModule(({ bind }) => {
      bind(Hours).toConstantValue({ hours: () => 7 });
      bind(Words).toConstantValue(words('o’clock'));
    }),
    new AppModule(load),
  );

const wrong = ({ provide }: Binder): void => {
  // @ts-expect-error the order is another
  provide(ByOrder, [Words, Hours], { mark: '!' });
  // @ts-expect-error a need is missing
  provide(ByOrder, [Hours], { mark: '!' });
  // @ts-expect-error a need is not asked for
  provide(ByOrder, [Hours, Words, Said], { mark: '!' });
  // @ts-expect-error the policy is missing
  provide(ByOrder, [Hours, Words]);
  // @ts-expect-error the policy is another
  provide(ByOrder, [Hours, Words], { mark: 1 });
  // @ts-expect-error a name is missing
  provide(ByName, { hours: Hours }, { mark: '!' });
  // @ts-expect-error a name is not asked for
  provide(ByName, { hours: Hours, words: Words, said: Said }, { mark: '!' });
  // @ts-expect-error the names are those of others
  provide(ByName, { hours: Words, words: Hours }, { mark: '!' });
  // @ts-expect-error one where all are asked for
  provide(OfAll, [Words]);
  // @ts-expect-error the class is not of the port
  provide.as(Said, ByName, { hours: Hours, words: Words }, { mark: '!' });
};

describe('provide', () => {
  it('provide creates a class from its dependencies in constructor order', async () => {
    const container = containerOf(({ provide }) => {
      provide(ByOrder, [Hours, Words], { mark: '!' });
    });
    expect((await container.getAsync(ByOrder)).said()).toBe('7 o’clock!');
    expect(await container.getAsync(ByOrder)).toBe(await container.getAsync(ByOrder));
  });

  it('provide creates a class from a record of named dependencies', async () => {
    const container = containerOf(({ provide }) => {
      provide(ByName, { words: Words, hours: Hours }, { mark: '?' });
    });
    const { ports, policy } = await container.getAsync(ByName);
    expect([ports.hours.hours(), ports.words.words(), policy]).toEqual([
      7,
      'o’clock',
      { mark: '?' },
    ]);
  });

  it('provide closes the instance of a class together with the container', async () => {
    const closed: string[] = [];
    const container = containerOf(({ provide }) => {
      provide
        .as(Said, ByOrder, [Hours, Words], { mark: '.' })
        .onDeactivation((said) => void closed.push(said.said()));
    });
    expect((await container.getAsync(Said)).said()).toBe('7 o’clock.');
    await container.unbindAllAsync();
    expect(closed).toEqual(['7 o’clock.']);
  });

  it('provide passes all services of an identifier as a list', async () => {
    const container = createContainer(
      new AppModule(({ bind, provide }) => {
        provide(OfAll, [every(Words)]);
        bind(Words).toConstantValue(words('one'));
        bind(Words).toConstantValue(words('two'));
      }),
    );
    const { all, most } = await container.getAsync(OfAll);
    expect([all.map((each) => each.words()), most]).toEqual([['one', 'two'], 5]);
  });

  it('provide does not compile with wrong dependencies or a policy of the wrong type', () => {
    expect(wrong).toBeInstanceOf(Function);
  });
});
