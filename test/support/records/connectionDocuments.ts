const META = { version: 1, created_at: 1, created_by: 'x', last_updated_at: 1, last_updated_by: 'x' };
/** A model of an LLM connection. */
export const model = (name: string, more: object = {}) => ({
  model: name,
  is_saved: true,
  is_model_saved: true,
  blob: {},
  ...META,
  ...more,
});
/** An LLM connection as its family stores it. */
export const llm = (service: string, connection_name: string, ...models: object[]) => ({
  _key: `${service}.${connection_name}`.toLowerCase().replaceAll(' ', '_20'),
  service,
  connection_name,
  servicesettings: '{}',
  models: JSON.stringify(models),
  secret_ref: null,
  secret_fields: [],
  ...META,
});
/** A container connection as its family stores it. */
export const container = (container_type: string, connection_name: string, more: object) => ({
  _key: `${container_type}.${connection_name}`.toLowerCase().replaceAll(' ', '_20'),
  container_type,
  connection_name,
  secret_ref: null,
  secret_fields: [],
  ...META,
  ...more,
});
