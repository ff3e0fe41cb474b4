import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import type { COMMON_FIELDS, COMMON_SECRETS } from './commonFields.ts';
import type { DOCKER_FIELDS, DOCKER_SECRETS } from './dockerFields.ts';
import type { KUBERNETES_FIELDS, KUBERNETES_SECRETS } from './kubernetesFields.ts';

/** An engine without an entry here does not compile. */
interface EngineFields {
  docker: typeof DOCKER_FIELDS;
  kubernetes: typeof KUBERNETES_FIELDS;
}
interface EngineSecrets {
  docker: typeof DOCKER_SECRETS;
  kubernetes: typeof KUBERNETES_SECRETS;
}
type NamesOf<T> = T extends unknown ? keyof T : never;
type NamesOfEach<T extends Record<ContainerType, unknown>> = NamesOf<T[keyof T]>;

export type OpenField = keyof typeof COMMON_FIELDS | NamesOfEach<EngineFields>;
export type SecretField = keyof typeof COMMON_SECRETS | NamesOfEach<EngineSecrets>;

/** The fields of a connection that are not secret. Fields of other engines are ignored. */
export type Fields = { [K in OpenField]?: string };
