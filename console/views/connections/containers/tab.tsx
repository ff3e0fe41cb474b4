import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { CONTAINER_CONNECTIONS } from './resource.tsx';

export default function ContainerConnections() {
  return <ResourcePage resource={CONTAINER_CONNECTIONS} />;
}
