// Launcher of the REST driver; all of it stands below lib/. An older runtime could not even read that.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`ml_extension: needs Node 24 or newer, found ${process.versions.node} at ${process.execPath}\n`);
  process.exit(126);
}
const { main } = await import('./lib/rest.mjs');
await main();
