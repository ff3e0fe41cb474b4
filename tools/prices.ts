import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageInDays, type LiteLlmModel, type PriceTable, priceTable, tableText } from './priceTable.ts';

/**
 * `npm run prices`: makes the shipped table of model prices from the price file in LiteLLM's latest wheel, which pip
 * downloads. `npm run prices -- --age` says how old the table is.
 */

const FOLDER = join(import.meta.dirname, '../src/metering/prices/litellm');
const TABLE = join(FOLDER, 'table.json');
const PRICE_FILE = 'litellm/model_prices_and_context_window_backup.json';

if (!process.argv.includes('--age')) update();
const table = JSON.parse(readFileSync(TABLE, 'utf8')) as PriceTable;
const models = Object.values(table.services).flatMap((prices) => Object.keys(prices).flatMap((ids) => ids.split(' ')));
const days = ageInDays(table.date, new Date());
console.log(`Model prices of ${table.date} (${table.price_version}): ${models.length} models, ${days} days old.`);

function update(): void {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'));
  try {
    execFileSync('python3', ['-m', 'pip', 'download', 'litellm', '--no-deps', '-q', '-d', folder]);
    const [wheel = ''] = globSync('litellm-*.whl', { cwd: folder });
    const [, version] = /^litellm-([^-]+)-/.exec(wheel) ?? [];
    if (version === undefined) throw new Error('pip downloaded no wheel of litellm');
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    const models = JSON.parse(readFileSync(join(folder, PRICE_FILE), 'utf8')) as Record<string, LiteLlmModel>;
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(TABLE, tableText(priceTable(models, { price_version: `litellm-${version}`, date })));
    const licence = readFileSync(join(folder, `litellm-${version}.dist-info/licenses/LICENSE`), 'utf8');
    writeFileSync(join(FOLDER, 'LICENSE'), licence);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
