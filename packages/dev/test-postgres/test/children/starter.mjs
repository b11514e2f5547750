// Starts a server, prints the server's URL and folder, and waits to be killed.
import { PostgresServer, findPostgres } from '../../dist/index.js';

const server = await PostgresServer.start(findPostgres());
process.stdout.write(`${server.urlOf('postgres')} ${server.folder}\n`);
