// Opens the given ledger. Prints the error code if the opening is rejected, otherwise null.
import { openSqliteStore } from '../../dist/index.js';

let refused = null;
try {
  await (await openSqliteStore({ path: process.argv[2] })).close();
} catch (error) {
  refused = { code: error.code, causeCode: error.causeCode, details: error.details };
}
process.stdout.write(JSON.stringify(refused));
