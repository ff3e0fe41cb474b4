// Generated from the table of drivers (npm run generate).
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`ml_extension: needs Node 24 or newer, found ${process.versions.node} at ${process.execPath}\n`);
  process.exit(126);
}
const { main } = await import('./lib/ml_gateway.mjs');
await main();
