/** The stored record of a container that was started. */
export const containerDocument = (model: string) => ({
  _key: model.toLowerCase(),
  model,
  cluster: 'docker',
  connection_key: 'docker.local',
  connection_name: 'local',
  container_name: `ml-${model}`,
  id: 'id',
  mark: 'mark',
  status: 'Active',
  step: 'started',
  started_at: 0,
  urls: {},
});
