import { MlExtensionError } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import type { Body } from '../../../parts/panel/resource.ts';
import {
  type Catalogue,
  type Configuration,
  extraFields,
  type Identity,
  merged,
  nameOf,
  ofConnection,
  unknownOf,
  withChange,
  withoutMasks,
} from './record.ts';

type FormBody = Body & Identity;

interface Clone {
  from: Configuration;
  catalogue: Catalogue;
}

/** The page refuses: the app would update the existing record. */
function refused(field: keyof Identity, message: string, remedy: string): MlExtensionError {
  const errors = [{ field, message: 'exists' }];
  const body = { status: 'fail', message, remedy, error_code: 'duplicate_name', errors };
  return new MlExtensionError(
    { operation: 'saveLlmConfiguration', tries: 1, wasSent: false },
    409,
    body as never,
    undefined,
  );
}

/**
 * Saves a new model. A save would replace an existing one, so this looks for it first.
 * @param clone whose undeclared settings are copied
 * @throws MlExtensionError `duplicate_name`, and the errors of the app
 */
export async function create(body: Body, clone: Clone | undefined): Promise<string> {
  const form = body as FormBody;
  const existing = await ofConnection(form.service, form.connection_name);
  if (existing.some(({ model }) => model === form.model.trim()))
    throw refused('model', 'The connection already has this model.', 'Open it in the list to change it.');
  if (existing.length > 0 && form.servicesettings !== undefined)
    throw refused(
      'connection_name',
      'A connection of this name exists.',
      'Save again to add the model to it with its settings, or choose another name.',
    );
  const { updated_config } = await ml.call('saveLlmConfiguration', {
    body: (clone ? cloneBody(clone, form, existing.length === 0) : form) as never,
  });
  return nameOf(updated_config);
}

/** Adds the fields that the form does not show. */
function cloneBody({ from, catalogue }: Clone, form: FormBody, isNewConnection: boolean): Body {
  const { fields, model_fields } = catalogue.services[from.service];
  const isSameService = from.service === form.service;
  const further = {
    ...extraFields(from),
    modelsettings: unknownOf(from.modelsettings, model_fields),
    ...(isNewConnection && isSameService ? { servicesettings: unknownOf(from.servicesettings, fields) } : {}),
  };
  return merged(withoutMasks(further), form);
}

export const update = (body: Body, version: number | undefined, record: Configuration) =>
  ml.call('saveLlmConfiguration', { body: { ...withChange(record, body), version } as never });

/** A model of an existing connection uses its settings. */
export async function requestBody(body: Body, signal: AbortSignal): Promise<Body> {
  const { service, connection_name } = body as FormBody;
  if (body.servicesettings !== undefined || !connection_name) return body;
  const [connection] = await ofConnection(service, connection_name, signal);
  return connection ? { ...body, servicesettings: connection.servicesettings } : body;
}
