import { expectStatus, type TestPlatform } from '../../../../support/e2e/platform.ts';
import { configure } from '../../gatewayPlatform.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { gemini } from './gemini.ts';
import { type MockProvider, startMockProvider } from './mockProvider.ts';
import { ollama } from './ollama.ts';
import { startOpenAiUpstream } from './openAi.ts';

/** Dialects whose providers aimock plays; OpenAI's has an upstream of its own. */
export const FORMATS = { anthropic, bedrock, gemini, ollama };
type Name = keyof typeof FORMATS;

export interface Dialects {
  providers: Record<Name, MockProvider>;
  /** Why providers would have refused requests. */
  problems(): string[];
  close(): Promise<void>;
}

/** Providers of the five dialects, with a connection for each that is called like it. */
export async function startDialects(platform: TestPlatform): Promise<Dialects> {
  const openAi = await startOpenAiUpstream();
  await configure(platform, 'openai', openAi.url);
  const providers = {} as Record<Name, MockProvider>;
  for (const name of Object.keys(FORMATS) as Name[]) {
    const { service, settings, model, embedder = model } = FORMATS[name];
    providers[name] = await startMockProvider(FORMATS[name]);
    const fields = { ...settings, endpoint: providers[name].url };
    const servicesettings = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { value }]));
    for (const one of new Set([model, embedder])) {
      const body = { service, connection_name: name, model: one, servicesettings };
      expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, name);
    }
  }
  return {
    providers,
    problems: () => Object.values(providers).flatMap((provider) => provider.problems),
    async close() {
      await openAi.close();
      for (const provider of Object.values(providers)) await provider.close();
    },
  };
}
