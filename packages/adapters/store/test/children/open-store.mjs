import { openPostgresStore, openSqliteStore } from '../../dist/index.js';

/** @param place URL of a database or path of a file */
export function openStore(place) {
  return place.startsWith('postgres://')
    ? openPostgresStore({ url: place, poolSize: 10 })
    : openSqliteStore({ path: place });
}
