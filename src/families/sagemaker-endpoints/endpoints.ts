import { Type } from 'typebox';
import { REGISTRATION_FLAG as flag, REGISTER_MODELS as gate } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ConfigReply, Verify, VerifyQuery } from '../../contract/schemas/common.ts';
import { ModelName, registration } from './definition.ts';
import { RegistrationReply } from './schemas.ts';

const CLOUD_FAULTS = ['endpoint_not_found', 'endpoint_not_in_service', ...OUTBOUND_CODES] as const;

const ByName = Type.Object({ model_name: ModelName });

export const modelRegistrations = endpoints({
  getRegistration: {
    method: 'GET',
    path: '/ml/register_model',
    summary: 'One registered cloud model.',
    gate,
    query: ByName,
    reply: ConfigReply(registration.record),
    faults: ['not_found'],
  },
  registerModel: {
    method: 'POST',
    path: '/ml/register_model',
    audit: {
      action: 'create',
      name: ['body.model_name'],
      otherAction: { at: 'query.test_connection', actions: { '1': 'test', true: 'test' } },
    },
    summary: 'Register a cloud model whose endpoint is in service; with test_connection=1, only ask for its state.',
    gate,
    flag,
    query: Type.Object({
      test_connection: Type.Optional(
        Type.String({
          maxLength: 5,
          pattern: '^(1|0|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])?$',
          description: '1 or true: describe the endpoint and store nothing. 0, false or empty: register.',
          'x-message': 'must be 1, true, 0 or false',
        }),
      ),
      verify: Verify,
    }),
    body: registration.create,
    reply: RegistrationReply,
    answersFailure: true,
    faults: ['already_exists', 'not_found', 'acl_denied', 'verification_refused', ...SECRET_FAULTS, ...CLOUD_FAULTS],
  },
  updateRegistration: {
    method: 'PUT',
    path: '/ml/register_model',
    audit: { action: 'update', name: ['body.model_name'] },
    summary: 'Change a registration: model_name and any subset of its fields. A new endpoint has to be in service.',
    gate,
    flag,
    query: VerifyQuery,
    body: registration.update,
    conditional: true,
    reply: ConfigReply(registration.record),
    faults: ['not_found', 'acl_denied', 'version_conflict', 'verification_refused', ...SECRET_FAULTS, ...CLOUD_FAULTS],
  },
  deleteRegistration: {
    method: 'DELETE',
    path: '/ml/register_model',
    audit: { action: 'delete', name: ['query.model_name'] },
    summary: 'Delete a registration and its secret; the endpoint itself stays.',
    gate,
    flag,
    query: ByName,
    conditional: true,
    reply: Type.Object(
      { model_name: Type.String({ description: 'Name of the registration that was deleted' }) },
      { description: 'What was deleted' },
    ),
    faults: ['not_found', 'acl_denied', 'version_conflict'],
    addition: true,
  },
});
