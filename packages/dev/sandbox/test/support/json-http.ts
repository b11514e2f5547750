import { postJson as post } from './rpc.js';

/** Returns the status and the parsed JSON body of a response. */
async function read(response: Response) {
  return { status: response.status, body: JSON.parse(await response.text()) };
}

export const getJson = async (url: string) => read(await fetch(url));

export const postJson = async (url: string, body: unknown) => read(await post(url, body));
