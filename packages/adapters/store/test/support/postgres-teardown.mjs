export default async function stopPostgres() {
  await globalThis.sottoPostgres?.stop();
}
