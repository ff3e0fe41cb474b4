/**
 * Betas of Anthropic to which a field of Messages belongs, or that are how the gateway works anyway, without their dates. A beta changes
 * nothing here: the fields do.
 */
const BETAS: ReadonlySet<string> = new Set([
  // Prompts and their caches.
  ...['prompt-caching', 'prompt-caching-scope', 'extended-cache-ttl', 'cache-diagnosis', 'pdfs', 'search-results'],
  ...['context-management', 'context-1m', 'mid-conversation-system', 'token-counting', 'files-api', 'compact'],
  // Thinking and answers.
  ...['interleaved-thinking', 'redact-thinking', 'adaptive-thinking', 'effort', 'task-budgets', 'structured-outputs'],
  ...[
    'max-tokens-3-5-sonnet',
    'output-128k',
    'model-context-window-exceeded',
    'dev-full-thinking',
    'thinking-token-count',
  ],
  // Tools.
  ...['tools', 'fine-grained-tool-streaming', 'token-efficient-tools', 'advanced-tool-use', 'tool-examples'],
  ...[
    'tool-search-tool',
    'advisor-tool',
    'mcp-client',
    'mcp-servers',
    'web-search',
    'web-fetch',
    'code-execution',
    'computer-use',
  ],
  ...['skills'],
  // Service.
  ...[
    'claude-code',
    'oauth',
    'fast-mode',
    'afk-mode',
    'summarize-connector-text',
    'safeguards',
    'server-side-fallback',
  ],
  ...['fallback-credit', 'user-profiles', 'message-batches'],
]);

const DATE = /-\d{4}-?\d{2}-?\d{2}$/;
const MAX_NAMED = 20;
const LONGEST = 100;

/** A warning for each beta in the header that no field of Messages belongs to. */
export function betaWarnings(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim());
  const unknown = new Set(names.filter((name) => name !== '' && !BETAS.has(name.toLowerCase().replace(DATE, ''))));
  return [...unknown]
    .slice(0, MAX_NAMED)
    .map((name) => `anthropic-beta ${name.slice(0, LONGEST)} changes nothing: the gateway does not know it`);
}
