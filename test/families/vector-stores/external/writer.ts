import { documentOf, SavedStore } from './saved.ts';
import { worlds } from './worlds.ts';

/** Writes one document again and again until it is killed: version 1 has one passage, 2 two, 3 three, 4 one. */
const [name = '', address = '', table = ''] = process.argv.slice(2);
const world = worlds().find((each) => each.name === name);
if (!world) throw new Error(`no world ${name}`);
world.address = address;
const store = await SavedStore.of(world, table);
for (let version = 1; ; version++) {
  const count = ((version - 1) % 3) * 40 + 1;
  const document = documentOf(
    'runbook',
    Array.from({ length: count }, (_, index) => [1, index, 0, 0]),
  );
  const text = document.text.replaceAll('runbook', `v${String(version).padStart(6, '0')}`);
  await store.write([{ ...document, text }]);
  process.stdout.write(`${version}\n`);
}
