import * as fake from 'fake-indexeddb';

/** Installs a fake IndexedDB without databases in this process. */
export function installIndexedDb(): typeof fake.indexedDB {
  for (const [name, value] of Object.entries(fake)) Reflect.set(globalThis, name, value);
  const factory = new fake.IDBFactory();
  Reflect.set(globalThis, 'indexedDB', factory);
  return factory;
}
