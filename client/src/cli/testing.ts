import type { MlExtension } from '../client.ts';
import { MlExtensionError } from '../errors.ts';
import type { ConfigurationRecord, ContainerType, LlmService } from '../schemas.ts';
import { plain, type Terminal } from './terminal.ts';
import { type Arguments, UsageError } from './usage.ts';

interface TestResult {
  success: boolean;
  error_code?: string;
  message?: string;
}

type Spec = Readonly<Record<string, string>>;

/** Tests a saved record of each family. */
const TESTS: { readonly [F in ConfigurationRecord['family']]?: (ml: MlExtension, spec: Spec) => Promise<TestResult> } =
  {
    'mcp-connections': (ml, { name = '' }) => ml.call('testMcpConnection', { body: { name } }),
    'llm-providers': testLlm,
    'container-connections': async (ml, { container_type, connection_name = '' }) => {
      const payload = { container_type: container_type as ContainerType, connection_name, is_edit: 'true' as const };
      await ml.call('testContainerConnection', { body: { payload } });
      return { success: true };
    },
    model_aliases: testAlias,
    'vector-stores': (ml, { name = '' }) => ml.call('testVectorStore', { body: { name } }),
    'model-registrations': (ml, { model_name = '' }) =>
      ml.call('registerModel', { query: { test_connection: '1' }, body: { model_name } }),
  };

async function testLlm(ml: MlExtension, { service, connection_name = '', model = '' }: Spec): Promise<TestResult> {
  const body = { service: service as LlmService, connection_name, model, action: 'test' } as const;
  const reply = (await ml.call('actOnLlmProvider', { body: { ...body, probe: 'list' } })) as TestResult;
  if (reply.success || reply.error_code !== 'not_supported') return reply;
  return (await ml.call('actOnLlmProvider', { body: { ...body, probe: 'chat' } })) as TestResult;
}

/** Tests the targets of an alias. */
async function testAlias(ml: MlExtension, { name = '' }: Spec): Promise<TestResult> {
  const body = { family: 'model_aliases' as const, names: [name], max_age_s: 0 };
  const { result, warnings = [] } = await ml.call('checkConnectionHealth', { body });
  const [health] = result;
  if (health?.checked && health.state !== 'failing') return { success: true };
  const message = [health?.reason, ...warnings].filter(Boolean).join('. ');
  return { success: false, error_code: health?.error_code ?? 'not_tested', message };
}

/** Tests saved connections, one after the other. */
export async function test(ml: MlExtension, { target, json }: Arguments, terminal: Terminal): Promise<number> {
  const results = [];
  for (const record of await recordsOf(ml, target)) {
    const name = `${record.family}/${record.name}`;
    const { success, error_code, message } = await testRecord(ml, record);
    results.push({ family: record.family, name: record.name, success, ...(success ? {} : { error_code, message }) });
    if (json) continue;
    const outcome = success ? 'ok' : plain(`${error_code}: ${message}`);
    terminal.out(`${plain(name)}  ${terminal.paint(success ? 'green' : 'red', outcome)}`);
  }
  if (json) terminal.out(JSON.stringify({ result: results }, null, 2));
  return results.every(({ success }) => success) ? 0 : 1;
}

async function testRecord(ml: MlExtension, { family, spec }: ConfigurationRecord): Promise<TestResult> {
  try {
    return (await TESTS[family]?.(ml, spec as Spec)) ?? { success: false };
  } catch (error) {
    if (!(error instanceof MlExtensionError)) throw error;
    return { success: false, error_code: error.code ?? String(error.status), message: error.message };
  }
}

/** @throws UsageError */
async function recordsOf(ml: MlExtension, target: string | undefined): Promise<ConfigurationRecord[]> {
  const slash = target?.indexOf('/') ?? -1;
  const family = slash < 0 ? target : target?.slice(0, slash);
  const families = Object.keys(TESTS);
  if (family !== undefined && !families.includes(family))
    throw new UsageError(`${family} has no test. Families with tests: ${families.join(', ')}`);
  const query = {
    family: family ?? families.join(','),
    ...(slash < 0 ? {} : { name: target?.slice(slash + 1) ?? '' }),
  };
  const { document } = await ml.call('exportConfiguration', { query });
  if (slash >= 0 && document.records.length === 0)
    throw new UsageError(`${target} does not exist, or you may not read it`);
  return document.records;
}
