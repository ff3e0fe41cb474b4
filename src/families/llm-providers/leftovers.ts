import { MASK } from '../../contract/mask.ts';
import type { Amendment } from '../../domain/sealed.ts';
import type { Secrets } from '../../domain/secrets.ts';
import { type LlmConnection, type LlmJson, modelsOf, serviceSettingsOf } from './connection.ts';
import { type Marks, maskCredentials, splitCredentials } from './credentials.ts';
import { isShared, ofModel, stored } from './storedPaths.ts';

/**
 * Credentials that were stored in the open, by a version that did not recognise their names. They are never shown, and
 * the next write of their connection seals them.
 */
export interface Leftovers {
  /** The configuration without any secret. */
  open: LlmJson;
  /** By path within the configuration. */
  secrets: Secrets;
}

/** @param sealed paths of the secrets that are where they belong: what stands beside one is judged with it in place */
export function leftoversOf(configuration: LlmJson, sealed: readonly string[], marks: Marks): Leftovers {
  const { open, given } = splitCredentials(maskCredentials(configuration, sealed), marks);
  const texts = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  // The mask itself, stored as a text, means nothing.
  return { open, secrets: Object.fromEntries(texts.filter(([, text]) => text !== MASK)) };
}

/** The change that moves them to where secrets belong; undefined if there are none. */
export function sealing(connection: LlmConnection, marks: Marks): Required<Amendment<LlmConnection>> | undefined {
  const { secret_fields } = connection;
  const sealed = secret_fields.filter(isShared);
  const shared = leftoversOf({ servicesettings: serviceSettingsOf(connection) }, sealed, marks);
  const secrets: Secrets = { ...shared.secrets };
  const models = modelsOf(connection).map((entry) => {
    const left = leftoversOf(entry.blob, ofModel(secret_fields, entry.model), marks);
    Object.assign(secrets, stored(left.secrets, entry.model));
    return { ...entry, blob: left.open };
  });
  if (Object.keys(secrets).length === 0) return undefined;
  const servicesettings = JSON.stringify(shared.open.servicesettings);
  return { open: { servicesettings, models: JSON.stringify(models) }, secrets };
}
